//! Scores as pairs of 32-bit floats, for scores that one float cannot hold accurately enough; the GPU counterpart of
//! `cpu/f64_scores.rs` in the `attention` package.

use ndarray::Array2;

use crate::batch::Batch;
use crate::inputs::{Inputs, places_of, positions, projection, shortening, turning, turns};
use crate::large::LargeRows;
use crate::pool::{Buffer, Use};
use crate::tensor::Tensor;
use crate::uniforms::{Product, Vectors};
use crate::{GpuError, Kernel};
use attention::plan::Side;
use attention::{Position, Request, Rotation, Source, sinusoid};

/// A tensor and what its numbers lack in 32 bit; nothing where they are exact.
pub(super) struct Pair {
    pub(super) high: Option<Tensor>,
    pub(super) low: Option<Tensor>,
}

impl Pair {
    const EXACT: Self = Self {
        high: None,
        low: None,
    };
}

/// Queries and keys in twice the precision, and the rows that need it.
pub(super) struct Wide {
    pub(super) q: Pair,
    pub(super) k: Pair,
    /// `[batch·heads·n]`, 1 for those rows.
    marks: Buffer,
    /// Where their context is made if that of the others comes from the fused kernel.
    pub(super) context: Option<Tensor>,
}

impl Wide {
    pub(super) fn new(
        batch: &mut Batch,
        request: &Request,
        inputs: &Inputs,
        large: &LargeRows,
    ) -> Result<Self, GpuError> {
        let sizes = request.sizes();
        let rotation = request.config().position.rotation();
        let (q, mut k) = match &inputs.given {
            None if rotation.is_some() => given(batch, request),
            None => (Pair::EXACT, Pair::EXACT),
            Some((queries, keys_values)) => {
                let (x, y) = (
                    positioned(batch, request, queries, (Side::Queries, sizes.n))?,
                    keys_values
                        .as_ref()
                        .map(|rows| positioned(batch, request, rows, (Side::KeysValues, sizes.m)))
                        .transpose()?,
                );
                let q = project(batch, request, inputs, (0, sizes.heads), (queries, &x))?;
                let source = match (keys_values, &y) {
                    (Some(rows), Some(y)) => (rows, y),
                    _ => (queries, &x),
                };
                let k = project(batch, request, inputs, (1, sizes.kv_heads), source)?;
                for pair in [Some(x), y].into_iter().flatten() {
                    let parts = [pair.high, pair.low].into_iter().flatten();
                    parts.for_each(|part| batch.hold_until_submit(part.buffer));
                }
                (q, k)
            }
        };
        if let Some(rotation) = rotation {
            let [of_queries, of_keys] =
                [Side::Queries, Side::KeysValues].map(|side| places_of(request, side));
            let parts = |places: &[i64]| {
                Tensor::parts(batch.gpu(), &turns(places, rotation, None, sizes.d_k))
            };
            let for_queries = parts(&of_queries);
            let for_keys = (of_keys != of_queries).then(|| parts(&of_keys));
            rotate(batch, request, &q, (rotation, &for_queries))?;
            let turns = for_keys.as_ref().unwrap_or(&for_queries);
            rotate(batch, request, &k, (rotation, turns))?;
            let all = std::iter::once(for_queries).chain(for_keys).flatten();
            all.for_each(|part| batch.hold_until_submit(part.buffer));
        }
        if let (Some(matrices), Some(rows)) = (&inputs.projections, &inputs.k) {
            let short = linformer_project(batch, request, &matrices[0], rows, &k)?;
            let parts = [k.high, k.low].into_iter().flatten();
            parts.for_each(|part| batch.hold_until_submit(part.buffer));
            k = short;
        }
        let gpu = batch.gpu();
        let marks = gpu.take(Use::Storage, 4 * large.marks.len() as u64);
        gpu.write(&marks, &large.marks);
        Ok(Self {
            q,
            k,
            marks,
            context: None,
        })
    }

    /// Copies the rows that need twice the precision from where they were made; the first is row `first` of all.
    pub(super) fn copy_rows(
        &self,
        batch: &mut Batch,
        first: usize,
        from: &Tensor,
        into: &Tensor,
    ) -> Result<(), GpuError> {
        let uniform = Vectors {
            count: (into.rows * into.stride()) as u32,
            rows: first as u32,
            width: into.stride() as u32,
            ..Vectors::default()
        };
        batch.dispatch(
            Kernel::CopyRows,
            uniform,
            &[&self.marks, &from.buffer, &into.buffer],
            [u64::from(uniform.count), 1, 1],
        )
    }
}

