//! `Y = X·W + b`, and
//!
//! ```text
//! dX = dY·Wᵀ        [rows, in]
//! dW = Xᵀ·dY        [in, out]
//! db = Σ_rows dY    [out]
//! ```

use kernels::{Packed, multiply};

use crate::layout::{LinearSlots, Slot};

/// `Y`, `[rows, out]`.
pub(crate) fn forward(x: &[f32], slots: LinearSlots, numbers: &[f32]) -> Vec<f32> {
    let mut y = product(x, slots.w, numbers);
    if let Some(b) = slots.b {
        add_to_rows(&mut y, b.of(numbers));
    }
    y
}

/// Returns `dX` and adds `dW` and `db` to `gradients`.
pub(crate) fn backward(
    x: &[f32],
    dy: &[f32],
    slots: LinearSlots,
    numbers: &[f32],
    gradients: &mut [f32],
) -> Vec<f32> {
    add_weight_gradient(x, dy, slots.w, gradients);
    if let Some(b) = slots.b {
        add_rows(dy, b.of_mut(gradients));
    }
    product_transposed(dy, slots.w, numbers)
}

/// `X·W`.
pub(crate) fn product(x: &[f32], w: Slot, numbers: &[f32]) -> Vec<f32> {
    let packed = Packed::from_rows(w.of(numbers), w.columns, 0, w.columns);
    multiplied(x, w.rows, &packed)
}

/// `Y·Wᵀ`.
pub(crate) fn product_transposed(y: &[f32], w: Slot, numbers: &[f32]) -> Vec<f32> {
    let packed = Packed::from_transposed(w.of(numbers), w.rows, w.columns);
    multiplied(y, w.columns, &packed)
}

/// Adds `Xᵀ·dY` to a matrix's gradient.
pub(crate) fn add_weight_gradient(x: &[f32], dy: &[f32], w: Slot, gradients: &mut [f32]) {
    let packed = Packed::from_rows(dy, w.columns, 0, w.columns);
    let product = multiplied(&transposed(x, w.rows), x.len() / w.rows, &packed);
    add(w.of_mut(gradients), &product);
}

/// `[rows, inner]` times a packed matrix.
fn multiplied(a: &[f32], inner: usize, b: &Packed) -> Vec<f32> {
    let rows = a.len().checked_div(inner).unwrap_or(0);
    let mut out = vec![0.0; rows * b.columns()];
    multiply(a, b, &mut out);
    out
}

/// `a ← a + b`.
pub(crate) fn add(a: &mut [f32], b: &[f32]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
}

/// Adds `b` to each row.
pub(crate) fn add_to_rows(rows: &mut [f32], b: &[f32]) {
    rows.chunks_exact_mut(b.len()).for_each(|row| add(row, b));
}

pub(crate) fn add_rows(rows: &[f32], sum: &mut [f32]) {
    rows.chunks_exact(sum.len()).for_each(|row| add(sum, row));
}

/// `[width, rows]` of `[rows, width]`.
pub(crate) fn transposed(x: &[f32], width: usize) -> Vec<f32> {
    let rows = x.len() / width;
    let mut out = vec![0.0; x.len()];
    for (row, x) in x.chunks_exact(width).enumerate() {
        for (column, x) in x.iter().enumerate() {
            out[column * rows + row] = *x;
        }
    }
    out
}
