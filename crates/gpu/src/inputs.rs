//! The prepare stage: inputs, positions, projections, Linformer.

use std::rc::Rc;

use ndarray::{Array2, Array3};

use crate::batch::Batch;
use crate::matmul_layout::Operand;
use crate::pool::Buffer;
use crate::tensor::{Tensor, vectors};
use crate::uniforms::{Product, Vectors};
use crate::weights::{DeviceWeights, Projection};
use crate::{Gpu, GpuError, Kernel};
use attention::plan::{Operation, Plan, Side, Stage};
use attention::{Code, Error, Linformer, Pairs, Request, Rotation, Source, sinusoidal_encoding_at};

/// Inputs of the scores and of the weighted sum.
pub(super) struct Inputs {
    pub(super) weights: Rc<DeviceWeights>,
    /// `[batch·n, d_model]` and `[batch·m, d_model]`, the latter absent in self-attention; as given.
    pub(super) given: Option<(Tensor, Option<Tensor>)>,
    /// The same with positions, where they are added.
    positioned: [Option<Tensor>; 2],
    /// Cosines and sines of rotary positions, with the places of their rows.
    turns: Option<(Vec<i64>, Tensor)>,
    /// As they enter the scores: `[batch·heads·n, d_k]`, `[batch·kv_heads·m, d_k]`, `[batch·kv_heads·m, d_v]`.
    pub(super) q: Option<Tensor>,
    pub(super) k: Option<Tensor>,
    pub(super) v: Option<Tensor>,
    /// Keys and values shortened along the sequence.
    pub(super) short_k: Option<Tensor>,
    pub(super) short_v: Option<Tensor>,
    /// `E` and `F`.
    pub(super) projections: Option<[Tensor; 2]>,
}

impl Inputs {
    /// Uploads everything that comes from the host.
    pub(super) fn upload(gpu: &Gpu, request: &Request) -> Self {
        let rows = |array: &Array3<f32>| Tensor::of_rows(gpu, array);
        let (given, heads) = match request.source() {
            Source::Layer {
                queries,
                keys_values,
                ..
            } => (Some((rows(queries), keys_values.as_ref().map(rows))), None),
            Source::Heads(heads) => (None, Some([&heads.q, &heads.k, &heads.v].map(rows))),
        };
        let [q, k, v] = heads.map_or([None, None, None], |heads| heads.map(Some));
        let matrix = |matrix: &Array2<f32>| Tensor::of_matrix(gpu, matrix.view());
        let linformer = request.call().linformer.as_ref();
        Self {
            weights: DeviceWeights::cached(gpu, request),
            given,
            positioned: [None, None],
            turns: None,
            q,
            k,
            v,
            short_k: None,
            short_v: None,
            projections: linformer.map(|Linformer { e, f }| [matrix(e), matrix(f)]),
        }
    }

    /// Every step of the prepare stage.
    pub(super) fn prepare(
        &mut self,
        batch: &mut Batch,
        request: &Request,
        plan: &Plan,
    ) -> Result<(), GpuError> {
        for step in plan.stage(Stage::Prepare) {
            self.step(batch, request, step.operation)?;
        }
        Ok(())
    }

    fn step(
        &mut self,
        batch: &mut Batch,
        request: &Request,
        operation: Operation,
    ) -> Result<(), GpuError> {
        let sizes = request.sizes();
        match operation {
            Operation::AddPositions(side) => self.add_positions(batch, request, side),
            Operation::ProjectQueries => {
                self.q = self.project(batch, request, 0, (sizes.heads, sizes.d_k))?;
                Ok(())
            }
            Operation::ProjectKeys => {
                self.k = self.project(batch, request, 1, (sizes.kv_heads, sizes.d_k))?;
                Ok(())
            }
            Operation::ProjectValues => {
                self.v = self.project(batch, request, 2, (sizes.kv_heads, sizes.d_v))?;
                Ok(())
            }
            Operation::RotateQueries => self.rotate(batch, request, Side::Queries),
            Operation::RotateKeys => self.rotate(batch, request, Side::KeysValues),
            Operation::ShortenKeys => {
                self.short_k = self.linformer_project(batch, request, 0, self.k.as_ref())?;
                Ok(())
            }
            Operation::ShortenValues => {
                self.short_v = self.linformer_project(batch, request, 1, self.v.as_ref())?;
                Ok(())
            }
            Operation::NormQueries | Operation::NormKeys => {
                Err(processor_only("q_norm", "norms of queries and keys").into())
            }
            _ => unreachable!("only steps of the prepare stage come before the tiles"),
        }
    }