/// `X + PE`, or nothing where no positions are added.
fn positioned(
    batch: &mut Batch,
    request: &Request,
    x: &Tensor,
    (side, rows): (Side, usize),
) -> Result<Pair, GpuError> {
    let adds = matches!(request.source(), Source::Layer { layer, .. } if layer.position() == Position::Sinusoidal);
    if !adds {
        return Ok(Pair::EXACT);
    }
    let places = request.call().places.all(side, rows).concat();
    let encoding = Array2::from_shape_fn((places.len(), x.width), |(row, column)| {
        sinusoid(places[row], column, x.width)
    });
    let [high, low] = Tensor::parts(batch.gpu(), &encoding);
    let made = [(); 2].map(|()| Tensor::new(batch.gpu(), x.rows, x.width));
    let uniform = positions(x, places.len());
    batch.dispatch(
        Kernel::WideAddPositions,
        uniform,
        &[
            &x.buffer,
            &high.buffer,
            &low.buffer,
            &made[0].buffer,
            &made[1].buffer,
        ],
        [u64::from(uniform.count), 1, 1],
    )?;
    batch.hold_until_submit(high.buffer);
    batch.hold_until_submit(low.buffer);
    let [high, low] = made.map(Some);
    Ok(Pair { high, low })
}

/// Given queries and keys once more as they came, with room for a low part: those of the inputs are rotated already.
fn given(batch: &mut Batch, request: &Request) -> (Pair, Pair) {
    let mut pair = |rows| {
        let high = Tensor::of_rows(batch.gpu(), rows);
        let low = Tensor::new(batch.gpu(), high.rows, high.width);
        batch.clear(&low.buffer);
        Pair {
            high: Some(high),
            low: Some(low),
        }
    };
    match request.source() {
        Source::Heads(heads) => (pair(&heads.q), pair(&heads.k)),
        Source::Layer { .. } => (Pair::EXACT, Pair::EXACT),
    }
}

/// Turns the numbers of a pair in place.
fn rotate(
    batch: &mut Batch,
    request: &Request,
    pair: &Pair,
    (rotation, turns): (Rotation, &[Tensor; 2]),
) -> Result<(), GpuError> {
    let (Some(high), Some(low)) = (&pair.high, &pair.low) else {
        return Ok(());
    };
    let kernels = [Kernel::WideRotate, Kernel::WideRotateHalves];
    let (kernel, uniform) = turning(high, turns[0].rows, request, rotation, kernels);
    batch.dispatch(
        kernel,
        uniform,
        &[
            &high.buffer,
            &low.buffer,
            &turns[0].buffer,
            &turns[1].buffer,
        ],
        [u64::from(uniform.count), 1, 1],
    )
}

fn project(
    batch: &mut Batch,
    request: &Request,
    inputs: &Inputs,
    (which, heads): (usize, usize),
    (given, x): (&Tensor, &Pair),
) -> Result<Pair, GpuError> {
    let Some(maps) = &inputs.weights.inputs else {
        return Ok(Pair::EXACT);
    };
    let (map, sizes) = (&maps[which], request.sizes());
    let made = [(); 2].map(|()| Tensor::new(batch.gpu(), given.rows * heads, sizes.d_k));
    let uniform = projection(given, &made[0], heads, sizes.batch, map);
    let bias = map.b.as_ref().unwrap_or(given);
    product(
        batch,
        Kernel::WideProduct,
        (uniform, heads * sizes.batch),
        [(given, x), (&map.w, &Pair::EXACT)],
        bias,
        made.each_ref(),
    )?;
    let [high, low] = made.map(Some);
    Ok(Pair { high, low })
}

fn linformer_project(
    batch: &mut Batch,
    request: &Request,
    matrix: &Tensor,
    rows: &Tensor,
    k: &Pair,
) -> Result<Pair, GpuError> {
    let sizes = request.sizes();
    let slices = sizes.batch * sizes.kv_heads;
    let made = [(); 2].map(|()| Tensor::new(batch.gpu(), slices * sizes.keys, rows.width));
    product(
        batch,
        Kernel::WideProduct,
        (shortening(matrix, rows.width, sizes.kv_heads), slices),
        [(matrix, &Pair::EXACT), (rows, k)],
        matrix,
        made.each_ref(),
    )?;
    let [high, low] = made.map(Some);
    Ok(Pair { high, low })
}

/// One product in twice the precision; each operand is a tensor as it is in 32 bit, and its parts where it has any.
pub(super) fn product(
    batch: &mut Batch,
    kernel: Kernel,
    (uniform, slices): (Product, usize),
    [a, b]: [(&Tensor, &Pair); 2],
    bias: &Tensor,
    made: [&Tensor; 2],
) -> Result<(), GpuError> {
    let flag = |pair: &Pair, flag| if pair.low.is_some() { flag } else { 0 };
    let flags = uniform.flags | flag(a.1, Product::A_LOW) | flag(b.1, Product::B_LOW);
    let uniform = Product { flags, ..uniform };
    let buffers = [
        &a.1.high.as_ref().unwrap_or(a.0).buffer,
        &a.1.low.as_ref().unwrap_or(a.0).buffer,
        &b.1.high.as_ref().unwrap_or(b.0).buffer,
        &b.1.low.as_ref().unwrap_or(b.0).buffer,
        &bias.buffer,
        &made[0].buffer,
        &made[1].buffer,
    ];
    batch.dispatch(kernel, uniform, &buffers, uniform.extent(slices))
}
