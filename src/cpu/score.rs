//! Scores of a tile of query rows against all keys of one head.

use ndarray::{ArrayView2, ArrayViewMut2};

use super::exp::{tanh, tanh_lanes};
use super::lanes::{F32x4, vectors};

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
                out[[i, j]] = additive_pair(q, k, w_a);
            }
        }
    }
}

fn additive_pair(q: &[f32], k: &[f32], w_a: &[f32]) -> f32 {
    let ((q, q_rest), (k, k_rest), (a, a_rest)) = (vectors(q), vectors(k), vectors(w_a));
    let sum = q.zip(k).zip(a).fold(F32x4::splat(0.0), |sum, ((q, k), a)| {
        sum.add(tanh_lanes(q.add(k)).mul(a))
    });
    let rest: f32 = q_rest
        .iter()
        .zip(k_rest)
        .zip(a_rest)
        .map(|((q, k), a)| tanh(q + k) * a)
        .sum();
    sum.sum() + rest
}