    fn add_positions(
        &mut self,
        batch: &mut Batch,
        request: &Request,
        side: Side,
    ) -> Result<(), GpuError> {
        let Some((queries, keys_values)) = &self.given else {
            return Ok(());
        };
        let sizes = request.sizes();
        let (at, x, rows) = match (side, keys_values) {
            (Side::KeysValues, Some(x)) => (1, x, sizes.m),
            _ => (0, queries, sizes.n),
        };
        // Computed on the host, because a shader's sine is not exact.
        let places = request.call().places.all(side, rows).concat();
        let encoding = sinusoidal_encoding_at(&places, x.width);
        let encoding = Tensor::of_matrix(batch.gpu(), encoding.view());
        let sum = Tensor::new(batch.gpu(), x.rows, x.width);
        let uniform = positions(x, places.len());
        batch.dispatch(
            Kernel::AddPositions,
            uniform,
            &[&x.buffer, &encoding.buffer, &sum.buffer],
            [u64::from(uniform.count), 1, 1],
        )?;
        batch.hold_until_submit(encoding.buffer);
        self.positioned[at] = Some(sum);
        Ok(())
    }

    /// Queries, keys or values of every head: `[batch·heads·rows, width]`.
    fn project(
        &self,
        batch: &mut Batch,
        request: &Request,
        which: usize,
        (heads, width): (usize, usize),
    ) -> Result<Option<Tensor>, GpuError> {
        let (Some((queries, keys_values)), Some(maps)) = (&self.given, &self.weights.inputs) else {
            return Ok(None);
        };
        let x = match (which, keys_values) {
            (1 | 2, Some(rows)) => self.positioned[1].as_ref().unwrap_or(rows),
            _ => self.positioned[0].as_ref().unwrap_or(queries),
        };
        let made = Tensor::new(batch.gpu(), x.rows * heads, width);
        let uniform = projection(x, &made, heads, request.sizes().batch, &maps[which]);
        let bias = maps[which].b.as_ref().unwrap_or(x);
        let buffers = [&x.buffer, &maps[which].w.buffer, &bias.buffer, &made.buffer];
        batch.dispatch(
            Kernel::Product,
            uniform,
            &buffers,
            uniform.extent(heads * request.sizes().batch),
        )?;
        Ok(Some(made))
    }

    /// Turns queries or keys in place.
    fn rotate(&mut self, batch: &mut Batch, request: &Request, side: Side) -> Result<(), GpuError> {
        let x = match side {
            Side::KeysValues => &self.k,
            _ => &self.q,
        };
        let (Some(x), Some(rotation)) = (x, request.config().position.rotation()) else {
            return Ok(());
        };
        check_angles(request)?;
        let places = places_of(request, side);
        let known = match self.turns.take() {
            Some((others, turns)) if others != places => {
                batch.hold_until_submit(turns.buffer);
                None
            }
            known => known,
        };
        let (places, turns) = self.turns.insert(known.unwrap_or_else(|| {
            let exact = turns(&places, rotation, None, request.sizes().d_k);
            let turns = Tensor::of_matrix(batch.gpu(), exact.mapv(|x| x as f32).view());
            (places, turns)
        }));
        let kernels = [Kernel::Rotate, Kernel::RotateHalves];
        let (kernel, uniform) = turning(x, places.len(), request, rotation, kernels);
        batch.dispatch(
            kernel,
            uniform,
            &[&x.buffer, &turns.buffer],
            [u64::from(uniform.count), 1, 1],
        )
    }

    /// `E·K` or `F·V` for every batch entry and head.
    fn linformer_project(
        &self,
        batch: &mut Batch,
        request: &Request,
        which: usize,
        rows: Option<&Tensor>,
    ) -> Result<Option<Tensor>, GpuError> {
        let (Some(rows), Some(projections)) = (rows, &self.projections) else {
            return Ok(None);
        };
        let sizes = request.sizes();
        let slices = sizes.batch * sizes.kv_heads;
        let short = Tensor::new(batch.gpu(), slices * sizes.keys, rows.width);
        let uniform = shortening(&projections[which], rows.width, sizes.kv_heads);
        let matrix = &projections[which].buffer;
        let buffers = [matrix, &rows.buffer, matrix, &short.buffer];
        batch.dispatch(Kernel::Product, uniform, &buffers, uniform.extent(slices))?;
        Ok(Some(short))
    }

    /// Keys as the scores see them.
    pub(super) fn keys(&self) -> Option<&Tensor> {
        self.short_k.as_ref().or(self.k.as_ref())
    }

    /// Values as the weights see them.
    pub(super) fn values(&self) -> Option<&Tensor> {
        self.short_v.as_ref().or(self.v.as_ref())
    }
}

