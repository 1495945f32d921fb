//! Remarks about finished weights, which are shown as they are.

use ndarray::{Array3, ArrayView1, Axis};

use super::ImportedTensors;
use super::rounding::row_tolerance;

/// How many cells above the diagonal there are at least for each that is not 0, in weights that are taken for nearly causal.
const CELLS_FOR_EACH_LEAK: usize = 10;

/// The fewest rows, and numbers in each, that show a softmax of weights.
const FEWEST_SAMPLES: usize = 3;

/// Where Σ ln (a / least a) lies in a softmax of weights, some of which are next to 0; beyond 1 for rounded numbers.
const LOG_SUMS: std::ops::RangeInclusive<f64> = 0.75..=1.02;

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
    /// Weights are missing here and there and rows sum to more than 1, as dropout leaves them.
    Dropout,
    /// Some rows sum to more than 1 and others to less, and no weight is missing, as in an average over heads with dropout.
    AveragedDropout,
    /// Every row sums to less than 1, as where the column of a sink was left out.
    Sink,
    /// Weights below 0.
    Negative {
        /// How many.
        cells: usize,
    },
    /// All weights above the diagonal are 0.
    Causal,
    /// Nearly all weights above the diagonal are 0.
    NearlyCausal {
        /// How many are not.
        cells: usize,
        /// The largest of them.
        worst: f32,
        /// Its row, from 0.
        query: usize,
        /// Its column, from 0.
        key: usize,
    },
    /// Every row is what the softmax gives for a row of weights.
    SoftmaxTwice,
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
    said.extend(is_softmax_of_weights(weights, tolerance).then_some(Remark::SoftmaxTwice));
    said.extend(if is_causal(contents) {
        Some(Remark::Causal)
    } else {
        nearly_causal(weights)
    });
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
        (true, _) if has_holes(weights) => Some(Remark::Dropout),
        (true, true) => Some(Remark::AveragedDropout),
        (false, true) if sums.iter().all(is_below) => Some(Remark::Sink),
        _ => None,
    }
}

/// Whether a weight is missing where no mask hides it: between others of its row, or a query's own in a square.
fn has_holes(weights: &Array3<f32>) -> bool {
    let (_, n, m) = weights.dim();
    let is_seen = |weight: &f32| *weight != 0.0;
    let has_hole = |row: ArrayView1<'_, f32>| {
        let mut inner = row.iter().skip_while(|weight| !is_seen(weight));
        inner.any(|weight| !is_seen(weight)) && inner.any(is_seen)
    };
    let is_own = |(_, query, key): (usize, usize, usize)| n == m && query == key;
    let mut cells = weights.indexed_iter();
    weights.rows().into_iter().any(has_hole)
        || cells.any(|(at, weight)| is_own(at) && !is_seen(weight))
}

/// The cells above the diagonal of a square that are not 0, where they are at most a tenth of those there and most cells elsewhere
/// are not 0 either: in a map with few weights at all, few lie above the diagonal without a mask.
fn nearly_causal(weights: &Array3<f32>) -> Option<Remark> {
    let (heads, n, m) = weights.dim();
    let is_later =
        |((_, query, key), weight): &((usize, usize, usize), &f32)| key > query && **weight != 0.0;
    let later = weights.indexed_iter().filter(is_later);
    let cells = later.clone().count();
    let ((_, query, key), worst) = later.max_by(|one, other| one.1.total_cmp(other.1))?;
    let seen = weights.iter().filter(|weight| **weight != 0.0).count();
    let is_filled = 2 * (seen - cells) > heads * n * (n + 1) / 2;
    let is_likely = n == m && is_filled && cells * CELLS_FOR_EACH_LEAK <= heads * n * (n - 1) / 2;
    is_likely.then_some(Remark::NearlyCausal {
        cells,
        worst: *worst,
        query,
        key,
    })
}

/// Whether every row is the softmax of weights that sum to 1: e^p / Σ e^p, so that Σ ln (a / least a) = 1 − m · least p, which is
/// next to 1 where some p is next to 0. Rows of two numbers or one can always be such.
fn is_softmax_of_weights(weights: &Array3<f32>, tolerance: f64) -> bool {
    let rows = weights.rows().into_iter();
    let seen = rows.map(|row| {
        row.iter()
            .copied()
            .filter(|weight| *weight != 0.0)
            .collect()
    });
    let rows: Vec<Vec<f32>> = seen
        .filter(|row: &Vec<f32>| row.len() >= FEWEST_SAMPLES)
        .collect();
    let is_such = |row: &Vec<f32>| {
        let total: f64 = row.iter().map(|weight| f64::from(*weight)).sum();
        let least = row.iter().copied().fold(f32::MAX, f32::min);
        let logs = row.iter().map(|weight| f64::from(*weight / least).ln());
        least > 0.0 && !is_off(total, tolerance) && LOG_SUMS.contains(&logs.sum::<f64>())
    };
    rows.len() >= FEWEST_SAMPLES && rows.iter().all(is_such)
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
