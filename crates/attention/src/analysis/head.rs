//! The measures of one head.

use std::ops::Range;

use kernels::{are_shares, first_largest};

use crate::plan::WeightRow;

/// Bins of the histogram of weights, each 0.05 wide.
pub const BINS: usize = 20;

/// Measures of one head's weights. Means over no cells or rows are 0.
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

/// `−Σ_j w[j]·ln w[j]` in nats over the weights above 0 (Shannon 1948, §6). A row of zeros has entropy 0. Rows of a softmax are measured by
/// vectors; imported weights may lie anywhere, and are added in 64 bits.
pub fn entropy(weights: &[f32]) -> f64 {
    if are_shares(weights) {
        return kernels::entropy(weights);
    }
    let wide = weights.iter().map(|w| f64::from(*w));
    let terms = wide.filter(|w| *w > 0.0).map(|w| w * libm::log(w));
    // Subtracting from zero gives a row with one key +0, not −0.
    0.0 - terms.sum::<f64>()
}

/// `Σ_j w[j]`.
pub(super) fn sum(weights: &[f32]) -> f64 {
    if are_shares(weights) {
        return kernels::sum(weights);
    }
    weights.iter().map(|w| f64::from(*w)).sum()
}

/// The bin of [`HeadStats::histogram`] that a weight in 0 … 1 is counted in.
pub fn bin_of(weight: f32) -> usize {
    kernels::bin_of::<BINS>(weight)
}

/// The largest weight of a key other than the row's query; the first on ties.
pub(super) fn most_attended_other(row: &WeightRow) -> Option<(usize, f32)> {
    let [before, after] = others(row).map(|(first, part)| {
        let key = first_largest(part)?;
        Some((first + key, part[key]))
    });
    match (before, after) {
        (Some((_, before)), Some((key, after))) if after > before => Some((key, after)),
        (None, after) => after,
        (before, _) => before,
    }
}

/// The weights that may differ from 0 of the keys before and after the row's query, each with the key of the first.
pub(super) fn others<'a>(row: &WeightRow<'a>) -> [(usize, &'a [f32]); 2] {
    let Range { start, end } = row.support;
    let before = start..row.query.clamp(start, end);
    let after = (row.query + 1).clamp(start, end)..end;
    [before, after].map(|keys| (keys.start, &row.weights[keys]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(query: usize, weights: &[f32], support: Range<usize>) -> WeightRow<'_> {
        WeightRow {
            batch: 0,
            head: 0,
            query,
            weights,
            support,
        }
    }

    #[test]
    fn the_first_of_the_largest_others_is_found() {
        let weights = [0.2, 0.3, 0.0, 0.3, 0.2];
        let found = |query| most_attended_other(&row(query, &weights, 0..5));
        assert_eq!(
            [0, 1, 2].map(found),
            [Some((1, 0.3)), Some((3, 0.3)), Some((1, 0.3))]
        );
        assert_eq!([3, 4, 7].map(found), [Some((1, 0.3)); 3]);
        let of =
            |query, weights: &[f32]| most_attended_other(&row(query, weights, 0..weights.len()));
        assert_eq!(of(1, &[0.0, 1.0, 0.0]), None);
        assert_eq!(of(0, &[0.0, 0.0, 0.5]), Some((2, 0.5)));
        assert_eq!(of(0, &[]), None);
    }

    #[test]
    fn imported_weights_below_0_and_beyond_1_are_added_in_64_bits() {
        let row = [0.5, -0.05, 0.25, 0.0];
        let wanted = -(0.5 * 0.5_f64.ln() + 0.25 * 0.25_f64.ln());
        assert!((entropy(&row) - wanted).abs() < 1e-12);
        let large = [3e38, 3e38, -1.0];
        assert!(entropy(&large).is_finite() && sum(&large) > 5.9e38);
    }

    #[test]
    fn the_others_are_those_of_the_support_but_the_query() {
        let weights = [0.0, 0.0, 0.5, 0.5, 0.0];
        for (query, wanted) in [
            (0, [0..0, 0..2]),
            (2, [0..0, 1..2]),
            (3, [0..1, 0..0]),
            (4, [0..2, 0..0]),
        ] {
            let found = others(&row(query, &weights, 2..4)).map(|(_, part)| part.len());
            assert_eq!(found, wanted.map(|keys| keys.len()), "query {query}");
        }
        let places = others(&row(2, &weights, 2..4)).map(|(first, _)| first);
        assert_eq!(places, [2, 3]);
        let nothing = others(&row(3, &weights, 0..0)).map(|(_, part)| part.len());
        assert_eq!(nothing, [0, 0]);
    }
}
