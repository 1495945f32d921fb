//! Additive scores.

use crate::blocks::Blocks;
use crate::exp::{tanh, tanh_lanes};
use crate::simd::{F32x4, vectors};

/// `out[i, j] = Σ_c w_a[c]·tanh(q[i, c] + k[j, c])`: `q` `[rows, d_k]`, `k` `[keys, d_k]`, `w_a` `[d_k]`, `out` `[rows, keys]`. Where `blocks` are
/// given, entries whose block is not in them keep what they were.
///
/// Source: Bahdanau et al. 2015, with the projections already applied.
///
/// # Panics
/// If `blocks` is smaller than `out`.
pub fn additive_scores(
    q: &[f32],
    k: &[f32],
    w_a: &[f32],
    blocks: Option<&Blocks>,
    out: &mut [f32],
) {
    let width = w_a.len().max(1);
    let keys = k.len() / width;
    let rows = q.chunks_exact(width).zip(out.chunks_exact_mut(keys.max(1)));
    for (i, (q, out)) in rows.enumerate() {
        for (j, (k, out)) in k.chunks_exact(width).zip(out).enumerate() {
            if blocks.is_none_or(|blocks| blocks.contains(i, j)) {
                *out = score(q, k, w_a);
            }
        }
    }
}

#[inline(always)]
fn score(q: &[f32], k: &[f32], w_a: &[f32]) -> f32 {
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
