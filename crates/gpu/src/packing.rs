//! How the rows of a tile lie when they come back: without padding at the ends of a causal order, one behind the other.

use crate::tensor::vectors;
use crate::uniforms::Pack;
use crate::writer::Piece;

/// Rows `first_row .. first_row + rows` of `slices` slices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Packing {
    pub(super) slices: usize,
    pub(super) rows: usize,
    pub(super) first_row: usize,
    pub(super) keys: usize,
    /// Whether keys beyond a row's own are left out; they are 0.
    pub(super) is_causal: bool,
}

impl Packing {
    /// Vectors of four of the row that is as far down as its own.
    fn row(self, row: usize) -> usize {
        let stride = vectors(self.keys);
        if self.is_causal {
            stride.min((self.first_row + row) / 4 + 1)
        } else {
            stride
        }
    }

    /// Vectors of four of a slice.
    pub(super) fn slice(self) -> usize {
        (0..self.rows).map(|row| self.row(row)).sum()
    }

    pub(super) fn bytes(self) -> u64 {
        16 * (self.slices * self.slice()) as u64
    }

    /// Where its numbers go in a result in which they begin at `first`.
    pub(super) fn pieces(self, first: usize) -> Box<dyn Iterator<Item = Piece>> {
        let Self {
            slices, rows, keys, ..
        } = self;
        if !self.is_causal && keys.is_multiple_of(4) {
            return Box::new(std::iter::once(Piece {
                from: 0,
                to: first,
                length: slices * rows * keys,
            }));
        }
        let all = (0..slices * rows).map(move |at| (at, at % rows));
        Box::new(all.scan(0, move |from, (at, row)| {
            let length = 4 * self.row(row);
            let piece = Piece {
                from: *from,
                to: first + at * keys,
                length: self.seen(row),
            };
            *from += length;
            Some(piece)
        }))
    }

    /// Keys of a row that come back.
    fn seen(self, row: usize) -> usize {
        if self.is_causal {
            self.keys.min(self.first_row + row + 1)
        } else {
            self.keys
        }
    }

    /// What the kernel is told; rows are taken from slice `first_slice` of the tile on.
    pub(super) fn uniform(self, first_slice: usize, slot: u32) -> Pack {
        Pack {
            rows: self.rows as u32,
            stride: vectors(self.keys) as u32,
            first_row: self.first_row as u32,
            causal: u32::from(self.is_causal),
            packed: self.slice() as u32,
            slot,
            first_slice: first_slice as u32,
            zero: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(packing: Packing, first: usize) -> Vec<[usize; 3]> {
        let pieces = packing.pieces(first);
        pieces
            .map(|Piece { from, to, length }| [from, to, length])
            .collect()
    }

    #[test]
    fn whole_rows_without_padding_are_one_piece() {
        let packing = Packing {
            slices: 2,
            rows: 3,
            first_row: 0,
            keys: 8,
            is_causal: false,
        };
        assert_eq!(pieces(packing, 100), [[0, 100, 48]]);
        assert_eq!(packing.bytes(), 4 * 48);
        let padded = Packing { keys: 7, ..packing };
        let wanted = [0, 1, 2, 3, 4, 5].map(|row| [8 * row, 100 + 7 * row, 7]);
        assert_eq!(pieces(padded, 100), wanted);
        assert_eq!(padded.bytes(), 4 * 48);
    }

    #[test]
    fn a_causal_row_ends_at_its_own_key() {
        let packing = Packing {
            slices: 2,
            rows: 3,
            first_row: 6,
            keys: 9,
            is_causal: true,
        };
        let wanted = [
            [0, 54, 7],
            [8, 63, 8],
            [16, 72, 9],
            [28, 81, 7],
            [36, 90, 8],
            [44, 99, 9],
        ];
        assert_eq!(pieces(packing, 54), wanted);
        assert_eq!(packing.bytes(), 4 * 56);
    }
}
