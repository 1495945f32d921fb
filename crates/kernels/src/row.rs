//! Measures of one row of weights.

use crate::log::log_lanes;
use crate::simd::{F32x4, LANES, largest_of, vectors};

/// Whether all weights lie in 0 … 1, as those of a softmax do; not where one is NaN.
pub fn are_shares(row: &[f32]) -> bool {
    let (whole, rest) = vectors(row);
    let (zero, one) = (F32x4::splat(0.0), F32x4::splat(1.0));
    // 0 in lanes of weights in 0 … 1, and what they lie beyond elsewhere.
    let beyond = |w: F32x4| w.sub(one).max(zero).max(zero.sub(w));
    let has_none = whole.fold(true, |all, w| all & beyond(w).is_below(f32::MIN_POSITIVE));
    has_none && rest.iter().all(|w| (0.0..=1.0).contains(w))
}

/// Vectors whose terms are added in 32 bits before the sum goes on in 64.
const STRETCH: usize = 32;

/// `Σ_j w[j]` of weights in 0 … 1.
pub fn sum(row: &[f32]) -> f64 {
    sum_of(row, |weights| weights)
}

/// `−Σ_j w[j]·ln w[j]` in nats, 0·ln 0 being 0, of weights in 0 … 1. Absolute error below 10⁻⁶ where they sum to at most 1.
///
/// Source: Shannon 1948, §6.
pub fn entropy(row: &[f32]) -> f64 {
    // A subnormal weight counts as the smallest normal one: that times its weight is nothing.
    let least = F32x4::splat(f32::MIN_POSITIVE);
    // Subtracting from zero gives a row with one key +0, not −0.
    0.0 - sum_of(row, |weights| weights.mul(log_lanes(weights.max(least))))
}

/// `Σ_j term(w[j])`; `term` must give 0 for 0, which pads the last vector.
#[inline(always)]
fn sum_of(row: &[f32], term: impl Fn(F32x4) -> F32x4) -> f64 {
    let zero = F32x4::splat(0.0);
    let mut sum = 0.0;
    for stretch in row.chunks(STRETCH * LANES) {
        let (whole, rest) = vectors(stretch);
        let mut last = [0.0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        let lanes = whole.fold(zero, |sum, weights| sum.add(term(weights)));
        sum += f64::from(lanes.add(term(F32x4::new(last))).sum());
    }
    sum
}

/// Adds every weight in 0 … 1 to its one of `BINS` bins of equal width; 1 falls into the last.
pub fn add_to_bins<const BINS: usize>(row: &[f32], bins: &mut [u32; BINS]) {
    let width = F32x4::splat(BINS as f32);
    let (whole, rest) = row.as_chunks::<LANES>();
    for weights in whole {
        // Most weights of a long row are small.
        if F32x4::new(*weights).mul(width).is_below(1.0) {
            bins[0] += LANES as u32;
        } else {
            add_each(weights, bins);
        }
    }
    add_each(rest, bins);
}

fn add_each<const BINS: usize>(weights: &[f32], bins: &mut [u32; BINS]) {
    for weight in weights {
        bins[bin_of::<BINS>(*weight)] += 1;
    }
}

/// The one of `BINS` bins of equal width that a weight in 0 … 1 falls into; 1 falls into the last.
pub fn bin_of<const BINS: usize>(weight: f32) -> usize {
    ((weight * BINS as f32) as usize).min(BINS - 1)
}

/// The place of the largest weight, the first on ties; `None` where none is above 0.
pub fn first_largest(row: &[f32]) -> Option<usize> {
    let largest = largest_of(row, 0.0);
    if largest > 0.0 {
        row.iter().position(|weight| *weight == largest)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of weights of every length around those of vectors and stretches, some of them 0.
    fn rows() -> impl Iterator<Item = Vec<f32>> {
        [0, 1, 2, 3, 4, 5, 11, 127, 128, 129, 131, 1021]
            .into_iter()
            .map(|length| {
                let raw = |at: usize| {
                    if at % 3 == 1 {
                        0.0
                    } else {
                        ((at * 37) % 101) as f32
                    }
                };
                let total: f32 = (0..length).map(raw).sum::<f32>().max(1.0);
                (0..length).map(|at| raw(at) / total).collect()
            })
    }

    #[test]
    fn sums_and_entropies_are_those_of_64_bits() {
        for row in rows() {
            let wide = row.iter().map(|w| f64::from(*w));
            let terms = wide.clone().filter(|w| *w > 0.0).map(|w| w * w.ln());
            let (total, exact) = (wide.sum::<f64>(), -terms.sum::<f64>());
            let length = row.len();
            assert!((sum(&row) - total).abs() < 1e-6, "sum of {length}");
            let found = entropy(&row);
            assert!(
                (found - exact).abs() < 1e-6,
                "{found}, not {exact}, of {length}"
            );
        }
    }

    #[test]
    fn a_row_with_one_key_has_no_entropy_and_no_sign() {
        for row in [&[][..], &[1.0], &[0.0, 1.0, 0.0, 0.0, 0.0], &[0.0; 9]] {
            assert_eq!(entropy(row).to_bits(), 0.0_f64.to_bits(), "{row:?}");
        }
        assert!(entropy(&[1.0, 1e-40, 1e-30]) < 1e-28);
        assert!(entropy(&[f32::NAN, 0.5, 0.5, 0.0, 0.0]).is_nan());
        assert!(entropy(&[0.5, 0.5, 0.0, 0.0, f32::NAN]).is_nan());
    }

    #[test]
    fn weights_beyond_a_share_are_seen_anywhere() {
        for length in 0..11 {
            let mut row = vec![1.0; length];
            row.iter_mut().step_by(2).for_each(|w| *w = 0.0);
            assert!(are_shares(&row));
            for at in 0..length {
                for wrong in [-0.05, -1e-30, 1.001, 1e38, f32::NAN, f32::INFINITY] {
                    let before = std::mem::replace(&mut row[at], wrong);
                    assert!(!are_shares(&row), "{wrong} at {at} of {length}");
                    row[at] = before;
                }
            }
        }
    }

    #[test]
    fn equal_weights_have_the_entropy_of_their_number() {
        for keys in [2, 3, 8, 100, 4096] {
            let found = entropy(&vec![1.0 / keys as f32; keys]);
            assert!(
                (found - (keys as f64).ln()).abs() < 1e-6,
                "{found} of {keys}"
            );
        }
    }

    #[test]
    fn every_weight_is_counted_in_its_bin() {
        for row in rows().chain([
            vec![0.05, 0.0499, 1.0, 0.951, 0.0, 0.5, 0.049],
            vec![1.0; 9],
        ]) {
            let (mut found, mut wanted) = ([3; 20], [3; 20]);
            add_to_bins(&row, &mut found);
            row.iter()
                .for_each(|weight| wanted[bin_of::<20>(*weight)] += 1);
            assert_eq!(found, wanted, "{row:?}");
        }
        let weights = [0.0, 0.04, 0.06, 0.49, 0.5, 0.94, 0.96, 1.0];
        assert_eq!(weights.map(bin_of::<20>), [0, 0, 1, 9, 10, 18, 19, 19]);
    }

    #[test]
    fn the_first_of_the_largest_is_found() {
        assert_eq!([first_largest(&[]), first_largest(&[0.0; 6])], [None; 2]);
        let mut row = vec![0.25; 11];
        assert_eq!(first_largest(&row), Some(0));
        for at in (0..11).rev() {
            row[at] = 0.5;
            assert_eq!(first_largest(&row), Some(at));
        }
    }
}
