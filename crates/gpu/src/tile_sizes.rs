//! How the attend stage is cut into tiles.

use crate::Tier;
use crate::results::Tile;
use attention::{Config, Scoring, Sizes};

/// Rows of a tile at most: a dispatch is limited along each axis.
const MOST_ROWS: usize = 32_768;
/// Slices of a tile at most, for the same reason.
const MOST_SLICES: usize = 65_535;

/// Cost of a multiply-add in twice the precision, in ordinary ones, and of a term of an additive score
/// with its tanh.
const WIDE_COST: u64 = 16;
const WIDE_ADDITIVE_COST: u64 = 256;

/// Limits of a tile's size.
pub(super) struct Limits {
    /// The kernels, by which time is counted.
    pub(super) tier: Tier,
    /// Rows that memory has room for.
    pub(super) rows: u64,
    /// Whether scores of some rows are made in twice the precision.
    pub(super) is_wide: bool,
}

/// The first tile, or the one after `before`; `None` when all are done.
pub(super) fn next(limits: &Limits, config: &Config, before: Option<Tile>) -> Option<Tile> {
    let sizes = &config.sizes;
    let all = sizes.batch * sizes.heads;
    let each = match (limits.is_wide, config.scoring) {
        (false, _) => 1,
        (true, Scoring::Dot) => WIDE_COST,
        (true, Scoring::Additive) => WIDE_ADDITIVE_COST,
    };
    let (slices, rows) = shape(limits, sizes, each);
    let (first_slice, first_row) = match before {
        None => (0, 0),
        Some(tile) if tile.first_row + tile.rows < sizes.n => {
            (tile.first_slice, tile.first_row + tile.rows)
        }
        Some(tile) => (tile.first_slice + tile.slices, 0),
    };
    (first_slice < all && sizes.n > 0).then(|| Tile {
        first_slice,
        slices: slices.min(all - first_slice),
        first_row,
        rows: rows.min(sizes.n - first_row),
    })
}

/// Slices and rows that go through at once: as many as memory and time allow, either whole slices or a part of one. A
/// multiply-add costs `each` ordinary ones.
fn shape(limits: &Limits, sizes: &Sizes, each: u64) -> (usize, usize) {
    let multiply_adds = each * (sizes.keys * (sizes.d_k + sizes.d_v)) as u64;
    let by_time = limits.tier.most_multiply_adds() / multiply_adds.max(1);
    let rows = usize::try_from(limits.rows.min(by_time)).unwrap_or(usize::MAX);
    let rows = rows.clamp(1, MOST_ROWS * MOST_SLICES);
    if rows < sizes.n || sizes.n > MOST_ROWS {
        return (1, rows.min(MOST_ROWS));
    }
    ((rows / sizes.n.max(1)).clamp(1, MOST_SLICES), sizes.n)
}
