//! Bounds of many numbers, which decide how they are computed with.

use crate::simd::{F32x4, fold_unordered, vectors};

/// The largest Euclidean norm of rows of `width` numbers; infinite or NaN where a sum of squares is, 0 without rows.
pub fn largest_norm(rows: &[f32], width: usize) -> f32 {
    let squares = rows.chunks_exact(width.max(1)).map(sum_of_squares);
    let larger = |max: f32, sum: f32| if sum > max || sum.is_nan() { sum } else { max };
    squares.fold(0.0, larger).sqrt()
}

fn sum_of_squares(row: &[f32]) -> f32 {
    let (whole, rest) = vectors(row);
    let sum = whole.fold(F32x4::splat(0.0), |sum, x| sum.add(x.mul(x)));
    sum.sum() + rest.iter().map(|x| x * x).sum::<f32>()
}

/// Whether no number is infinite or NaN.
pub fn all_finite(values: &[f32]) -> bool {
    // 0 times them is 0, and NaN for those.
    let zero = F32x4::splat(0.0);
    let (sums, rest) = fold_unordered(values, zero, |sum, x| sum.add(x.mul(zero)));
    sums.iter().all(|sum| sum.sum() == 0.0) && rest.iter().all(|x| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_row_decides() {
        let rows = [3.0, 0.0, 0.0, 0.0, 4.0, 1.0, 1.0, 1.0, -1.0, 1.0];
        assert_eq!(largest_norm(&rows, 5), 5.0);
        assert_eq!(largest_norm(&rows, 1), 4.0);
        assert_eq!([largest_norm(&[], 3), largest_norm(&[], 0)], [0.0, 0.0]);
        assert_eq!(largest_norm(&[1.0, 3e38, 1.0, 1.0], 2), f32::INFINITY);
        assert!(largest_norm(&[f32::NAN, 1.0, 1.0], 1).is_nan());
    }

    #[test]
    fn one_infinity_is_seen_anywhere() {
        for length in 0..19 {
            let mut values = vec![f32::MAX; length];
            assert!(all_finite(&values));
            for at in 0..length {
                for wrong in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
                    values[at] = wrong;
                    assert!(!all_finite(&values), "{wrong} at {at} of {length}");
                }
                values[at] = -1.0;
            }
        }
    }
}
