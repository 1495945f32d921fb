//! Scores of a tile of query rows against all keys of one head.

use kernels::additive_score;
use ndarray::{ArrayView2, ArrayViewMut2};

/// `out[i, j] = Σ_c q[i, c]·k[j, c]`: `q` `[rows, d_k]`, `k` `[keys, d_k]`, `out` `[rows, keys]`.
pub(super) fn dot(q: ArrayView2<f32>, k: ArrayView2<f32>, out: ArrayViewMut2<f32>) {
    super::matmul::multiply(q, k.reversed_axes(), out);
}

/// `out[i, j] = Σ_c w_a[c]·tanh(q[i, c] + k[j, c])`; shapes as in [`dot`], `w_a` `[d_k]`. Rows are contiguous.
pub(super) fn additive(
    q: ArrayView2<f32>,
    k: ArrayView2<f32>,
    w_a: &[f32],
    mut out: ArrayViewMut2<f32>,
) {
    for (i, q) in q.outer_iter().enumerate() {
        for (j, k) in k.outer_iter().enumerate() {
            if let (Some(q), Some(k)) = (q.as_slice(), k.as_slice()) {
                out[[i, j]] = additive_score(q, k, w_a);
            }
        }
    }
}
