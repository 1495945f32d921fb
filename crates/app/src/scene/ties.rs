//! Ties: numbers that are equal up to rounding are written alike and reported as ties.

use attention::sort;

/// Weights that lie this close together are written alike, with three digits.
pub const NEAR: f32 = 1e-4;

/// Weights whose two digits after the point do not tell them apart.
const ALIKE: f32 = 0.005;

/// Weights are as good as equal within [`ALIKE`], and within this share of the larger one: in long texts all weights are small.
const SHARE: f32 = 0.05;

/// Whether two weights are as good as equal where they are written with two digits after the point.
pub fn is_tie(one: f32, other: f32) -> bool {
    (one - other).abs() <= ALIKE.min(SHARE * one.abs().max(other.abs()))
}

/// Weights of which the largest is at most so many times the smallest are as good as even.
pub const EVEN: f32 = 1.02;

/// Whether several weights are as good as even.
pub fn are_even(weights: impl Iterator<Item = f32>) -> bool {
    let (count, low, high) = weights
        .fold((0, f32::INFINITY, 0.0_f32), |(count, low, high), own| {
            (count + 1, low.min(own), high.max(own))
        });
    count > 1 && high <= EVEN * low
}

/// Each number, or the smallest one that lies no more than `near` below it: 0.125 is no 0.12 beside a 0.13 because one of
/// them was rounded up and the other down.
pub fn round_ties_alike(numbers: &[f32], near: f32) -> Vec<f32> {
    let order = sort::argsort(numbers.len(), &mut |one, other| {
        numbers[one].total_cmp(&numbers[other])
    });
    let mut settled = numbers.to_vec();
    let mut first = f32::NEG_INFINITY;
    for at in order {
        if numbers[at] - first > near {
            first = numbers[at];
        }
        settled[at] = if first.is_finite() {
            first
        } else {
            numbers[at]
        };
    }
    settled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_as_good_as_equal_become_one() {
        let row = [0.125_000_1, 0.3, 0.124_999_9, 0.300_05, 0.300_2, 0.0];
        assert_eq!(
            round_ties_alike(&row, NEAR),
            [0.124_999_9, 0.3, 0.124_999_9, 0.3, 0.300_2, 0.0]
        );
        assert_eq!(round_ties_alike(&[], NEAR), [0.0; 0]);
        let odd = round_ties_alike(&[f32::NAN, f32::INFINITY, 1.0, f32::NEG_INFINITY], NEAR);
        assert!(odd[0].is_nan() && odd[1..] == [f32::INFINITY, 1.0, f32::NEG_INFINITY]);
    }

    #[test]
    fn a_row_is_even_where_several_weights_are() {
        let are_even = |row: &[f32]| are_even(row.iter().copied());
        assert!(are_even(&[0.09, 0.091, 0.09]) && are_even(&[0.5, 0.5]));
        assert!(!are_even(&[0.09, 0.1]) && !are_even(&[1.0]) && !are_even(&[]));
    }

    #[test]
    fn small_weights_are_not_alike_for_being_small() {
        assert!(is_tie(0.107_43, 0.107_38) && is_tie(0.0, 0.0));
        assert!(is_tie(0.333, 0.332) && is_tie(0.5, 0.500_2));
        assert!(!is_tie(0.000_2, 0.000_15) && !is_tie(0.5, 0.506) && !is_tie(0.02, 0.018));
    }
}
