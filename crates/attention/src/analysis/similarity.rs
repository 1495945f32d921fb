//! How alike heads are.
//!
//! `1 − JSD/ln 2`, the Jensen–Shannon divergence of two rows in nats, averaged over rows (Lin 1991, eq. 4.1; between
//! heads: Clark et al. 2019, section 6). It was chosen over the cosine because rows are distributions: it has no unit,
//! is 1 exactly where two heads give the same weights, 0 exactly where they share no key, and symmetric.

/// Terms that all pairs of heads together may take; larger maps are compared by some of their rows.
const MOST_TERMS: usize = 1 << 18;

/// The similarity of every two heads.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Similarity {
    heads: usize,
    values: Vec<Option<f64>>,
    /// Every `step`-th row was compared, beginning with the first: 1 unless the map is large.
    pub step: usize,
}

impl Similarity {
    /// Compares all heads of `weights`, `[heads, n, keys]`.
    pub fn from_weights(weights: &[f32], heads: usize, keys: usize) -> Self {
        let cells = weights.len().checked_div(heads).unwrap_or(0);
        let pairs = heads * (heads + 1) / 2;
        let step = (pairs * cells).div_ceil(MOST_TERMS).max(1);
        let head = |head: usize| &weights[head * cells..(head + 1) * cells];
        let mut values = vec![None; heads * heads];
        for one in 0..heads {
            for other in one..heads {
                let alike = similarity(head(one), head(other), keys, step);
                values[one * heads + other] = alike;
                values[other * heads + one] = alike;
            }
        }
        Self {
            heads,
            values,
            step,
        }
    }

    /// The similarity of two heads, in 0 … 1; `None` where no row of both has any weight, or for a head that there is not.
    pub fn between(&self, one: usize, other: usize) -> Option<f64> {
        let is_inside = one < self.heads && other < self.heads;
        is_inside.then(|| self.values[one * self.heads + other])?
    }

    /// The head most like `head`, the first on ties, and how alike they are; `None` where it is the only one.
    pub fn nearest(&self, head: usize) -> Option<(usize, f64)> {
        let others = (0..self.heads).filter(|other| *other != head);
        let alike = others.filter_map(|other| Some((other, self.between(head, other)?)));
        alike.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }
}

/// Mean similarity of the rows of two heads; rows in which either has no weight are left out.
fn similarity(one: &[f32], other: &[f32], keys: usize, step: usize) -> Option<f64> {
    let rows = one
        .chunks_exact(keys.max(1))
        .zip(other.chunks_exact(keys.max(1)));
    let alike = rows.step_by(step).filter_map(|(p, q)| row_similarity(p, q));
    let (count, sum) = alike.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

/// `1 − JSD/ln 2` of two rows, each normalised to its sum; `None` where one has no weight.
///
/// With `m = (p + q)/2` the divergence is `½ Σ p ln(p/m) + ½ Σ q ln(q/m)`. Weights below 0, which no softmax gives but a
/// file may hold, count as 0.
fn row_similarity(p: &[f32], q: &[f32]) -> Option<f64> {
    let weight = |weight: &f32| f64::from(weight.max(0.0));
    let total = |row: &[f32]| row.iter().map(weight).sum::<f64>();
    let (of_p, of_q) = (total(p), total(q));
    if of_p <= 0.0 || of_q <= 0.0 {
        return None;
    }
    let term = |share: f64, mean: f64| {
        if share > 0.0 {
            share * libm::log(share / mean)
        } else {
            0.0
        }
    };
    let terms = p.iter().zip(q).map(|(p, q)| {
        let (p, q) = (weight(p) / of_p, weight(q) / of_q);
        let mean = f64::midpoint(p, q);
        term(p, mean) + term(q, mean)
    });
    let divergence = 0.5 * terms.sum::<f64>();
    Some((1.0 - divergence / core::f64::consts::LN_2).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(one: &[f32], other: &[f32], keys: usize) -> Option<f64> {
        let weights = [one, other].concat();
        Similarity::from_weights(&weights, 2, keys).between(0, 1)
    }

    #[test]
    fn known_values() {
        let (even, first) = ([0.5, 0.5], [1.0, 0.0]);
        // m = (¾, ¼): JSD = ½(½ ln ⅔ + ½ ln 2) + ½ ln 4/3.
        let divergence =
            0.25 * (2.0_f64 / 3.0).ln() + 0.25 * 2.0_f64.ln() + 0.5 * (4.0_f64 / 3.0).ln();
        let expected = 1.0 - divergence / 2.0_f64.ln();
        assert!((alike(&even, &first, 2).unwrap() - expected).abs() < 1e-12);
        assert_eq!(alike(&even, &even, 2), Some(1.0));
        assert_eq!(alike(&[1.0, 0.0], &[0.0, 1.0], 2), Some(0.0));
        assert_eq!(alike(&[1.5, -0.5], &[1.0, 0.0], 2), Some(1.0));
    }

    #[test]
    fn rows_are_averaged_and_those_without_weight_left_out() {
        let one = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
        let other = [1.0, 0.0, 1.0, 0.0, 0.5, 0.5];
        assert_eq!(alike(&one, &other, 2), Some(0.5));
        assert_eq!(alike(&[0.0; 4], &other[..4], 2), None);
    }

    #[test]
    fn symmetric_and_within_its_range() {
        let heads: Vec<f32> = (0..4 * 3 * 5)
            .map(|at| ((at * 37 % 11) + 1) as f32 / 11.0)
            .collect();
        let similarity = Similarity::from_weights(&heads, 4, 5);
        for one in 0..4 {
            assert!((similarity.between(one, one).unwrap() - 1.0).abs() < 1e-12);
            for other in 0..4 {
                let value = similarity.between(one, other).unwrap();
                assert!((0.0..=1.0).contains(&value));
                assert_eq!(similarity.between(other, one), Some(value));
            }
        }
        assert_eq!(similarity.between(4, 0), None);
    }

    #[test]
    fn the_nearest_head_is_another_one() {
        let heads = [1.0, 0.0, 0.0, 1.0, 0.9, 0.1];
        let similarity = Similarity::from_weights(&heads, 3, 2);
        assert_eq!(similarity.nearest(0).map(|(head, _)| head), Some(2));
        assert_eq!(similarity.nearest(2).map(|(head, _)| head), Some(0));
        assert_eq!(Similarity::from_weights(&[1.0], 1, 1).nearest(0), None);
        assert_eq!(Similarity::from_weights(&[], 0, 0).nearest(0), None);
        assert_eq!(Similarity::from_weights(&[], 3, 0).nearest(1), None);
    }

    #[test]
    fn large_maps_are_compared_by_some_of_their_rows() {
        let (n, heads) = (601, 3);
        let weights = vec![1.0 / n as f32; heads * n * n];
        let similarity = Similarity::from_weights(&weights, heads, n);
        assert_eq!(similarity.step, (6 * n * n).div_ceil(MOST_TERMS));
        assert!((similarity.between(0, 2).unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(Similarity::from_weights(&weights[..3 * 81], 3, 9).step, 1);
    }
}
