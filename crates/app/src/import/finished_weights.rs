//! Whether numbers look like finished attention weights.

use ndarray::Array3;

use crate::state::imported::rounding::EXACT_ROW;
use formats::Tensor;

/// How far a sum may be from 1 for a guess.
const NEAR: f64 = 10.0 * EXACT_ROW;

/// The largest weight that dropout leaves as a rule: it doubles weights where it drops every other.
const LARGEST: f32 = 2.0 + 1e-3;

/// The largest mean over the sums of rows that is still taken for weights: dropout keeps it near 1, sinks make it smaller.
const LARGEST_MEAN: f64 = 1.4;

/// Why numbers look like finished weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    /// Every row sums to 1, or is empty.
    Sums,
    /// Most rows do, or a square of fractions has nothing that speaks against it.
    Fractions,
}

/// Whether the numbers of a tensor look like finished weights. Whole numbers alone do not, unless their rows sum to 1.
pub(super) fn likeness(tensor: &Tensor) -> Option<Likeness> {
    let [.., rows, columns] = tensor.shape[..] else {
        return None;
    };
    let is_possible = |weight: &f32| weight.is_nan() || (0.0..=LARGEST).contains(weight);
    if columns == 0 || tensor.data.is_empty() || !tensor.data.iter().all(is_possible) {
        return None;
    }
    let sums: Vec<f64> = tensor.data.chunks_exact(columns).map(sum).collect();
    let empty = sums.iter().filter(|sum| **sum == 0.0).count();
    let whole = sums.iter().filter(|sum| (**sum - 1.0).abs() < NEAR).count();
    if whole + empty == sums.len() && whole > 0 {
        return Some(Likeness::Sums);
    }
    let has_fractions = tensor.data.iter().any(|weight| weight.fract().abs() > 0.0);
    let mean = sums.iter().sum::<f64>() / sums.len() as f64;
    let is_square = rows == columns && mean <= LARGEST_MEAN;
    let is_likely = has_fractions && (is_square || 2 * whole > sums.len());
    is_likely.then_some(Likeness::Fractions)
}

/// The sum of a row; 0 for one that is NaN throughout.
fn sum(row: &[f32]) -> f64 {
    let numbers = row.iter().filter(|weight| !weight.is_nan());
    numbers.map(|weight| f64::from(*weight)).sum()
}

/// Writes 0 over rows that are NaN throughout, as PyTorch leaves rows that see no key; gives how many there were.
pub(super) fn empty_nan_rows(weights: &mut Array3<f32>) -> usize {
    let mut emptied = 0;
    for mut row in weights.rows_mut() {
        if row.iter().all(|weight| weight.is_nan()) {
            row.fill(0.0);
            emptied += 1;
        }
    }
    emptied
}

/// Whether columns sum to 1 and rows do not: a softmax over the queries, or queries that are the columns.
pub(super) fn has_columns_of_one(tensor: &Tensor) -> bool {
    let [.., rows, columns] = tensor.shape[..] else {
        return false;
    };
    let cells = rows * columns;
    if cells == 0
        || tensor
            .data
            .iter()
            .any(|weight| weight.is_nan() || *weight < 0.0)
    {
        return false;
    }
    let is_off = |sum: f64| (sum - 1.0).abs() >= NEAR;
    let has_rows_off = tensor
        .data
        .chunks_exact(columns)
        .any(|row| is_off(sum(row)));
    let mut maps = tensor.data.chunks_exact(cells);
    has_rows_off
        && maps.all(|map| {
            let mut sums = (0..columns).map(|key| {
                let column = map.iter().skip(key).step_by(columns);
                column.map(|weight| f64::from(*weight)).sum::<f64>()
            });
            !sums.any(is_off)
        })
}

#[cfg(test)]
mod tests;
