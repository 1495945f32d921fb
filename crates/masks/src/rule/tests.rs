//! Rules against pictures, against values that were computed elsewhere, and against random texts.

pub(crate) mod random;
mod values;
mod written;

use attention::CellIndex;

use super::{Rule, parse};
use crate::Axes;

fn rule(text: &str) -> Rule {
    parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn cell(query: usize, key: usize) -> CellIndex {
    CellIndex {
        batch: 0,
        head: 0,
        query,
        key,
    }
}

/// Rows of `1` for visible and `.` for hidden cells.
fn picture(text: &str, n: usize, m: usize) -> Vec<String> {
    let (rule, axes) = (rule(text), Axes::of_map(n, m));
    let shown = |query, key| {
        if rule.visible(cell(query, key), &axes) {
            '1'
        } else {
            '.'
        }
    };
    let row = |query| (0..m).map(|key| shown(query, key)).collect();
    (0..n).map(row).collect()
}

/// How many keys each query sees.
fn row_counts(text: &str, n: usize, m: usize) -> Vec<usize> {
    let rows = picture(text, n, m).into_iter();
    rows.map(|row| row.matches('1').count()).collect()
}
