//! Matrix products, computed by `ndarray`.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView1, ArrayView2, ArrayViewMut2};

/// `out = x·w + b`: `x` `[rows, in]`, `w` `[in, out]`, `b` `[out]` or nothing.
pub(super) fn project(
    x: ArrayView2<f32>,
    w: ArrayView2<f32>,
    b: Option<ArrayView1<f32>>,
    mut out: ArrayViewMut2<f32>,
) {
    match b {
        None => general_mat_mul(1.0, &x, &w, 0.0, &mut out),
        Some(b) => {
            out.rows_mut()
                .into_iter()
                .for_each(|mut row| row.assign(&b));
            general_mat_mul(1.0, &x, &w, 1.0, &mut out);
        }
    }
}

/// `out = a·b`: `[rows, inner]·[inner, columns]`.
pub(super) fn multiply(a: ArrayView2<f32>, b: ArrayView2<f32>, mut out: ArrayViewMut2<f32>) {
    general_mat_mul(1.0, &a, &b, 0.0, &mut out);
}
