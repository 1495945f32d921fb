//! How many rows of the score matrix exist at once.

/// How many scores a tile holds at most; 64 Ki numbers (256 KiB) stay in a second-level cache.
const TILE_SCORES: usize = 64 * 1024;
const MOST_ROWS: usize = 64;

/// How many query rows the processor takes at once for `keys` key columns. A device takes tiles of its own size.
pub fn tile_rows(keys: usize) -> usize {
    (TILE_SCORES / keys.max(1)).clamp(1, MOST_ROWS)
}
