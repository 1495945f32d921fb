//! How the attend stage is cut into tiles.

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
    /// Multiply-adds that there is time for.
    pub(super) multiply_adds: u64,
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
    let by_time = limits.multiply_adds / multiply_adds.max(1);
    let rows = usize::try_from(limits.rows.min(by_time)).unwrap_or(usize::MAX);
    let rows = rows.clamp(1, MOST_ROWS * MOST_SLICES);
    if rows < sizes.n || sizes.n > MOST_ROWS {
        return (1, rows.min(MOST_ROWS));
    }
    ((rows / sizes.n.max(1)).clamp(1, MOST_SLICES), sizes.n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(n: usize) -> Sizes {
        Sizes {
            batch: 1,
            heads: 8,
            kv_heads: 8,
            n,
            m: n,
            keys: n,
            d_model: Some(512),
            d_k: 64,
            d_v: 64,
            d_out: 512,
        }
    }

    /// Slices and rows that a card takes at a time where weights are read, and where only the output is.
    #[test]
    fn a_card_is_given_whole_heads() {
        let shapes = |multiply_adds| {
            let shape = |(n, bytes): (usize, u64)| {
                let rows = (bytes << 20) / (4 * n as u64);
                let limits = Limits {
                    multiply_adds,
                    rows,
                    is_wide: false,
                };
                shape_of(&limits, n)
            };
            [(2048, 128), (4096, 128), (8192, 1 << 20)].map(shape)
        };
        assert_eq!(shapes(1 << 33), [(8, 2048), (2, 4096), (1, 8192)]);
        assert_eq!(shapes(1 << 36), [(8, 2048), (2, 4096), (8, 8192)]);
    }

    fn shape_of(limits: &Limits, n: usize) -> (usize, usize) {
        shape(limits, &sizes(n), 1)
    }
}
