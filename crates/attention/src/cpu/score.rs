//! Additive scores of a tile of query rows against all keys of one head.

use kernels::{Blocks, additive_score};
use ndarray::{ArrayView2, ArrayViewMut2};

/// `out[i, j] = Σ_c w_a[c]·tanh(q[i, c] + k[j, c])`: `q` `[rows, d_k]`, `k` `[keys, d_k]`, `w_a` `[d_k]`, `out` `[rows, keys]`. Where `blocks`
/// are given, cells outside of them keep what they were. Rows are contiguous.
pub(super) fn additive(
    q: ArrayView2<f32>,
    k: ArrayView2<f32>,
    w_a: &[f32],
    blocks: Option<&Blocks>,
    mut out: ArrayViewMut2<f32>,
) {
    for (i, q) in q.outer_iter().enumerate() {
        for (j, k) in k.outer_iter().enumerate() {
            if blocks.is_some_and(|blocks| !blocks.contains(i, j)) {
                continue;
            }
            if let (Some(q), Some(k)) = (q.as_slice(), k.as_slice()) {
                out[[i, j]] = additive_score(q, k, w_a);
            }
        }
    }
}
