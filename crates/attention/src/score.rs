//! Scores of queries against keys.

/// How a query and a key are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scoring {
    /// `scale · Σ_c q[c]·k[c]` (Vaswani et al. 2017, eq. 1; `scale = 1/√d_k` unless another is given).
    #[default]
    Dot,
    /// `Σ_c w_a[c]·tanh(q[c] + k[c])`, never scaled (Bahdanau et al. 2015, §A.1.2).
    Additive,
}

/// `1/√d_k`, the factor of Vaswani et al. 2017, §3.2.1. `d_k` is at least 1.
pub fn default_scale(d_k: usize) -> f32 {
    (1.0 / (d_k as f64).sqrt()) as f32
}

/// `Σ_c q[c]·k[c]` in 64 bit.
pub(crate) fn dot(q: &[f64], k: &[f64]) -> f64 {
    q.iter().zip(k).map(|(q, k)| q * k).sum()
}

/// `Σ_c w_a[c]·tanh(q[c] + k[c])` in 64 bit.
pub(crate) fn additive(q: &[f64], k: &[f64], w_a: &[f64]) -> f64 {
    q.iter()
        .zip(k)
        .zip(w_a)
        .map(|((q, k), a)| a * libm::tanh(q + k))
        .sum()
}
