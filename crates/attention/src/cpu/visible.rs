//! Which cells of a tile are visible.

use std::ops::Range;

use kernels::{Blocks, softmax_range, softmax_rows};
use ndarray::{ArrayView1, ArrayViewMut1, s};

use super::tile::Tile;
use crate::{CellIndex, Mask};

/// The mask of a tile `[rows, keys]`: a range for each row where the rule makes ranges, else cell by cell.
#[derive(Default)]
pub(super) struct Visible {
    keys: usize,
    is_ranges: bool,
    ranges: Vec<Range<usize>>,
    /// 1 where a cell is visible, 0 where it is hidden.
    cells: Vec<f32>,
}

impl Visible {
    /// Takes the part of `mask` that is the tile's.
    pub(super) fn fill(&mut self, tile: Tile, keys: usize, mask: &Mask) {
        let first = |row| CellIndex {
            batch: tile.batch,
            head: tile.head,
            query: tile.first + row,
            key: 0,
        };
        self.keys = keys;
        self.ranges.clear();
        let ranges = (0..tile.rows).map_while(|row| mask.visible_range(first(row), keys));
        self.ranges.extend(ranges);
        self.is_ranges = self.ranges.len() == tile.rows;
        if !self.is_ranges {
            self.cells.resize(tile.rows * keys, 0.0);
            for (row, cells) in self.cells.chunks_exact_mut(keys.max(1)).enumerate() {
                mask.write_row(first(row), cells);
            }
        }
    }

    /// Inserts every block that holds a visible cell.
    pub(super) fn insert_into(&self, blocks: &mut Blocks) {
        if self.is_ranges {
            for (row, range) in self.ranges.iter().enumerate() {
                blocks.insert(row, range.clone());
            }
            return;
        }
        for (row, cells) in self.cells.chunks_exact(self.keys.max(1)).enumerate() {
            for (at, part) in cells.chunks(Blocks::COLUMNS).enumerate() {
                if part.iter().any(|seen| *seen > 0.0) {
                    let start = at * Blocks::COLUMNS;
                    blocks.insert(row, start..start + part.len());
                }
            }
        }
    }

    /// Writes `value` over the hidden ones of a row's numbers.
    pub(super) fn fill_hidden<T: Clone>(
        &self,
        row: usize,
        mut numbers: ArrayViewMut1<T>,
        value: T,
    ) {
        if let Some(range) = self.range(row) {
            numbers.slice_mut(s![..range.start]).fill(value.clone());
            numbers.slice_mut(s![range.end..]).fill(value);
            return;
        }
        for (number, seen) in numbers.iter_mut().zip(self.cells(row)) {
            if *seen == 0.0 {
                *number = value.clone();
            }
        }
    }

    /// The largest visible one of a row's numbers; the smallest that there is where nothing is visible.
    pub(super) fn largest(&self, row: usize, numbers: ArrayView1<f64>) -> f64 {
        if let Some(range) = self.range(row) {
            let visible = numbers.slice_move(s![range]);
            return visible.fold(f64::MIN, |max, number| max.max(*number));
        }
        let visible = numbers
            .iter()
            .zip(self.cells(row))
            .filter(|(_, seen)| **seen > 0.0);
        visible.map(|(number, _)| *number).fold(f64::MIN, f64::max)
    }

    /// Whether any visible one of a row's flags is set.
    pub(super) fn any(&self, row: usize, flags: ArrayView1<bool>) -> bool {
        if let Some(range) = self.range(row) {
            return flags.slice_move(s![range]).iter().any(|flag| *flag);
        }
        let mut cells = flags.iter().zip(self.cells(row));
        cells.any(|(flag, seen)| *flag && *seen > 0.0)
    }

    /// Softmax over the visible keys of each of `rows`, whose scores are given.
    pub(super) fn softmax(&self, rows: Range<usize>, scores: &mut [f32], inverse_temperature: f32) {
        if !self.is_ranges {
            let cells = &self.cells[rows.start * self.keys..rows.end * self.keys];
            return softmax_rows(scores, cells, self.keys, inverse_temperature);
        }
        let each = scores.chunks_exact_mut(self.keys.max(1));
        for (row, range) in each.zip(&self.ranges[rows]) {
            softmax_range(row, range.clone(), inverse_temperature);
        }
    }

    /// The visible keys of each row, where the rule makes ranges.
    pub(super) fn ranges(&self) -> Option<&[Range<usize>]> {
        self.is_ranges.then_some(&self.ranges)
    }

    fn range(&self, row: usize) -> Option<Range<usize>> {
        self.is_ranges.then(|| self.ranges[row].clone())
    }

    fn cells(&self, row: usize) -> &[f32] {
        &self.cells[row * self.keys..][..self.keys]
    }
}
