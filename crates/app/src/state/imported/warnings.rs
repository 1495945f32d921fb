//! Remarks about finished weights, which are shown as they are.

use ndarray::{Array3, ArrayView1, Axis};

use super::ImportedTensors;
use super::rounding::row_tolerance;

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
    /// Columns sum to 1 in place of rows, as after a softmax over the queries.
    Columns,
    /// Some rows sum to more than 1 and others to less, as dropout leaves them.
    Dropout,
    /// Every row sums to less than 1, as where the column of a sink was left out.
    Sink,
    /// Weights below 0.
    Negative {
        /// How many.
        cells: usize,
    },
    /// All weights above the diagonal are 0.
    Causal,
    /// Rows of zeros, as where nothing was visible.
    Empty {
        /// How many.
        rows: usize,
    },
}

/// Remarks on finished weights.
pub fn remarks(contents: &ImportedTensors) -> Vec<Remark> {
    let ImportedTensors::Matrix(weights) = contents else {
        return Vec::new();
    };
    let is_empty = |row: &ArrayView1<'_, f32>| row.iter().all(|weight| *weight == 0.0);
    let (empty, filled): (Vec<_>, Vec<_>) = weights.rows().into_iter().partition(is_empty);
    let (empty, sums) = (
        empty.len(),
        filled.into_iter().map(total).collect::<Vec<f64>>(),
    );
    let tolerance = row_tolerance(weights.iter(), weights.dim().2);
    let off = sums.iter().copied().filter(|sum| is_off(*sum, tolerance));
    let rows = off.clone().count();
    let farthest = |one: &f64, other: &f64| (one - 1.0).abs().total_cmp(&(other - 1.0).abs());
    let negative = weights.iter().filter(|weight| **weight < 0.0).count();
    let mut said = Vec::new();
    if let Some(worst) = off.max_by(farthest) {
        said.push(Remark::Sums { rows, worst });
        said.extend(cause(weights, &sums, tolerance).filter(|_| negative == 0));
    }
    if negative > 0 {
        said.push(Remark::Negative { cells: negative });
    }
    if empty > 0 {
        said.push(Remark::Empty { rows: empty });
    }
    said.extend(is_causal(contents).then_some(Remark::Causal));
    said
}

fn total(numbers: ArrayView1<'_, f32>) -> f64 {
    numbers.iter().map(|weight| f64::from(*weight)).sum()
}

fn is_off(sum: f64, tolerance: f64) -> bool {
    (sum - 1.0).abs() > tolerance
}

/// The usual cause of sums that are not 1, by what the `sums` of rows that are not empty look like.
fn cause(weights: &Array3<f32>, sums: &[f64], tolerance: f64) -> Option<Remark> {
    let mut columns = weights.lanes(Axis(1)).into_iter();
    if columns.all(|column| !is_off(total(column), tolerance)) {
        return Some(Remark::Columns);
    }
    let above = sums.iter().any(|sum| *sum > 1.0 + tolerance);
    let is_below = |sum: &f64| *sum < 1.0 - tolerance;
    let below = sums.iter().any(is_below);
    match (above, below) {
        (true, true) => Some(Remark::Dropout),
        (false, true) if sums.iter().all(is_below) => Some(Remark::Sink),
        _ => None,
    }
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
