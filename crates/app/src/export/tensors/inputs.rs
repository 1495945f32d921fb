//! The inputs of a computation as tensors.

wasm_chunks::chunk!("engine");

use ndarray::Array2;

use super::Name;
use crate::state::State;
use attention::plan::Axis;
use attention::{CellIndex, Layer, Linear, Position, Request, Source, sinusoidal_encoding_at};

/// An input tensor of the `request` of a state; `None` if it has none, and for results of a run.
pub fn made(state: &State, request: &Request, name: Name) -> Option<Vec<f32>> {
    let sizes = request.sizes();
    match name {
        Name::X => inputs(request).map(|(x, _)| x.to_vec()),
        Name::XKeysValues => inputs(request).and_then(|(_, other)| other.map(<[f32]>::to_vec)),
        Name::Positions => {
            let rows = sinusoidal_encoding_at(&places(request), sizes.d_model?);
            Some(rows.into_raw_vec_and_offset().0)
        }
        Name::WQ => layer(request).and_then(|layer| matrix(&layer.weights().query.w)),
        Name::WK => layer(request).and_then(|layer| matrix(&layer.weights().key.w)),
        Name::WV => layer(request).and_then(|layer| matrix(&layer.weights().value.w)),
        Name::BQ => layer(request).and_then(|layer| bias(&layer.weights().query)),
        Name::BK => layer(request).and_then(|layer| bias(&layer.weights().key)),
        Name::BV => layer(request).and_then(|layer| bias(&layer.weights().value)),
        Name::BO => request.output().and_then(bias),
        Name::WA => request.additive().map(|w_a| w_a.to_vec()),
        Name::WO => request.output().and_then(|output| matrix(&output.w)),
        Name::E => matrix(&request.call().linformer.as_ref()?.e),
        Name::F => matrix(&request.call().linformer.as_ref()?.f),
        Name::Mask => match &request.call().bias {
            Some(added) => Some(added.numbers().iter().copied().collect()),
            None => (!request.call().mask.is_full()).then(|| mask(request)),
        },
        Name::MaskAdded => Some(vec![1.0]),
        Name::Seed => Some(vec![state.seed as f32]),
        Name::Scale => Some(vec![request.config().scale]),
        Name::Temperature => Some(vec![request.config().temperature]),
        Name::MaskedScore => Some(vec![request.call().masked_score?]),
        Name::MaskAfter => Some(vec![f32::from(u8::from(request.config().mask_after))]),
        Name::Rotary | Name::RotaryHalves => {
            angles(&places(request), sizes.d_k, request.config().position)
        }
        Name::QueryStart => Some(vec![request.call().places.query_start as f32]),
        Name::Alibi => Some(slopes(sizes.heads, request.config().position)),
        _ => None,
    }
}

fn places(request: &Request) -> Vec<i64> {
    let count = Axis::Positions.length(request.sizes());
    request.call().places.from_first(count)
}

/// The angle of each pair of components at each position, `[positions, d_k/2]` in radians; `None` where nothing is rotated.
pub fn angles(positions: &[i64], d_k: usize, position: Position) -> Option<Vec<f32>> {
    let rotation = position.rotation()?;
    let of_position = |at: &i64| {
        let at = *at;
        (0..d_k / 2).map(move |pair| rotation.angle(at, pair, d_k) as f32)
    };
    Some(positions.iter().flat_map(of_position).collect())
}

/// ALiBi slope of each head: the penalty per position of distance.
pub fn slopes(heads: usize, position: Position) -> Vec<f32> {
    let each = 0..heads;
    each.map(|head| position.penalty(head, heads) as f32)
        .collect()
}

fn layer(request: &Request) -> Option<&Layer> {
    match request.source() {
        Source::Layer { layer, .. } => Some(layer),
        Source::Heads(_) => None,
    }
}

/// The first of the batch, which is all there is.
fn inputs(request: &Request) -> Option<(&[f32], Option<&[f32]>)> {
    let Source::Layer {
        queries,
        keys_values,
        ..
    } = request.source()
    else {
        return None;
    };
    let other = keys_values.as_ref().and_then(|rows| rows.as_slice());
    Some((queries.as_slice()?, other))
}

fn bias(linear: &Linear) -> Option<Vec<f32>> {
    linear.b.as_ref().map(|bias| bias.to_vec())
}

fn matrix(matrix: &Array2<f32>) -> Option<Vec<f32>> {
    Some(matrix.as_standard_layout().as_slice()?.to_vec())
}

/// The page's masks are the same for every head.
fn mask(request: &Request) -> Vec<f32> {
    let sizes = request.sizes();
    let mut cells = vec![1.0; sizes.n * sizes.keys];
    for (query, row) in cells.chunks_exact_mut(sizes.keys.max(1)).enumerate() {
        let first = CellIndex {
            batch: 0,
            head: 0,
            query,
            key: 0,
        };
        request.call().mask.write_row(first, row);
    }
    cells
}