/// `x [batch·rows, d_model]` to heads `[batch·heads·rows, width]`.
pub(super) fn projection(
    x: &Tensor,
    made: &Tensor,
    heads: usize,
    batch: usize,
    map: &Projection,
) -> Product {
    let rows = x.rows / batch.max(1);
    let stride = made.stride();
    let operands = [
        Operand::of_entries(rows, x.stride()),
        Operand::of_columns(map.w.stride(), stride),
        Operand::of_heads(heads, rows, stride),
    ];
    Product {
        bias_inner: stride as u32,
        flags: if map.b.is_some() { Product::BIAS } else { 0 },
        ..Product::new([rows, x.width, made.width], heads, operands)
    }
}

/// `matrix [keys, m]` times rows `[batch·heads·m, width]`.
pub(super) fn shortening(matrix: &Tensor, width: usize, heads: usize) -> Product {
    let (keys, m, stride) = (matrix.rows, matrix.width, vectors(width));
    let operands = [
        Operand::shared(matrix.stride()),
        Operand::of_heads(heads, m, stride),
        Operand::of_heads(heads, keys, stride),
    ];
    Product::new([keys, m, width], heads, operands)
}

/// Refuses angles that the kernels do not know.
fn check_angles(request: &Request) -> Result<(), Error> {
    let is_divided = matches!(request.source(), Source::Layer { layer, .. } if layer.refinements().rotary_divisors.is_some());
    if is_divided {
        return Err(processor_only(
            "position",
            "rotary positions with divided angles",
        ));
    }
    Ok(())
}

/// The places of queries or keys: once for all heads and entries, or of each entry's heads where the entries differ.
pub(super) fn places_of(request: &Request, side: Side) -> Vec<i64> {
    let sizes = request.sizes();
    let (heads, rows) = match side {
        Side::KeysValues => (sizes.kv_heads, sizes.m),
        _ => (sizes.heads, sizes.n),
    };
    let places = request.call().places.all(side, rows);
    let copies = if places.len() == 1 { 1 } else { heads };
    let each = places.into_iter();
    each.flat_map(|of_entry| of_entry.repeat(copies)).collect()
}

/// Cosine and sine of every pair in the columns of the pair, `[places, d_k]`, with a divisor of each pair's angle, if any. Columns of no
/// pair stay as they are.
///
/// Computed on the host, because a shader's are not exact.
pub(super) fn turns(
    places: &[i64],
    rotation: Rotation,
    divisors: Option<&[f32]>,
    d_k: usize,
) -> Array2<f64> {
    let mut turns =
        Array2::from_shape_fn((places.len(), d_k.next_multiple_of(2)), |(_, column)| {
            f64::from(u8::from(column.is_multiple_of(2)))
        });
    for (mut turns, place) in turns.outer_iter_mut().zip(places) {
        for pair in 0..rotation.pair_count(d_k) {
            let [cosine, sine] = rotation.columns_of(pair, d_k);
            let divisor = divisors.map_or(1.0, |divisors| f64::from(divisors[pair]));
            let angle = rotation.angle(*place, pair, d_k) / divisor;
            (turns[sine], turns[cosine]) = libm::sincos(angle);
        }
    }
    turns
}

/// The kernel that rotates `x`, of the two for its kind of pairs, and its parameters: `rows` are those of the turns.
pub(super) fn turning(
    x: &Tensor,
    rows: usize,
    request: &Request,
    rotation: Rotation,
    [neighbours, halves]: [Kernel; 2],
) -> (Kernel, Vectors) {
    let each = positions(x, rows);
    let pairs = rotation.pair_count(request.sizes().d_k);
    match rotation.pairs {
        Pairs::Neighbours => (neighbours, each),
        Pairs::Halves => {
            let (count, heads) = ((x.rows * pairs) as u32, pairs as u32);
            (
                halves,
                Vectors {
                    count,
                    heads,
                    ..each
                },
            )
        }
    }
}

/// Parameters of kernels that visit every vector of `x`, `rows` of them per slice.
pub(super) fn positions(x: &Tensor, rows: usize) -> Vectors {
    Vectors {
        count: (x.rows * x.stride()) as u32,
        rows: rows as u32,
        width: x.stride() as u32,
        ..Vectors::default()
    }
}

/// The longest row of `x`, squared: one number of 32 bits.
pub(super) fn longest(batch: &mut Batch, x: &Tensor, result: &Buffer) -> Result<(), GpuError> {
    batch.clear(result);
    let uniform = Vectors {
        count: x.rows as u32,
        width: x.stride() as u32,
        ..Vectors::default()
    };
    batch.dispatch(
        Kernel::LongestRow,
        uniform,
        &[&x.buffer, result],
        [x.rows as u64, 1, 1],
    )
}

/// Refuses what has no kernel.
pub(super) fn processor_only(field: &str, what: &str) -> Error {
    let rule = "is computed on the processor only";
    Error::new(Code::BackendUnavailable, field, what, rule)
}
