//! Which device pixels belong to which cell, along one side of a map.
//!
//! `cells` cells share `pixels` device pixels. Where there are more cells than pixels, [`Axis::pool`] neighbouring cells form a block.
//! The edge before block `b` of `B` is at `round(b · pixels / B)`: always a whole pixel, so every cell is sharp at any density, and no
//! edge is off by more than half a pixel.

use std::ops::Range;

/// One side of a map: cells laid over device pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The first cell; another than 0 where only a part of the cells is shown.
    first: usize,
    cells: usize,
    pixels: u32,
    pool: usize,
}

impl Axis {
    /// `cells` cells over `pixels` device pixels; both may be zero.
    pub fn new(cells: usize, pixels: u32) -> Self {
        let pool = match pixels {
            0 => cells.max(1),
            _ => cells.div_ceil(pixels as usize).max(1),
        };
        Self {
            first: 0,
            cells,
            pixels,
            pool,
        }
    }

    /// Some of the cells over `pixels` device pixels.
    pub fn part(cells: Range<usize>, pixels: u32) -> Self {
        Self {
            first: cells.start,
            ..Self::new(cells.len(), pixels)
        }
    }

    /// One device pixel per cell as long as there are no more than `most` (at least 1) of them.
    pub fn one_pixel_each(cells: usize, most: u32) -> Self {
        let pool = cells.div_ceil(most.max(1) as usize).max(1);
        Self {
            first: 0,
            cells,
            pixels: cells.div_ceil(pool) as u32,
            pool,
        }
    }

    /// Number of cells that are shown.
    pub const fn cells(&self) -> usize {
        self.cells
    }

    /// The cells that are shown.
    pub const fn range(&self) -> Range<usize> {
        self.first..self.first + self.cells
    }

    /// Length in device pixels.
    pub const fn pixels(&self) -> u32 {
        self.pixels
    }

    /// Cells drawn together in one block; 1 when every cell is drawn by itself.
    pub const fn pool(&self) -> usize {
        self.pool
    }

    /// Number of blocks that are drawn.
    pub const fn blocks(&self) -> usize {
        self.cells.div_ceil(self.pool)
    }

    /// Device pixel at which block `block` begins; for `block == blocks()` the far end.
    pub fn edge(&self, block: usize) -> u32 {
        let blocks = self.blocks().max(1) as u64;
        let block = (block as u64).min(blocks);
        // Integer arithmetic rounds the same way everywhere; halves go up.
        ((2 * block * u64::from(self.pixels) + blocks) / (2 * blocks)) as u32
    }

    /// Device pixels of block `block`.
    pub fn span(&self, block: usize) -> Range<u32> {
        self.edge(block)..self.edge(block.saturating_add(1))
    }

    /// The block that device pixel `pixel` belongs to; `None` beyond the ends.
    pub fn block_at(&self, pixel: u32) -> Option<usize> {
        let blocks = self.blocks();
        if pixel >= self.pixels || blocks == 0 {
            return None;
        }
        let near = (u64::from(pixel) * blocks as u64 / u64::from(self.pixels)) as usize;
        // Rounding moves an edge by at most half a pixel, so the guess is off by at most one block.
        let candidates = near.saturating_sub(1)..=near + 1;
        candidates
            .into_iter()
            .find(|&block| self.span(block).contains(&pixel))
    }

    /// The cells of block `block`.
    pub fn cells_of(&self, block: usize) -> Range<usize> {
        let start = block.saturating_mul(self.pool).min(self.cells);
        let end = start.saturating_add(self.pool).min(self.cells);
        self.first + start..self.first + end
    }

    /// The block in which cell `cell` is drawn; the first where it comes before those that are shown.
    pub const fn block_of(&self, cell: usize) -> usize {
        cell.saturating_sub(self.first) / self.pool
    }

