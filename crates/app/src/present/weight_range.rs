//! The ends between which the weights of a head lie, and the sums of its rows.

use super::mask_bits::MaskBits;
use crate::state::imported::rounding::row_tolerance;

/// The smallest and the largest of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightRange {
    /// Of the cells that can have weight; `None` where none can.
    pub weights: Option<[f32; 2]>,
    /// Of the sums of rows; zeros where there are no rows.
    pub sums: [f64; 2],
    /// Whether the rows are distributions, so that they have an entropy.
    pub are_distributions: bool,
}

impl WeightRange {
    /// Of the weights of a head with `keys` columns.
    pub fn new(weights: &[f32], keys: usize, mask: &MaskBits) -> Self {
        let rows = weights.chunks_exact(keys.max(1));
        let seen = rows.clone().enumerate().flat_map(|(query, row)| {
            let cells = row.iter().enumerate();
            cells.filter_map(move |(key, weight)| mask.reaches(query, key).then_some(*weight))
        });
        Self {
            are_distributions: are_distributions(weights, keys),
            weights: ends(seen, f32::min, f32::max),
            sums: ends(rows.map(total), f64::min, f64::max).unwrap_or_default(),
        }
    }
}

/// Whether every row sums to 1 as well as the rounding of the weights allows, or is empty, and none has weights below 0.
pub fn are_distributions(weights: &[f32], keys: usize) -> bool {
    let tolerance = row_tolerance(weights.iter(), keys);
    let is_one = |row: &[f32]| {
        let sum = total(row);
        (sum - 1.0).abs() <= tolerance || sum == 0.0
    };
    let is_positive = weights.iter().all(|weight| *weight >= 0.0);
    is_positive && weights.chunks_exact(keys.max(1)).all(is_one)
}

/// The sum of a row in 64 bits.
pub fn total(row: &[f32]) -> f64 {
    row.iter().map(|weight| f64::from(*weight)).sum()
}

fn ends<T: Copy>(
    mut numbers: impl Iterator<Item = T>,
    min: fn(T, T) -> T,
    max: fn(T, T) -> T,
) -> Option<[T; 2]> {
    let first = numbers.next()?;
    Some(numbers.fold([first; 2], |[least, most], number| {
        [min(least, number), max(most, number)]
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{State, url};

    #[test]
    fn hidden_weights_have_no_say_and_rows_are_summed_whole() {
        let causal = MaskBits::new(&url::parse("mask=causal").0, 2, 2);
        let range = WeightRange::new(&[1.0, 0.0, 0.25, 0.5], 2, &causal);
        assert_eq!(range.weights, Some([0.25, 1.0]));
        assert_eq!(range.sums, [0.75, 1.0]);
        let none = WeightRange::new(&[], 0, &MaskBits::new(&State::default(), 0, 0));
        assert_eq!((none.weights, none.sums), (None, [0.0; 2]));
        assert!(none.are_distributions && !range.are_distributions);
    }

    #[test]
    fn only_rows_that_sum_to_one_or_are_empty_are_distributions() {
        for (weights, wanted) in [
            ([0.5, 0.5, 0.0, 0.0], true),
            ([0.5, 0.5, 0.5, 0.4], false),
            ([0.5, 0.5, -0.4, 1.4], false),
            ([0.5, 0.5, 0.0, 1.25], false),
        ] {
            assert_eq!(are_distributions(&weights, 2), wanted, "{weights:?}");
        }
    }

    #[test]
    fn rows_of_a_short_type_are_distributions_as_far_as_it_tells() {
        // Rounded to bfloat16 by PyTorch: they sum to 1.0029.
        let brain = [0.699_218_75, 0.203_125, 0.100_585_94];
        assert!(are_distributions(&brain, 3));
        // The same sum in numbers of 32 bits.
        assert!(!are_distributions(&[0.699_21, 0.203_12, 0.100_6], 3));
    }
}
