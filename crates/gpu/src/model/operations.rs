//! The kernels of models, each with what it is told.

use super::recorder::{Recorder, Rows};
use super::{DeviceModel, numbers::Numbers};
use crate::inputs::positions;
use crate::matmul_layout::Operand;
use crate::tensor::{Tensor, vectors};
use crate::uniforms::{Lines, Product};
use crate::{GpuError, Kernel};
use model::{Activation, LinearSlots, NormSlots, Slot};

/// The kind of norm that takes the mean off.
const LAYER_NORM: u32 = 1;

/// What is told of every vector of `rows`.
pub(super) fn lines_of(rows: &Tensor) -> Lines {
    Lines {
        count: (rows.rows * rows.stride()) as u32,
        rows: rows.rows as u32,
        columns: rows.width as u32,
        stride: rows.stride() as u32,
        ..Lines::default()
    }
}

/// One operation for every vector of `of`.
pub(super) fn each_vector(
    recorder: &mut Recorder,
    kernel: Kernel,
    uniform: Lines,
    buffers: &[&Tensor],
) -> Result<(), GpuError> {
    recorder.lines(kernel, uniform, buffers, uniform.count as usize)
}

/// `a + b`, of as many rows; or with the rows of `b` again and again.
pub(super) fn add(recorder: &mut Recorder, a: &Rows, b: &Tensor) -> Result<Rows, GpuError> {
    let sum = recorder.rows(a.rows, a.width)?;
    let uniform = positions(a, b.rows);
    let buffers = [&a.buffer, &b.buffer, &sum.buffer];
    let extent = [u64::from(uniform.count), 1, 1];
    let batch = recorder.batch();
    batch.dispatch(Kernel::AddPositions, uniform, &buffers, extent)?;
    Ok(sum)
}

/// `[slices, columns, rows]` of `[slices, rows, columns]`.
pub(super) fn transposed(
    recorder: &mut Recorder,
    x: &Rows,
    slices: usize,
) -> Result<Rows, GpuError> {
    let rows = x.rows / slices.max(1);
    let turned = recorder.rows(slices * x.width, rows)?;
    let uniform = Lines {
        count: (turned.rows * turned.stride()) as u32,
        rows: rows as u32,
        other: turned.stride() as u32,
        ..lines_of(x)
    };
    each_vector(recorder, Kernel::Transpose, uniform, &[x, &turned])?;
    Ok(turned)
}

/// `sum = Σ_rows x`, where `sum` has one row, or more of which the others stay.
pub(super) fn sum_rows(recorder: &mut Recorder, x: &Rows, sum: &Tensor) -> Result<(), GpuError> {
    recorder.lines(Kernel::SumRows, lines_of(x), &[x, sum], x.stride())
}

/// Sums of `group` blocks of rows each, from row `first` of `sums` on.
pub(super) fn sum_groups(
    recorder: &mut Recorder,
    x: &Rows,
    [group, block]: [usize; 2],
    (sums, first): (&Tensor, usize),
) -> Result<(), GpuError> {
    let uniform = Lines {
        count: (x.rows / group.max(1) * x.stride()) as u32,
        rows: (block * x.stride()) as u32,
        first: group as u32,
        other: (first * x.stride()) as u32,
        ..Lines::default()
    };
    each_vector(recorder, Kernel::SumGroups, uniform, &[x, sums])
}

/// `cap·tanh(x/cap)`.
pub(super) fn cap(recorder: &mut Recorder, x: &Rows, cap: f32) -> Result<Rows, GpuError> {
    let capped = recorder.rows(x.rows, x.width)?;
    let uniform = Lines {
        limit: cap,
        ..lines_of(x)
    };
    each_vector(recorder, Kernel::Cap, uniform, &[x, &capped])?;
    Ok(capped)
}

/// The gradient of a cap in place, from what it made.
pub(super) fn cap_back(
    recorder: &mut Recorder,
    capped: &Rows,
    d: &Rows,
    cap: f32,
) -> Result<(), GpuError> {
    let uniform = Lines {
        limit: cap,
        ..lines_of(d)
    };
    each_vector(recorder, Kernel::CapBack, uniform, &[capped, d])
}

/// `[batch·heads·n, columns]` of `[batch·n, heads·columns]`.
pub(super) fn split_heads(
    recorder: &mut Recorder,
    x: &Rows,
    [heads, n]: [usize; 2],
) -> Result<Rows, GpuError> {
    let columns = x.width / heads;
    let split = recorder.rows(x.rows * heads, columns)?;
    let uniform = Lines {
        count: (split.rows * split.stride()) as u32,
        rows: n as u32,
        columns: columns as u32,
        stride: x.stride() as u32,
        heads: heads as u32,
        other: split.stride() as u32,
        ..Lines::default()
    };
    each_vector(recorder, Kernel::SplitHeads, uniform, &[x, &split])?;
    Ok(split)
}

