//! Softmax over the visible keys of one query.

/// Turns one row of scores into weights, in 64 bit.
///
/// `w[k] = exp(s[k] − max) / Σ_j exp(s[j] − max)` over the keys that `visible` lets through; `max` is the largest
/// visible score. Hidden keys get 0. A row with nothing visible is all zero. Shapes: `[keys]` each.
pub(crate) fn softmax(scores: &[f64], visible: &[bool]) -> Vec<f64> {
    let seen = |k: &usize| visible[*k];
    let max = (0..scores.len())
        .filter(seen)
        .map(|k| scores[k])
        .fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = (0..scores.len())
        .filter(seen)
        .map(|k| libm::exp(scores[k] - max))
        .sum();
    (0..scores.len())
        .map(|k| {
            if visible[k] {
                libm::exp(scores[k] - max) / sum
            } else {
                0.0
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::softmax;

    #[test]
    fn hidden_keys_get_nothing_and_an_empty_row_is_zero() {
        assert_eq!(
            softmax(&[3.0, 3.0, 9.0], &[true, true, false]),
            [0.5, 0.5, 0.0]
        );
        assert_eq!(softmax(&[3.0, 1e4], &[false, false]), [0.0, 0.0]);
        assert_eq!(softmax(&[1e4, -1e4], &[true, true]), [1.0, 0.0]);
    }
}
