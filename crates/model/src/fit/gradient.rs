//! How far the mean weights of some heads are from a target, and which scores would bring them nearer.
//!
//! Of row `i`, with `H` heads and `R` rows that take part:
//!
//! ```text
//! A_ij    = Σ_h A_hij/H                               the mean of the heads' softmaxes
//! D       = Σ_i Σ_j T_ij·ln(T_ij/A_ij)/R              the distance, in nats (Kullback and Leibler 1951)
//! dA_hij  = −T_ij/(R·H·A_ij)
//! dS_hij  = A_hij·(dA_hij − Σ_k dA_hik·A_hik)         the softmax
//!         = (A_hij·Σ_k T_ik·r_hik − T_ij·r_hij)/R     with r_hij = A_hij/Σ_g A_gij, the share of head h in cell ij
//! ```
//!
//! For one head `r` is 1, and `dS = (A − T)/R`, as for a cross-entropy. Shares are made of logarithms, so that neither a weight too small for
//! its type nor a quotient of two of them stands in the way.

use super::Target;

/// Distance of some scores from the target, with their weights and gradients.
#[derive(Debug, Clone)]
pub(super) struct Compared {
    /// In nats.
    pub(super) distance: f64,
    /// The mean of all heads, `[n, n]`.
    pub(super) weights: Vec<f32>,
    /// `dS` of each head, `[n, n]`.
    pub(super) score_gradients: Vec<Vec<f32>>,
}

impl Compared {
    /// `scores`, `[n, n]` of each head, beside a target.
    pub(super) fn new(scores: &[Vec<f32>], target: &Target) -> Self {
        let (n, heads) = (target.length(), scores.len());
        let mut compared = Self {
            distance: 0.0,
            weights: vec![0.0; n * n],
            score_gradients: vec![vec![0.0; n * n]; heads],
        };
        let painted = target.painted().max(1) as f64;
        for (row, wanted) in target.rows().enumerate() {
            let cells = row * n..(row + 1) * n;
            let logs: Vec<_> = scores
                .iter()
                .map(|scores| log_softmax(&scores[cells.clone()]))
                .collect();
            let mean = log_mean(&logs);
            for (weight, log) in compared.weights[cells.clone()].iter_mut().zip(&mean) {
                *weight = libm::exp(*log) as f32;
            }
            let Some(wanted) = wanted else { continue };
            compared.distance += divergence(wanted, &mean) / painted;
            for (logs, ds) in logs.iter().zip(&mut compared.score_gradients) {
                score_gradient(wanted, logs, &mean, heads as f64, &mut ds[cells.clone()]);
                ds[cells.clone()]
                    .iter_mut()
                    .for_each(|ds| *ds = (f64::from(*ds) / painted) as f32);
            }
        }
        compared
    }
}

/// `s_j − max − ln Σ_k exp(s_k − max)`.
fn log_softmax(scores: &[f32]) -> Vec<f64> {
    let scores = || scores.iter().map(|score| f64::from(*score));
    let largest = scores().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = scores().map(|score| libm::exp(score - largest)).sum();
    let end = largest + libm::log(sum);
    scores().map(|score| score - end).collect()
}

/// The logarithm of the mean of what `logs` are the logarithms of, head by head.
fn log_mean(logs: &[Vec<f64>]) -> Vec<f64> {
    let [first, others @ ..] = logs else {
        return Vec::new();
    };
    if others.is_empty() {
        return first.clone();
    }
    let cell = |at: usize| {
        let heads = || logs.iter().map(|head| head[at]);
        let largest = heads().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = heads().map(|log| libm::exp(log - largest)).sum();
        largest + libm::log(sum / logs.len() as f64)
    };
    (0..first.len()).map(cell).collect()
}

/// `KL(T_i‖A_i)` of the logarithms of a row's weights; a cell that is not wanted adds nothing.
fn divergence(wanted: &[f32], log_weights: &[f64]) -> f64 {
    let cells = wanted.iter().zip(log_weights);
    let cells = cells.filter(|(wanted, _)| **wanted > 0.0);
    cells
        .map(|(wanted, log)| f64::from(*wanted) * (libm::log(f64::from(*wanted)) - log))
        .sum()
}

/// `R·dS` of one head's row.
fn score_gradient(wanted: &[f32], logs: &[f64], mean: &[f64], heads: f64, ds: &mut [f32]) {
    let shares: Vec<f64> = (wanted.iter().zip(logs.iter().zip(mean)))
        .map(|(wanted, (log, mean))| match f64::from(*wanted) {
            0.0 => 0.0,
            wanted => wanted * libm::exp(log - mean) / heads,
        })
        .collect();
    let own: f64 = shares.iter().sum();
    for ((ds, log), share) in ds.iter_mut().zip(logs).zip(shares) {
        *ds = (libm::exp(*log) * own - share) as f32;
    }
}
