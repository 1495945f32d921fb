//! How the rows of a tile come back: of each row what its mask leaves visible, one behind the other.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use crate::writer::Piece;

/// The parts of rows that come back, the same in each of `slices` slices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Packing {
    slices: usize,
    keys: usize,
    /// Keys that come back, by row; all others are 0.
    ranges: Arc<[Range<usize>]>,
    parts: Arc<[RowPart]>,
}

/// Where a part of a row is, in vectors of four, as `pack.wgsl` reads it: in its row, how many, and among those of its slice.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct RowPart {
    first: u32,
    length: u32,
    start: u32,
}

impl Packing {
    /// Rows `[slices, ranges.len(), keys]`, of which only these keys come back.
    pub(super) fn new(slices: usize, keys: usize, ranges: Vec<Range<usize>>) -> Self {
        let parts = ranges.iter().scan(0, |end, range| {
            let first = range.start / 4;
            let length = match range.len() {
                0 => 0,
                _ => range.end.div_ceil(4) - first,
            };
            let start = *end;
            *end += length;
            let [first, length, start] = [first, length, start].map(|count| count as u32);
            Some(RowPart {
                first,
                length,
                start,
            })
        });
        Self {
            slices,
            keys,
            parts: parts.collect(),
            ranges: ranges.into(),
        }
    }

    /// The parts of the rows of a slice.
    pub(super) fn parts(&self) -> &[RowPart] {
        &self.parts
    }

    /// Vectors of four of a slice.
    pub(super) fn slice(&self) -> usize {
        let last = self.parts.last();
        last.map_or(0, |part| (part.start + part.length) as usize)
    }

    pub(super) fn bytes(&self) -> u64 {
        16 * (self.slices * self.slice()) as u64
    }

    /// Vectors of the longest part, parts of a slice, and slices.
    pub(super) fn extent(&self) -> [u64; 3] {
        let longest = self.parts.iter().map(|part| part.length).max();
        let [rows, slices] = [self.parts.len(), self.slices].map(|count| count as u64);
        [u64::from(longest.unwrap_or(0)), rows, slices]
    }

    /// Where its numbers go in a result in which they begin at `first`.
    pub(super) fn pieces(&self, first: usize) -> Box<dyn Iterator<Item = Piece>> {
        let (rows, keys, slice) = (self.ranges.len(), self.keys, self.slice());
        if keys.is_multiple_of(4) && self.ranges.iter().all(|range| *range == (0..keys)) {
            return Box::new(std::iter::once(Piece {
                from: 0,
                to: first,
                length: self.slices * rows * keys,
            }));
        }
        let (ranges, parts) = (self.ranges.clone(), self.parts.clone());
        let pieces = (0..self.slices * rows).map(move |at| {
            let (range, part) = (&ranges[at % rows], parts[at % rows]);
            Piece {
                from: 4 * (at / rows * slice + part.start as usize) + range.start % 4,
                to: first + at * keys + range.start,
                length: range.len(),
            }
        });
        Box::new(pieces.filter(|piece| piece.length > 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(packing: &Packing, first: usize) -> Vec<[usize; 3]> {
        let pieces = packing.pieces(first);
        pieces
            .map(|Piece { from, to, length }| [from, to, length])
            .collect()
    }

    #[test]
    fn whole_rows_without_padding_are_one_piece() {
        let packing = Packing::new(2, 8, vec![0..8; 3]);
        assert_eq!(pieces(&packing, 100), [[0, 100, 48]]);
        assert_eq!(packing.bytes(), 4 * 48);
        let padded = Packing::new(2, 7, vec![0..7; 3]);
        let wanted = [0, 1, 2, 3, 4, 5].map(|row| [8 * row, 100 + 7 * row, 7]);
        assert_eq!(pieces(&padded, 100), wanted);
        assert_eq!(padded.bytes(), 4 * 48);
    }

    #[test]
    fn of_a_row_comes_what_is_visible() {
        let packing = Packing::new(2, 9, vec![0..7, 6..6, 3..9, 5..6]);
        let wanted = [
            [0, 54, 7],
            [11, 75, 6],
            [21, 86, 1],
            [24, 90, 7],
            [35, 111, 6],
            [45, 122, 1],
        ];
        assert_eq!(pieces(&packing, 54), wanted);
        assert_eq!((packing.bytes(), packing.extent()), (4 * 48, [3, 4, 2]));
        assert_eq!(Packing::new(2, 9, vec![]).extent(), [0, 0, 2]);
    }
}