/// The reverse of [`split_heads`].
pub(super) fn join_heads(
    recorder: &mut Recorder,
    x: &Rows,
    [heads, n]: [usize; 2],
) -> Result<Rows, GpuError> {
    let joined = recorder.rows(x.rows / heads, heads * x.width)?;
    let uniform = Lines {
        count: (joined.rows * joined.stride()) as u32,
        rows: n as u32,
        columns: x.width as u32,
        stride: x.stride() as u32,
        heads: heads as u32,
        other: joined.stride() as u32,
        ..Lines::default()
    };
    each_vector(recorder, Kernel::JoinHeads, uniform, &[x, &joined])?;
    Ok(joined)
}

/// `a [rows, inner]·b [inner, columns]` into `c`.
pub(super) fn product_into(
    recorder: &mut Recorder,
    [a, b, c]: [&Tensor; 3],
) -> Result<(), GpuError> {
    let uniform = plain_product([a.rows, a.width, b.width], [a, b, c]);
    recorder.product(Kernel::Product, uniform, [a, b, b, c], 1)
}

fn plain_product(sizes: [usize; 3], operands: [&Tensor; 3]) -> Product {
    let operands = operands.map(|operand| Operand::shared(operand.stride()));
    Product::new(sizes, 1, operands)
}

/// `x·W`, or `x·Wᵀ`, for a tensor of the model whichever way its lines lie; with a bias.
fn mapped(
    recorder: &mut Recorder,
    numbers: &Numbers,
    x: &Rows,
    (w, is_transposed): (Slot, bool),
    bias: Option<Slot>,
) -> Result<Rows, GpuError> {
    let matrix = &numbers.of(recorder, w)?;
    let by_lines = is_transposed != numbers.has_columns(w);
    let (kernel, columns) = if by_lines {
        (Kernel::ProductTransposed, matrix.rows)
    } else {
        (Kernel::Product, matrix.width)
    };
    let made = recorder.rows(x.rows, columns)?;
    let bias = bias.map(|bias| numbers.of(recorder, bias)).transpose()?;
    let uniform = Product {
        flags: if bias.is_some() { Product::BIAS } else { 0 },
        ..plain_product([x.rows, x.width, columns], [x, matrix, &made])
    };
    let bias = bias.as_ref().unwrap_or(matrix);
    recorder.product(kernel, uniform, [x, matrix, bias, &made], 1)?;
    Ok(made)
}

impl DeviceModel {
    /// `x·W + b`.
    pub(super) fn linear(
        &self,
        recorder: &mut Recorder,
        x: &Rows,
        slots: LinearSlots,
    ) -> Result<Rows, GpuError> {
        mapped(recorder, &self.numbers, x, (slots.w, false), slots.b)
    }

    /// `x·W`.
    pub(super) fn multiply(
        &self,
        recorder: &mut Recorder,
        x: &Rows,
        w: Slot,
    ) -> Result<Rows, GpuError> {
        mapped(recorder, &self.numbers, x, (w, false), None)
    }

    /// `x·Wᵀ`.
    pub(super) fn multiply_transposed(
        &self,
        recorder: &mut Recorder,
        x: &Rows,
        w: Slot,
    ) -> Result<Rows, GpuError> {
        mapped(recorder, &self.numbers, x, (w, true), None)
    }

    /// Rows of any width, normalized by numbers of the model.
    pub(super) fn norm(
        &self,
        recorder: &mut Recorder,
        x: &Rows,
        slots: NormSlots,
    ) -> Result<Rows, GpuError> {
        let y = recorder.rows(x.rows, x.width)?;
        let scale = self.numbers.of(recorder, slots.scale)?;
        let shift = match slots.shift {
            Some(shift) => self.numbers.of(recorder, shift)?,
            None => scale.clone(),
        };
        let buffers: [&Tensor; 4] = [x, &scale, &shift, &y];
        recorder.lines(
            Kernel::NormRows,
            self.norm_lines(x, slots),
            &buffers,
            x.rows,
        )?;
        Ok(y)
    }

    pub(super) fn norm_lines(&self, x: &Tensor, slots: NormSlots) -> Lines {
        Lines {
            kind: if slots.shift.is_some() { LAYER_NORM } else { 0 },
            factor: self.config.epsilon,
            ..lines_of(x)
        }
    }

    /// `f(up)`, or `f(gate) ∘ up`.
    pub(super) fn activate(
        &self,
        recorder: &mut Recorder,
        up: &Rows,
        gate: Option<&Rows>,
    ) -> Result<Rows, GpuError> {
        let hidden = recorder.rows(up.rows, up.width)?;
        let uniform = self.activation(up, gate);
        let buffers: [&Tensor; 3] = [up, gate.unwrap_or(up), &hidden];
        each_vector(recorder, Kernel::Activate, uniform, &buffers)?;
        Ok(hidden)
    }

    pub(super) fn activation(&self, up: &Tensor, gate: Option<&Rows>) -> Lines {
        Lines {
            kind: match self.config.activation {
                Activation::Relu => 0,
                Activation::Gelu => 1,
                Activation::GeluTanh => 2,
                Activation::Silu => 3,
            },
            first: u32::from(gate.is_some()),
            ..lines_of(up)
        }
    }
}

/// The layout of `[batch, heads, n, columns]`, one matrix for each head.
pub(super) fn heads_operand(heads: usize, n: usize, columns: usize) -> Operand {
    Operand::of_heads(heads, n, vectors(columns))
}
