//! Additive scores.

use crate::exp::{tanh, tanh_lanes};
use crate::simd::{F32x4, vectors};

/// `Σ_c w_a[c]·tanh(q[c] + k[c])`: the additive score of one query and one key, all `[d_k]`.
///
/// Source: Bahdanau et al. 2015, with the projections already applied.
pub fn additive_score(q: &[f32], k: &[f32], w_a: &[f32]) -> f32 {
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
