//! Which blocks of a matrix count, so that products leave the others out.

use std::ops::Range;

use crate::packed::PANEL;

/// Rows of a block.
pub(crate) const ROWS: usize = 4;
/// Panels of a stretch: as many as a word has bits.
const PANELS: usize = u32::BITS as usize;
/// Columns of a stretch.
pub(crate) const STRETCH: usize = PANELS * PANEL;

/// A matrix `[rows, columns]` seen as blocks of 4 × 8 cells, each of which counts or does not.
///
/// One bit for a block and one word for a stretch of 256 columns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Blocks {
    columns: usize,
    words: Vec<u32>,
}

impl Blocks {
    /// Columns of a block.
    pub const COLUMNS: usize = PANEL;

    /// Makes it `[rows, columns]` with no block that counts.
    pub fn clear(&mut self, rows: usize, columns: usize) {
        self.columns = columns;
        self.words.clear();
        self.words.resize(rows.div_ceil(ROWS) * self.stretches(), 0);
    }

    /// Lets the blocks count that hold a cell of `row` in `columns`.
    ///
    /// # Panics
    /// If row or columns lie outside the matrix.
    pub fn insert(&mut self, row: usize, columns: Range<usize>) {
        assert!(columns.end <= self.columns);
        if columns.is_empty() {
            return;
        }
        let first_word = row / ROWS * self.stretches();
        let (mut panel, end) = (columns.start / PANEL, columns.end.div_ceil(PANEL));
        while panel < end {
            let word = panel / PANELS;
            let next = end.min((word + 1) * PANELS);
            let ones = u32::MAX >> (PANELS - (next - panel));
            self.words[first_word + word] |= ones << (panel % PANELS);
            panel = next;
        }
    }

    /// Whether the block of `row` and `column` counts.
    ///
    /// # Panics
    /// If row or column lie outside the matrix.
    pub fn contains(&self, row: usize, column: usize) -> bool {
        let word = self.words[row / ROWS * self.stretches() + column / STRETCH];
        word >> (column / PANEL % PANELS) & 1 == 1
    }

    /// The columns that count for the block row of `row` within the stretch that begins at column `first`, counted from there.
    pub(crate) fn runs(&self, row: usize, first: usize) -> Runs {
        Runs {
            word: self.words[row / ROWS * self.stretches() + first / STRETCH],
            length: STRETCH.min(self.columns - first),
        }
    }

    fn stretches(&self) -> usize {
        self.columns.div_ceil(STRETCH)
    }
}

/// Ranges of columns, from the runs of ones of a word.
pub(crate) struct Runs {
    word: u32,
    length: usize,
}

impl Runs {
    #[inline(always)]
    pub(crate) fn is_none(&self) -> bool {
        self.word == 0
    }

    /// One run of everything.
    #[inline(always)]
    pub(crate) fn whole(length: usize) -> Self {
        let word = u32::MAX;
        Self { word, length }
    }
}

impl Iterator for Runs {
    type Item = Range<usize>;

    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.word.trailing_zeros() as usize;
        if start >= PANELS {
            return None;
        }
        let end = start + (self.word >> start).trailing_ones() as usize;
        // The bits from `end` on; a shift by a word's whole length has to be written as none.
        self.word &= u32::MAX.checked_shl(end as u32).unwrap_or(0);
        let start = start * PANEL;
        (start < self.length).then(|| start..self.length.min(end * PANEL))
    }
}
