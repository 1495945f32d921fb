//! Remarks about finished weights, which are shown as they are.

use super::ImportedTensors;

/// How far the sum of a row of finished weights may be from 1 without a warning.
pub const ROW_TOLERANCE: f64 = 1e-3;

/// Something about a finished matrix that is worth saying.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Remark {
    /// Rows whose sum is not 1.
    Sums {
        /// How many.
        rows: usize,
        /// The sum that is farthest from 1.
        worst: f64,
    },
    /// Weights below 0.
    Negative {
        /// How many.
        cells: usize,
    },
    /// Nothing stands above the diagonal.
    Causal,
    /// Rows of zeros, as where nothing was visible.
    Empty {
        /// How many.
        rows: usize,
    },
}

/// What is worth saying of finished weights.
pub fn remarks(contents: &ImportedTensors) -> Vec<Remark> {
    let ImportedTensors::Matrix(weights) = contents else {
        return Vec::new();
    };
    let sums = weights.rows().into_iter().map(|row| {
        let sum: f64 = row.iter().map(|weight| f64::from(*weight)).sum();
        (sum, row.iter().all(|weight| *weight == 0.0))
    });
    let (mut off, mut empty, mut worst) = (0, 0, 1.0_f64);
    for (sum, is_empty) in sums {
        empty += usize::from(is_empty);
        if !is_empty && (sum - 1.0).abs() > ROW_TOLERANCE {
            off += 1;
            if (sum - 1.0).abs() > (worst - 1.0).abs() {
                worst = sum;
            }
        }
    }
    let negative = weights.iter().filter(|weight| **weight < 0.0).count();
    let said = [
        (off, Remark::Sums { rows: off, worst }),
        (negative, Remark::Negative { cells: negative }),
        (empty, Remark::Empty { rows: empty }),
    ];
    let said = said.into_iter().filter(|(count, _)| *count > 0);
    let said = said.map(|(_, remark)| remark);
    let causal = is_causal(contents).then_some(Remark::Causal);
    said.chain(causal).collect()
}

/// Whether finished weights are square with nothing above the diagonal, and something on it and below.
pub(super) fn is_causal(contents: &ImportedTensors) -> bool {
    let ImportedTensors::Matrix(weights) = contents else {
        return false;
    };
    let (_, n, m) = weights.dim();
    let is_right =
        |((_, query, key), weight): ((usize, usize, usize), &f32)| query >= key || *weight == 0.0;
    n == m && n > 2 && weights.indexed_iter().all(is_right) && weights.iter().any(|own| *own > 0.0)
}
