//! How many rows of the score matrix exist at once.

/// How many scores a tile holds at most; 64 Ki numbers (256 KiB) stay in a second-level cache.
const TILE_SCORES: usize = 64 * 1024;
const MOST_ROWS: usize = 64;

/// Query rows of a CPU tile for `keys` key columns. The GPU chooses its own tile sizes.
pub fn tile_rows(keys: usize) -> usize {
    (TILE_SCORES / keys.max(1)).clamp(1, MOST_ROWS)
}
