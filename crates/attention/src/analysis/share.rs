//! Where the weight of a head goes, as means over its rows.
//!
//! Each mean is taken over the rows that the measure applies to and that have any weight; rows that see nothing are left out.
//! `None` where no row is left.

use super::Rows;

/// Mean of `A[i, i + shift]` over the rows that have such a key, without unit, in 0 … 1: the token itself for `shift` 0,
/// the previous one for −1, the next one for 1 (Clark et al. 2019, section 3.1).
///
/// Of use where keys are the queries' own tokens; a mask that hides these cells makes it 0.
pub fn shifted_share(rows: &Rows<'_>, shift: isize) -> Option<f64> {
    mean(rows, |query| {
        let key = query.checked_add_signed(shift)?;
        rows.row(query).get(key).copied().map(f64::from)
    })
}

/// Mean of `Σ_j A[i, j]·|i − j| / Σ_j A[i, j]`: how far away a query looks, in tokens, in 0 … n − 1
/// (mean attention distance, Dosovitskiy et al. 2021, appendix D.7).
///
/// Only of use where keys are the queries' own tokens.
pub fn mean_distance(rows: &Rows<'_>) -> Option<f64> {
    mean(rows, |query| {
        let weighted =
            |(key, weight): (usize, &f32)| f64::from(*weight) * key.abs_diff(query) as f64;
        let sum: f64 = rows.row(query).iter().enumerate().map(weighted).sum();
        Some(sum / rows.total(query))
    })
}

/// The largest entropy that `visible` keys allow, `ln visible`, in nats: 0 for one key and for none.
pub fn entropy_limit(visible: usize) -> f64 {
    libm::log(visible.max(1) as f64)
}

/// The entropy of a row's weights, normalised to their sum, over [`entropy_limit`]; without unit, in 0 … 1.
///
/// `None` for a row that sees fewer than two keys, where nothing can be spread, and for one without weight.
pub fn entropy_share(rows: &Rows<'_>, query: usize) -> Option<f64> {
    let limit = entropy_limit(rows.visible().count(query));
    let total = rows.total(query);
    // With s = Σw, the entropy of w/s is H(w)/s + ln s.
    (limit > 0.0 && total > 0.0)
        .then(|| ((rows.entropy(query) / total + libm::log(total)) / limit).clamp(0.0, 1.0))
}

fn mean(rows: &Rows<'_>, of: impl Fn(usize) -> Option<f64>) -> Option<f64> {
    let values = (0..rows.queries())
        .filter(|query| rows.total(*query) > 0.0)
        .filter_map(of);
    let (count, sum) = values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Visible, entropy};

    fn rows<T>(weights: &[f32], (n, m): (usize, usize), then: impl Fn(&Rows<'_>) -> T) -> T {
        let visible = Visible::new(n, m, |_, _| true);
        then(&Rows::new(weights, &visible))
    }

    /// Weights worked out by hand.
    const THREE: [f32; 9] = [0.5, 0.25, 0.25, 0.0, 1.0, 0.0, 0.125, 0.625, 0.25];

    #[test]
    fn known_values() {
        rows(&THREE, (3, 3), |rows| {
            assert_eq!(shifted_share(rows, 0), Some(1.75 / 3.0));
            assert_eq!(shifted_share(rows, -1), Some(0.625 / 2.0));
            assert_eq!(shifted_share(rows, 1), Some(0.25 / 2.0));
            assert_eq!(shifted_share(rows, 3), None);
            assert_eq!(mean_distance(rows), Some((0.75 + 0.0 + 0.875) / 3.0));
            let limit = libm::log(3.0);
            let first = entropy(&THREE[..3]) / limit;
            assert!((entropy_share(rows, 0).unwrap() - first).abs() < 1e-12);
            assert_eq!(entropy_share(rows, 1), Some(0.0));
        });
    }

    #[test]
    fn more_keys_than_queries_and_fewer() {
        rows(&[0.25; 8], (2, 4), |rows| {
            assert_eq!(shifted_share(rows, 1), Some(0.25));
            assert_eq!(entropy_share(rows, 1), Some(1.0));
        });
        // Queries 1 and 2 have no key of the next place.
        rows(&[0.5; 6], (3, 2), |rows| {
            assert_eq!(shifted_share(rows, 1), Some(0.5));
            assert_eq!(shifted_share(rows, -1), Some(0.5));
        });
    }

    #[test]
    fn nothing_to_measure_is_no_number() {
        for (n, m) in [(0, 0), (0, 5), (5, 0)] {
            rows(&[], (n, m), |rows| {
                assert_eq!(shifted_share(rows, -1), None);
                assert_eq!(mean_distance(rows), None);
                assert_eq!(entropy_share(rows, 0), None);
            });
        }
        rows(&[1.0], (1, 1), |rows| {
            assert_eq!(mean_distance(rows), Some(0.0));
            assert_eq!(shifted_share(rows, -1), None);
            assert_eq!(entropy_share(rows, 0), None, "one key leaves no choice");
        });
    }

    #[test]
    fn rows_without_weight_are_left_out() {
        let weights = [0.0, 0.0, 1.0, 0.0];
        rows(&weights, (2, 2), |rows| {
            assert_eq!(mean_distance(rows), Some(1.0));
            assert_eq!(entropy_share(rows, 0), None);
        });
    }

    #[test]
    fn entropy_is_measured_by_the_keys_that_a_row_sees() {
        let weights = [1.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.25, 0.25, 0.25];
        let visible = Visible::new(3, 3, |query, key| key <= query);
        let rows = Rows::new(&weights, &visible);
        assert_eq!(entropy_share(&rows, 0), None);
        assert!((entropy_share(&rows, 1).unwrap() - 1.0).abs() < 1e-12);
        let sum_of_less = entropy_share(&rows, 2).unwrap();
        assert!(
            (sum_of_less - 1.0).abs() < 1e-12,
            "a row that sums to ¾: {sum_of_less}"
        );
        assert_eq!([entropy_limit(0), entropy_limit(1)], [0.0, 0.0]);
    }
}
