//! Settings of the page from tensors beside the imported ones, as files of this page contain them.

use crate::export::tensors::{self, Name};
use crate::state::imported::{self, ImportedData, ImportedTensors};
use crate::state::painting::MOST_STRETCHES;
use crate::state::request_builder::WRITTEN;
use crate::state::setting::ValueKind;
use crate::state::{
    Alignment, Field, Hiding, MaskPart, Painting, PositionKind, ScoringKind, Value,
};
use attention::text::xavier;
use attention::{Places, Position, sinusoidal_encoding_at};
use formats::Tensor;

/// A setting from a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileSetting {
    /// The causal mask.
    Causal,
    /// A mask of these cells.
    Mask(Painting),
    /// How the computation learns of positions.
    Positions(PositionKind),
    /// The last query stands at the last key.
    AlignedLast,
    /// Scores are additive.
    Additive,
    /// Dot scores are not divided by `√d_k`.
    Unscaled,
    /// Temperature in hundredths.
    Temperature(u32),
    /// Treatment of hidden cells.
    Hiding(Hiding),
    /// Keys and values are shortened by the matrices that the page draws from a seed.
    Linformer {
        /// How many rows they become.
        projected: u32,
        /// Seed of the matrices.
        seed: u32,
    },
}

impl FileSetting {
    /// The fields that it sets, and their values.
    pub fn values(&self) -> Vec<(Field, Value)> {
        let value = match self {
            Self::Causal => (Field::Masks, Value::Names(vec![MaskPart::Causal.name()])),
            Self::Mask(cells) => (Field::Paint, Value::Painting(cells.clone())),
            Self::Positions(kind) => (Field::Positions, Value::Choice(kind.name())),
            Self::AlignedLast => (Field::Alignment, Value::Choice(Alignment::Last.name())),
            Self::Additive => {
                let name = ScoringKind::Additive.name();
                (Field::Scoring, Value::Choice(name))
            }
            Self::Unscaled => (Field::Scaled, Value::Switch(false)),
            Self::Temperature(hundredths) => (Field::Temperature, Value::Centi(*hundredths)),
            Self::Hiding(hiding) => (Field::Hiding, Value::Choice(hiding.name())),
            Self::Linformer { projected, seed } => {
                return vec![
                    (Field::Linformer, Value::Switch(true)),
                    (Field::Projected, Value::Number(*projected)),
                    (Field::Seed, Value::Number(*seed)),
                ];
            }
        };
        vec![value]
    }
}

/// Settings from tensors of the same file, each with its tensor.
pub(super) fn of(tensors: &[Tensor], imported: &ImportedData) -> Vec<(FileSetting, usize)> {
    if imported.is_finished() {
        return Vec::new();
    }
    let places = places(tensors);
    let own = tensors.iter().enumerate().filter_map(|(at, tensor)| {
        let setting = match tensors::named(&tensor.name)? {
            Name::Mask => mask(tensor, imported.lengths()?),
            Name::Positions => sinusoidal(tensor, imported, &places),
            Name::Rotary => rotary(tensor, imported, &places, PositionKind::Rotary),
            Name::RotaryHalves => rotary(tensor, imported, &places, PositionKind::RotaryHalves),
            Name::QueryStart => aligned(number(tensor)?, imported),
            Name::Alibi => alibi(tensor, imported),
            Name::WA => additive(imported),
            Name::Seed => linformer(number(tensor)?, tensors),
            Name::Scale => (number(tensor)? == 1.0).then_some(FileSetting::Unscaled),
            Name::Temperature => temperature(number(tensor)?),
            Name::MaskedScore => hiding(number(tensor)? == WRITTEN, Hiding::Written),
            Name::MaskAdded => hiding(number(tensor)? == 1.0, Hiding::Added),
            Name::MaskAfter => hiding(number(tensor)? == 1.0, Hiding::AfterSoftmax),
            _ => None,
        }?;
        Some((setting, at))
    });
    own.collect()
}

fn mask(tensor: &Tensor, (n, m): (usize, usize)) -> Option<FileSetting> {
    let is_mask = tensor.data.iter().all(|cell| *cell == 0.0 || *cell == 1.0);
    if tensor.shape != [n, m] || !is_mask {
        return None;
    }
    let cells = || {
        let cells = tensor.data.iter().enumerate();
        cells.map(|(at, cell)| ((at / m, at % m), *cell == 1.0))
    };
    if n == m && cells().all(|((query, key), is_visible)| is_visible == (key <= query)) {
        return Some(FileSetting::Causal);
    }
    let mut painting = Painting::default();
    for ((query, key), _) in cells().filter(|(_, is_visible)| !is_visible) {
        painting.set(query, key, Some(false));
        if painting.stretches() > MOST_STRETCHES {
            return None;
        }
    }
    (!painting.is_empty()).then_some(FileSetting::Mask(painting))
}

