//! How measured times grow with the sequence length.

use crate::sort;

/// A power of n through measured points: `value ≈ factor·n^exponent`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// The exponent of n.
    pub exponent: f64,
    /// The n of the first point that it rests on.
    pub from: f64,
    /// The n of the last one.
    pub to: f64,
}

/// The power of n by least squares on log axes through the last half of the points (at least 3): at small n what grows
/// slower hides the rest. `None` for fewer than 3 points, or ones that are not above zero.
pub fn growth(points: &[(f64, f64)]) -> Option<Growth> {
    let few = points.len().div_ceil(2).max(3);
    let last = points.get(points.len().checked_sub(few)?..)?;
    if last.iter().any(|(n, value)| !(*n > 0.0 && *value > 0.0)) {
        return None;
    }
    let logs = last
        .iter()
        .map(|(n, value)| (libm::log(*n), libm::log(*value)));
    let count = last.len() as f64;
    let (x, y) = logs
        .clone()
        .fold((0.0, 0.0), |(x, y), (a, b)| (x + a, y + b));
    let (x, y) = (x / count, y / count);
    let (up, across) = logs.fold((0.0, 0.0), |(up, across), (a, b)| {
        (up + (a - x) * (b - y), across + (a - x) * (a - x))
    });
    (across > 0.0).then(|| Growth {
        exponent: up / across,
        from: last[0].0,
        to: last[last.len() - 1].0,
    })
}

/// The median; `None` of nothing.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut values = values.to_vec();
    sort::sort(&mut values, f64::total_cmp);
    let (low, high) = ((values.len().checked_sub(1)?) / 2, values.len() / 2);
    Some((values[low] + values[high]) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn powers(exponent: f64) -> Vec<(f64, f64)> {
        [64.0, 128.0, 256.0, 512.0, 1024.0]
            .map(|n: f64| (n, 3.0 * n.powf(exponent)))
            .to_vec()
    }

    #[test]
    fn the_exponent_of_a_power_is_found() {
        for exponent in [0.5, 1.0, 2.0] {
            let found = growth(&powers(exponent)).expect("five points");
            assert!((found.exponent - exponent).abs() < 1e-9);
            assert_eq!((found.from, found.to), (256.0, 1024.0));
        }
    }

    #[test]
    fn what_costs_the_same_at_every_n_does_not_hide_the_growth_at_large_n() {
        let points: Vec<_> = (6..=14)
            .map(|power| f64::from(1 << power))
            .map(|n| (n, 1e4 + n * n))
            .collect();
        assert!(growth(&points).expect("nine points").exponent > 1.9);
    }

    #[test]
    fn too_little_gives_no_exponent() {
        assert_eq!(growth(&powers(1.0)[..2]), None);
        assert_eq!(growth(&[]), None);
        assert_eq!(growth(&[(64.0, 0.0), (128.0, 1.0), (256.0, 2.0)]), None);
        assert_eq!(growth(&[(64.0, 1.0); 3]), None);
    }

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0]), Some(2.5));
    }
}
