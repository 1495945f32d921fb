//! Matrix products of `kernels` on `ndarray`'s views.

use std::borrow::Cow;

use kernels::{Packed, multiply};
use ndarray::{Array1, ArrayView2, ArrayViewMut2, s};

use super::share::Share;
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

/// Packs the rows of `W_O`, `[heads·d_v, d_out]`, that belong to each group of heads whose part of the output is one product.
pub(super) fn pack_groups(linear: &Linear, heads: usize) -> Vec<Packed> {
    let width = linear.w.nrows() / heads;
    let groups = Share::All.output_groups(heads).into_iter();
    let rows = groups.map(|group| group.start * width..group.end * width);
    rows.map(|rows| pack(linear.w.slice(s![rows, ..])))
        .collect()
}

/// Rows of a product that are added to others while they are in the first-level cache.
const FEW_ROWS: usize = 16;

/// `out += x·w`, shapes as in [`project`].
pub(super) fn add_product(x: &[f32], w: &Packed, out: &mut [f32]) {
    let (inner, columns) = (w.inner().max(1), w.columns().max(1));
    let mut part = vec![0.0; FEW_ROWS * columns];
    let rows = x.chunks(FEW_ROWS * inner);
    for (x, out) in rows.zip(out.chunks_mut(FEW_ROWS * columns)) {
        let part = &mut part[..out.len()];
        multiply(x, w, part);
        for (out, part) in out.iter_mut().zip(part) {
            *out += *part;
        }
    }
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
