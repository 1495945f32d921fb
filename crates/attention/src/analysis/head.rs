//! The measures of one head.

/// Bins of the histogram of weights, each 0.05 wide.
pub const BINS: usize = 20;

/// What can be read off one head's weights. Means over no cells or rows are 0.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HeadStats {
    /// Mean of `A[i, i]` over the cells on the diagonal.
    pub diagonal_mean: f64,
    /// Mean of `A[i, j]`, `i ≠ j`: over `n·n − n` cells in self-attention.
    pub off_diagonal_mean: f64,
    /// [`entropy`] of each query's row, in nats.
    pub entropy_per_query: Vec<f64>,
    /// Mean of `entropy_per_query`.
    pub entropy_mean: f64,
    /// How many of all cells lie in each twentieth of 0 … 1; a weight of exactly 1 falls into the last bin.
    pub histogram: [u32; BINS],
    /// The other key (`j ≠ i`) with the largest weight and that weight; the first on ties, `None` where every other
    /// key has weight 0.
    pub most_attended_other: Vec<Option<(usize, f32)>>,
    /// `A[i, i]`; 0 where no key has the query's position.
    pub self_weight: Vec<f32>,
}

/// `−Σ_j w[j]·ln w[j]` in nats, 0·ln 0 being 0 (Shannon 1948, §6). A row of zeros has entropy 0.
pub fn entropy(weights: &[f32]) -> f64 {
    let terms = weights
        .iter()
        .map(|w| f64::from(*w))
        .filter(|w| *w > 0.0)
        .map(|w| w * libm::log(w));
    // Subtracting from zero gives a row with one key +0, not −0.
    0.0 - terms.sum::<f64>()
}

/// The bin of [`HeadStats::histogram`] that a weight in 0 … 1 is counted in.
pub fn bin_of(weight: f32) -> usize {
    ((weight * BINS as f32) as usize).min(BINS - 1)
}

/// The largest weight of a key other than `query`.
pub(super) fn most_attended_other(query: usize, weights: &[f32]) -> Option<(usize, f32)> {
    let others = weights
        .iter()
        .copied()
        .enumerate()
        .filter(|(key, weight)| *key != query && *weight > 0.0);
    others.fold(None, |best, (key, weight)| match best {
        Some((_, most)) if weight <= most => best,
        _ => Some((key, weight)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_holds_what_is_less_than_its_upper_end_and_the_last_one_holds_1() {
        let weights = [0.0, 0.04, 0.06, 0.49, 0.5, 0.94, 0.96, 1.0];
        assert_eq!(weights.map(bin_of), [0, 0, 1, 9, 10, 18, 19, 19]);
    }
}
