//! `Y = X·W + b`, a block of outputs at a time.

use std::ops::Range;

use kernels::multiply_lines;

use crate::layout::LinearSlots;
use crate::numbers::Numbers;
use crate::part::linear::add_to_rows;
use attention::{Code, Error};

/// Numbers that are widened at a time: 64 KiB, which stay in the second-level cache while the rows pass by.
const BLOCK: usize = 1 << 14;
/// The least outputs of a block.
const LEAST: usize = 8;

/// `Y`, `[rows, out]`.
pub(super) fn linear(x: &[f32], slots: LinearSlots, numbers: &Numbers) -> Vec<f32> {
    let (inner, outputs) = (slots.w.rows, slots.w.columns);
    let mut y = vec![0.0; x.len() / inner * outputs];
    into(x, inner, &mut y, outputs, |which, out| {
        numbers.outputs(slots.w, which, out);
    });
    if let Some(b) = slots.b {
        add_to_rows(&mut y, &numbers.vector(b));
    }
    y
}

/// `[rows, inner]` times the `outputs` lines, `[inner]`, that `lines` writes: `[rows, outputs]`.
pub(super) fn into(
    x: &[f32],
    inner: usize,
    y: &mut [f32],
    outputs: usize,
    lines: impl Fn(Range<usize>, &mut [f32]),
) {
    if x.is_empty() {
        return;
    }
    by_blocks(inner, outputs, lines, |first, block| {
        multiply_lines(x, block, inner, y, outputs, first);
    });
}

/// Calls `take` with the `outputs` lines, `[inner]`, that `lines` writes, a block at a time, and with the number of its first.
pub(crate) fn by_blocks(
    inner: usize,
    outputs: usize,
    lines: impl Fn(Range<usize>, &mut [f32]),
    mut take: impl FnMut(usize, &[f32]),
) {
    let most = (BLOCK / inner).max(LEAST) / LEAST * LEAST;
    let mut block = vec![0.0; most.min(outputs) * inner];
    for first in (0..outputs).step_by(most) {
        let which = first..outputs.min(first + most);
        let block = &mut block[..which.len() * inner];
        lines(which, block);
        take(first, block);
    }
}

/// As many zeros as `shape` has places.
pub(super) fn reserved(field: &str, shape: &[usize]) -> Result<Vec<f32>, Error> {
    let refuse = || {
        let rule = "does not fit into memory";
        Error::new(Code::TooLarge, field, format!("{shape:?}"), rule)
    };
    let length = shape
        .iter()
        .try_fold(1usize, |product, axis| product.checked_mul(*axis));
    let length = length.ok_or_else(refuse)?;
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(length).map_err(|_| refuse())?;
    zeros.resize(length, 0.0);
    Ok(zeros)
}
