//! How far two attentions over the same tokens differ: A is the base, B is compared with it.
//!
//! Sums are taken in 64 bits, so results that agree in every bit differ by exactly 0 and have a cosine of exactly 1.
//! Everything here is `None` for results of different sizes, since no cell of one corresponds to a cell of the other.

/// How far the outputs `Y_A` and `Y_B`, `[n, width]`, are apart.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputDifference {
    /// `max |Y_B − Y_A|` over all numbers, in units of the output, 0 … ∞.
    pub largest: f64,
    /// The token and the column of the largest; the first on ties.
    pub at: (usize, usize),
    /// Mean of `|Y_B − Y_A|` over all `n·width` numbers, in units of the output, 0 … ∞.
    pub mean: f64,
    /// [`cosine`] of each token's two rows.
    pub cosine_per_token: Vec<Option<f64>>,
    /// Mean of the cosines over the tokens that have one; `None` where none has.
    pub cosine_mean: Option<f64>,
    /// The token whose cosine is smallest, with it; the first on ties, `None` where no token has one.
    pub worst: Option<(usize, f64)>,
}

/// How far the weights of two heads, `[n, keys]`, are apart.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightsDifference {
    /// `max |A_B − A_A|` over all cells, 0 … 1.
    pub largest: f64,
    /// The query and the key of the largest; the first on ties.
    pub at: (usize, usize),
    /// Mean over the queries of `½·Σ_j |A_B[i, j] − A_A[i, j]|`, 0 … 1: the share of its attention that a query spends
    /// on other keys (the total variation distance of its two rows; Levin, Peres and Wilmer 2009, §4.1). A row of zeros
    /// beside one that sums to 1 gives ½.
    pub moved_mean: f64,
}

/// Compares outputs of `width` columns. `None` for other sizes, and for outputs without numbers.
pub fn outputs(a: &[f32], b: &[f32], width: usize) -> Option<OutputDifference> {
    let cells = Cells::between(a, b, width)?;
    let rows = a.chunks_exact(width).zip(b.chunks_exact(width));
    let cosine_per_token: Vec<Option<f64>> = rows.map(|(a, b)| cosine(a, b)).collect();
    let known = cosine_per_token.iter().enumerate();
    let known = known.filter_map(|(token, cosine)| cosine.map(|cosine| (token, cosine)));
    let worst = known
        .clone()
        .reduce(|worst, next| if next.1 < worst.1 { next } else { worst });
    let sum: f64 = known.clone().map(|(_, cosine)| cosine).sum();
    Some(OutputDifference {
        largest: cells.largest,
        at: cells.at,
        mean: cells.sum / a.len() as f64,
        cosine_mean: worst.map(|_| sum / known.count() as f64),
        worst,
        cosine_per_token,
    })
}

/// Compares the weights of two heads over the same keys. `None` for other sizes, and for maps without cells.
pub fn weights(a: &[f32], b: &[f32], keys: usize) -> Option<WeightsDifference> {
    let cells = Cells::between(a, b, keys)?;
    Some(WeightsDifference {
        largest: cells.largest,
        at: cells.at,
        moved_mean: cells.sum / 2.0 / (a.len() / keys) as f64,
    })
}

/// `a·b / (‖a‖‖b‖)`, −1 … 1: 1 for rows of the same direction, whatever their lengths. A row of zeros has no direction:
/// `None`, also beside another one.
pub fn cosine(a: &[f32], b: &[f32]) -> Option<f64> {
    let dot = |x: &[f32], y: &[f32]| -> f64 {
        let pairs = x.iter().zip(y);
        pairs.map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
    };
    // The square of 32 bits fits into 64, and the root of a square is exact: equal rows give exactly 1.
    let lengths = libm::sqrt(dot(a, a) * dot(b, b));
    (lengths > 0.0).then(|| (dot(a, b) / lengths).clamp(-1.0, 1.0))
}

/// Largest absolute difference, its cell, and the sum: computed for outputs and weights alike.
struct Cells {
    largest: f64,
    at: (usize, usize),
    sum: f64,
}

