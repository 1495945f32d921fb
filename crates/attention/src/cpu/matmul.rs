//! Matrix products of `kernels` on `ndarray`'s views.

use std::borrow::Cow;

use kernels::{Packed, multiply};
use ndarray::{Array1, ArrayView2, ArrayViewMut2};

use crate::Linear;

/// The rows one after the other: copied where they are not.
pub(super) fn contiguous(rows: ArrayView2<'_, f32>) -> Cow<'_, [f32]> {
    match rows.to_slice() {
        Some(rows) => Cow::Borrowed(rows),
        None => Cow::Owned(rows.iter().copied().collect()),
    }
}

/// The numbers of a view of an array of our own, whose rows lie one after the other.
pub(super) fn contiguous_mut(rows: ArrayViewMut2<'_, f32>) -> &mut [f32] {
    rows.into_slice().unwrap_or_default()
}

/// Packs `[inner, columns]`.
pub(super) fn pack(matrix: ArrayView2<f32>) -> Packed {
    Packed::from_rows(&contiguous(matrix), matrix.ncols(), 0, matrix.ncols())
}

/// Packs `[columns, inner]` as its transpose.
pub(super) fn pack_transposed(rows: ArrayView2<f32>) -> Packed {
    Packed::from_transposed(&contiguous(rows), rows.nrows(), rows.ncols())
}

/// Packs the columns of `linear`, those of each head by themselves.
pub(super) fn pack_heads(linear: &Linear, heads: usize) -> Vec<Packed> {
    let (w, columns) = (contiguous(linear.w.view()), linear.w.ncols());
    let width = columns / heads;
    (0..heads)
        .map(|head| Packed::from_rows(&w, columns, head * width, width))
        .collect()
}

/// `out = x·w + b`: `x` `[rows, in]`, `w` `[in, out]`; `b` is columns `first …` of a bias, or nothing.
pub(super) fn project(
    x: &[f32],
    w: &Packed,
    bias: Option<&Array1<f32>>,
    first: usize,
    out: &mut [f32],
) {
    multiply(x, w, out);
    let Some(bias) = bias else { return };
    for row in out.chunks_exact_mut(w.columns().max(1)) {
        for (out, b) in row.iter_mut().zip(bias.iter().skip(first)) {
            *out += b;
        }
    }
}