/// Returns the value of a tensor with one element.
fn number(tensor: &Tensor) -> Option<f32> {
    match tensor.data[..] {
        [number] => Some(number),
        _ => None,
    }
}

/// A temperature that the page can set.
fn temperature(temperature: f32) -> Option<FileSetting> {
    let hundredths = (temperature * 100.0).round();
    let is_exact = (temperature * 100.0 - hundredths).abs() < 1e-3;
    let ValueKind::Centi { min, max, .. } = Field::Temperature.kind() else {
        return None;
    };
    let is_possible = is_exact && (min as f32..=max as f32).contains(&hundredths);
    is_possible.then_some(FileSetting::Temperature(hundredths as u32))
}

fn hiding(is_said: bool, hiding: Hiding) -> Option<FileSetting> {
    is_said.then_some(FileSetting::Hiding(hiding))
}

/// Linformer where `e` is the matrix that the page draws from the seed.
fn linformer(seed: f32, tensors: &[Tensor]) -> Option<FileSetting> {
    let e = tensors.iter().find(|own| own.name == Name::E.name())?;
    let [projected, keys] = e.shape[..] else {
        return None;
    };
    let seed = seed as u32;
    let drawn = xavier::linformer(projected, keys, seed).e;
    let projected = projected as u32;
    let is_same = are_close(&e.data, drawn.as_slice()?);
    is_same.then_some(FileSetting::Linformer { projected, seed })
}

/// Where the queries of the file stand.
fn places(tensors: &[Tensor]) -> Places {
    let is_start = |own: &&Tensor| tensors::named(&own.name) == Some(Name::QueryStart);
    let start = tensors.iter().find(is_start).and_then(number);
    Places {
        query_start: start.map_or(0, |start| start as i64),
        positions: None,
    }
}

/// The alignment, where the last query stands at the last key.
fn aligned(start: f32, imported: &ImportedData) -> Option<FileSetting> {
    let (n, m) = imported.lengths()?;
    (start == m as f32 - n as f32).then_some(FileSetting::AlignedLast)
}

/// Rotary positions, if the angles are those of the page.
fn rotary(
    tensor: &Tensor,
    imported: &ImportedData,
    places: &Places,
    kind: PositionKind,
) -> Option<FileSetting> {
    let ImportedTensors::Layer { weights, heads, .. } = imported.contents() else {
        return None;
    };
    let [positions, pairs] = tensor.shape[..] else {
        return None;
    };
    let d_k = weights.query.w.ncols() / heads;
    let angles = tensors::angles(&places.from_first(positions), d_k, Position::ROTARY)?;
    let is_same = pairs == d_k / 2 && are_close(&tensor.data, &angles);
    is_same.then_some(FileSetting::Positions(kind))
}

/// ALiBi, if the slopes are those of the page.
fn alibi(tensor: &Tensor, imported: &ImportedData) -> Option<FileSetting> {
    let heads = match imported.contents() {
        ImportedTensors::Layer { heads, .. } => *heads,
        ImportedTensors::Heads { q, .. } => q.dim().0,
        _ => return None,
    };
    let slopes = tensors::slopes(heads, Position::ALIBI);
    let is_same = are_close(&tensor.data, &slopes);
    is_same.then_some(FileSetting::Positions(PositionKind::Alibi))
}

fn are_close(own: &[f32], wanted: &[f32]) -> bool {
    let mut pairs = own.iter().zip(wanted);
    own.len() == wanted.len() && pairs.all(|(own, wanted)| (own - wanted).abs() < 1e-5)
}

fn sinusoidal(tensor: &Tensor, imported: &ImportedData, places: &Places) -> Option<FileSetting> {
    let [rows, width] = tensor.shape[..] else {
        return None;
    };
    let encoding = sinusoidal_encoding_at(&places.from_first(rows), width);
    let is_same = are_close(&tensor.data, encoding.as_slice()?);
    let can =
        imported.kind() != imported::ImportedKind::Heads && imported.contents().inputs().is_some();
    (can && is_same).then_some(FileSetting::Positions(PositionKind::Sinusoidal))
}

fn additive(imported: &ImportedData) -> Option<FileSetting> {
    let ImportedTensors::Layer { weights, .. } = imported.contents() else {
        return None;
    };
    weights.additive.as_ref().map(|_| FileSetting::Additive)
}