    /// The cell under device position `at` (which may lie between pixels); `None` beyond the ends.
    ///
    /// Inside a block of several cells the position within the block picks the cell.
    pub fn cell_at(&self, at: f64) -> Option<usize> {
        if !(at >= 0.0 && at < f64::from(self.pixels)) {
            return None;
        }
        let block = self.block_at(at as u32)?;
        let (span, cells) = (self.span(block), self.cells_of(block));
        let share = (at - f64::from(span.start)) / f64::from(span.end - span.start).max(1.0);
        let within = (share * cells.len() as f64) as usize;
        Some((cells.start + within).min(cells.end - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes chosen to be pairwise different, with more cells than pixels among them.
    const SIZES: [(usize, u32); 9] = [
        (1, 1),
        (1, 17),
        (5, 13),
        (7, 7),
        (13, 640),
        (100, 99),
        (1024, 680),
        (999, 31),
        (6, 1279),
    ];

    #[test]
    fn spans_tile_the_axis_without_gap_or_overlap() {
        for (cells, pixels) in SIZES {
            let axis = Axis::new(cells, pixels);
            let mut at = 0;
            for block in 0..axis.blocks() {
                let span = axis.span(block);
                assert_eq!(
                    span.start, at,
                    "{cells} cells, {pixels} pixels, block {block}"
                );
                assert!(
                    span.end > span.start,
                    "{cells} cells, {pixels} pixels, block {block} is empty"
                );
                at = span.end;
            }
            assert_eq!(at, pixels);
        }
    }

    #[test]
    fn edges_are_the_rounded_ideal() {
        for (cells, pixels) in SIZES {
            let axis = Axis::new(cells, pixels);
            for block in 0..=axis.blocks() {
                let ideal = block as f64 * f64::from(pixels) / axis.blocks() as f64;
                assert_eq!(
                    f64::from(axis.edge(block)),
                    (ideal + 1e-9).round(),
                    "{cells}/{pixels}/{block}"
                );
            }
        }
    }

    #[test]
    fn every_pixel_finds_its_block() {
        for (cells, pixels) in SIZES {
            let axis = Axis::new(cells, pixels);
            for pixel in 0..pixels {
                let block = axis.block_at(pixel).expect("inside");
                assert!(
                    axis.span(block).contains(&pixel),
                    "{cells}/{pixels}: {pixel} in {block}"
                );
            }
            assert_eq!(axis.block_at(pixels), None);
        }
    }

    #[test]
    fn blocks_hold_every_cell_once_and_no_more_than_pixels_allow() {
        for (cells, pixels) in SIZES {
            let axis = Axis::new(cells, pixels);
            let all: Vec<usize> = (0..axis.blocks())
                .flat_map(|block| axis.cells_of(block))
                .collect();
            assert_eq!(all, (0..cells).collect::<Vec<_>>());
            assert!(axis.blocks() <= pixels as usize);
            assert!(
                all.iter()
                    .all(|&cell| axis.cells_of(axis.block_of(cell)).contains(&cell))
            );
        }
    }

    #[test]
    fn the_place_within_a_block_picks_the_cell() {
        let axis = Axis::new(9, 4);
        assert_eq!((axis.pool(), axis.blocks()), (3, 3));
        assert_eq!((axis.span(1), axis.cells_of(1)), (1..3, 3..6));
        let cells = [1.1, 1.9, 2.8].map(|at| axis.cell_at(at));
        assert_eq!(cells, [Some(3), Some(4), Some(5)]);
    }

    #[test]
    fn a_part_is_laid_out_as_the_whole_but_for_where_it_begins() {
        for (cells, pixels) in SIZES {
            let (whole, part) = (Axis::new(cells, pixels), Axis::part(30..30 + cells, pixels));
            assert_eq!(part.range(), 30..30 + cells);
            for pixel in 0..pixels {
                let at = f64::from(pixel) + 0.5;
                let cell = part.cell_at(at).expect("inside");
                assert_eq!(Some(cell), whole.cell_at(at).map(|cell| 30 + cell));
                assert!(part.span(part.block_of(cell)).contains(&pixel));
            }
        }
    }

    #[test]
    fn empty_axes_answer_nothing() {
        for axis in [Axis::new(0, 30), Axis::new(11, 0), Axis::new(0, 0)] {
            assert_eq!(axis.block_at(0), None, "{axis:?}");
            assert_eq!(axis.cell_at(0.0), None, "{axis:?}");
            assert_eq!(axis.cell_at(f64::NAN), None, "{axis:?}");
        }
    }

    #[test]
    fn one_pixel_each_pools_only_above_the_limit() {
        assert_eq!(
            Axis::one_pixel_each(13, 64),
            Axis {
                first: 0,
                cells: 13,
                pixels: 13,
                pool: 1
            }
        );
        assert_eq!(
            Axis::one_pixel_each(130, 64),
            Axis {
                first: 0,
                cells: 130,
                pixels: 44,
                pool: 3
            }
        );
    }
}