impl Cells {
    fn between(a: &[f32], b: &[f32], width: usize) -> Option<Self> {
        let fits = width > 0 && !a.is_empty() && a.len().is_multiple_of(width);
        if !fits || a.len() != b.len() {
            return None;
        }
        let apart = a
            .iter()
            .zip(b)
            .map(|(a, b)| (f64::from(*b) - f64::from(*a)).abs());
        let most = apart.clone().enumerate();
        let (cell, largest) =
            most.reduce(|most, next| if next.1 > most.1 { next } else { most })?;
        Some(Self {
            largest,
            at: (cell / width, cell % width),
            sum: apart.sum(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_outputs() {
        let a = [1.0, 0.0, 0.0, 2.0, 3.0, 4.0];
        let b = [0.0, 1.0, 0.0, 5.0, -3.0, -4.0];
        let found = outputs(&a, &b, 2).expect("as large");
        assert_eq!((found.largest, found.at), (8.0, (2, 1)));
        assert_eq!(found.mean, (1.0 + 1.0 + 0.0 + 3.0 + 6.0 + 8.0) / 6.0);
        assert_eq!(
            found.cosine_per_token,
            [Some(0.0), Some(1.0), Some(-1.0)],
            "right angle, same direction, opposite"
        );
        assert_eq!(
            (found.cosine_mean, found.worst),
            (Some(0.0), Some((2, -1.0)))
        );
    }

    #[test]
    fn a_row_of_zeros_has_no_direction_and_no_say() {
        let found = outputs(
            &[0.0, 0.0, 3.0, 4.0, 0.0, 0.0],
            &[1.0, 0.0, 4.0, 3.0, 0.0, 0.0],
            2,
        );
        let found = found.expect("as large");
        assert_eq!(found.cosine_per_token, [None, Some(0.96), None]);
        assert_eq!(
            (found.cosine_mean, found.worst),
            (Some(0.96), Some((1, 0.96)))
        );
        assert_eq!((found.largest, found.at), (1.0, (0, 0)));
        let nothing = outputs(&[0.0; 4], &[0.0; 4], 2).expect("as large");
        assert_eq!(
            (nothing.cosine_mean, nothing.worst, nothing.mean),
            (None, None, 0.0)
        );
    }

    #[test]
    fn what_is_the_same_is_exactly_the_same() {
        let same: Vec<f32> = (0..91)
            .map(|i| libm::sinf(1e3 * i as f32) * 1e-20)
            .collect();
        let found = outputs(&same, &same, 13).expect("as large");
        assert_eq!((found.largest, found.mean, found.at), (0.0, 0.0, (0, 0)));
        assert_eq!(found.cosine_per_token, [Some(1.0); 7]);
        assert_eq!(
            (found.cosine_mean, found.worst),
            (Some(1.0), Some((0, 1.0)))
        );
        let huge = [f32::MAX, -f32::MAX];
        assert_eq!(cosine(&huge, &huge), Some(1.0));
        let tiny = [f32::from_bits(1), 0.0];
        assert_eq!(cosine(&tiny, &huge).map(|c| c > 0.7), Some(true));
    }

    #[test]
    fn known_weights() {
        let a = [1.0, 0.0, 0.0, 0.25, 0.25, 0.5];
        let b = [0.0, 0.0, 1.0, 0.25, 0.5, 0.25];
        let found = weights(&a, &b, 3).expect("as large");
        assert_eq!((found.largest, found.at), (1.0, (0, 0)));
        assert_eq!(found.moved_mean, (1.0 + 0.25) / 2.0);
        let hidden = weights(&[0.0, 0.0], &[0.5, 0.5], 2).expect("as large");
        assert_eq!(hidden.moved_mean, 0.5);
    }

    #[test]
    fn other_sizes_have_no_difference() {
        assert_eq!(outputs(&[1.0; 4], &[1.0; 6], 2), None);
        assert_eq!(outputs(&[1.0; 5], &[1.0; 5], 2), None);
        assert_eq!(outputs(&[], &[], 2), None);
        assert_eq!(outputs(&[1.0], &[1.0], 0), None);
        assert_eq!(weights(&[0.5, 0.5], &[1.0], 1), None);
    }
}
