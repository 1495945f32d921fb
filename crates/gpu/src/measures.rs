//! Reads what `measure.wgsl` found in rows of weights.

use attention::Sizes;
use attention::analysis::{BINS, MeasuredRow, RowSums};

use crate::results::Tile;

/// Numbers of a row: entropy, sum of the others, own weight, the largest of the others and its key, counts, padding.
pub(super) const WORDS: usize = 28;

/// Bytes that come back of each row whose weights are measured.
pub const MEASURED_ROW_BYTES: u64 = 4 * WORDS as u64;

/// Where no other key has a weight.
const NO_KEY: u32 = u32::MAX;

/// Hands over the rows of a tile one by one.
pub(super) fn read(tile: Tile, sizes: &Sizes, words: &[u32], taken: &mut dyn FnMut(&MeasuredRow)) {
    let rows = words.chunks_exact(WORDS).zip(0..tile.slices * tile.rows);
    for (words, at) in rows {
        taken(&row(tile, sizes, at, words));
    }
}

/// Rows over no keys, which no kernel sees.
pub(super) fn of_nothing(tile: Tile, sizes: &Sizes, taken: &mut dyn FnMut(&MeasuredRow)) {
    let mut words = [0; WORDS];
    words[4] = NO_KEY;
    for at in 0..tile.slices * tile.rows {
        taken(&row(tile, sizes, at, &words));
    }
}

fn row(tile: Tile, sizes: &Sizes, at: usize, words: &[u32]) -> MeasuredRow {
    let slice = tile.first_slice + at / tile.rows;
    let query = tile.first_row + at % tile.rows;
    let number = |place: usize| f32::from_bits(words[place]);
    let key = words[4];
    MeasuredRow {
        batch: slice / sizes.heads,
        head: slice % sizes.heads,
        query,
        histogram: std::array::from_fn::<u32, BINS, _>(|bin| words[5 + bin]),
        sums: RowSums {
            keys: sizes.keys,
            // A row with one key has entropy +0, not −0.
            entropy: 0.0 + f64::from(number(0)),
            others: f64::from(number(1)),
            most_attended_other: (key != NO_KEY).then(|| (key as usize, number(3))),
            own: (query < sizes.keys).then(|| number(2)),
        },
    }
}
