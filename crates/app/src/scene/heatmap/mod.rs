//! The pixels of a map: turns weights, or any other matrix, into RGBA bytes.
//!
//! [`paint`] draws at device resolution into a buffer that is reused between frames. Each row of cells is coloured once and then
//! copied for its whole height. Hidden cells are hatched, so that masked never looks like zero; queries that see no key are hatched
//! the other way. Where there are more cells than pixels, blocks of cells are drawn as their maximum or mean, and the result reports
//! this.

mod cells;
mod hatch;
mod image;

pub use cells::{Grid, GridError, Hidden};
pub use hatch::Hatch;
pub use image::HeatmapImage;

use super::axis::Axis;
use super::colour::{Lut, STEPS};
use super::scale::Scale;

/// Pooling of a block of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PoolBy {
    /// The largest visible weight: no peak is lost.
    #[default]
    Max,
    /// The mean of the visible weights.
    Mean,
    /// The visible number furthest from zero, with its sign: what [`Max`](Self::Max) is to signed numbers.
    Peak,
}

/// How many cells one drawn block stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pooling {
    /// Query rows per block.
    pub queries: usize,
    /// Key columns per block.
    pub keys: usize,
    /// Maximum, mean or peak.
    pub by: PoolBy,
}

/// Report of a paint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Device pixels across.
    pub width: u32,
    /// Device pixels down.
    pub height: u32,
    /// `None` when every cell was drawn by itself. Otherwise the page has to show it.
    pub pooling: Option<Pooling>,
}

/// How weights become colours.
#[derive(Clone, Copy, Debug)]
pub struct Style<'a> {
    /// Colours of the map.
    pub lut: &'a Lut,
    /// Place of a weight on the map.
    pub scale: &'a Scale,
    /// Pattern of hidden cells.
    pub hatch: &'a Hatch,
    /// Pooling of blocks when there are more cells than pixels.
    pub pool_by: PoolBy,
}

/// Code of a block in which every cell is hidden; smaller codes are entries of the colour table.
const HIDDEN: u16 = STEPS as u16;

/// Paints `grid` with its queries laid along `rows` and its keys along `columns`.
///
/// `out` is resized to `4 · width · height` bytes, RGBA, row by row from the top left; what it held before is
/// overwritten. The axes normally come from a [layout](super::layout), so that pixels, marks and hit tests agree.
/// Axes with other cell counts than the grid paint the cells that both have.
pub fn paint(
    grid: &Grid<'_>,
    rows: &Axis,
    columns: &Axis,
    style: &Style<'_>,
    out: &mut Vec<u8>,
) -> Picture {
    let (width, height) = (columns.pixels() as usize, rows.pixels() as usize);
    out.resize(4 * width * height, 0);
    let mut canvas = Canvas::new(out, width, columns, style.hatch);
    let mut codes = vec![0; columns.blocks()];
    let mut pool = Vec::new();
    for block in 0..rows.blocks() {
        let queries = rows.cells_of(block);
        let empty = queries
            .clone()
            .all(|query| grid.hidden().is_row_empty(query));
        cells::codes(grid, queries, columns, style, &mut pool, &mut codes);
        canvas.paint_row(rows.span(block), &codes, style.lut, empty);
    }
    Picture {
        width: columns.pixels(),
        height: rows.pixels(),
        pooling: pooling(rows, columns, style.pool_by),
    }
}

/// Paints `grid` with one pixel per cell, for a thumbnail that is enlarged without smoothing.
///
/// More than `most` cells along a side are pooled. One pixel has no room for hatching: hidden cells get its mean
/// colour.
pub fn paint_small(grid: &Grid<'_>, most: u32, style: &Style<'_>, out: &mut Vec<u8>) -> Picture {
    paint_one_each(grid, most, style, &style.hatch.flat(), out)
}

/// The same without a colour for hidden cells, so that a hatching below them is seen.
pub fn paint_visible(grid: &Grid<'_>, most: u32, style: &Style<'_>, out: &mut Vec<u8>) -> Picture {
    paint_one_each(grid, most, style, &Hatch::clear(), out)
}

fn paint_one_each(
    grid: &Grid<'_>,
    most: u32,
    style: &Style<'_>,
    hatch: &Hatch,
    out: &mut Vec<u8>,
) -> Picture {
    let rows = Axis::one_pixel_each(grid.queries(), most);
    let columns = Axis::one_pixel_each(grid.keys(), most);
    paint(grid, &rows, &columns, &Style { hatch, ..*style }, out)
}

/// Paints the colours of `lut` from the low end on the left to the high end on the right.
pub fn paint_colour_bar(lut: &Lut, width: u32, height: u32, out: &mut Vec<u8>) {
    let (columns, last) = (width as usize, width.saturating_sub(1).max(1));
    out.resize(4 * columns * height as usize, 0);
    let entry = |x: u32| ((u64::from(x) * 510 + u64::from(last)) / (2 * u64::from(last))) as u8;
    for row in out.chunks_exact_mut((4 * columns).max(1)) {
        for (x, pixel) in (0..).zip(row.as_chunks_mut::<4>().0) {
            *pixel = lut.colour(entry(x));
        }
    }
}

/// The pooling of two axes, `None` when there is none.
fn pooling(rows: &Axis, columns: &Axis, by: PoolBy) -> Option<Pooling> {
    let pooling = Pooling {
        queries: rows.pool(),
        keys: columns.pool(),
        by,
    };
    (pooling.queries > 1 || pooling.keys > 1).then_some(pooling)
}

/// The output while it is being painted.
struct Canvas<'a> {
    pixels: &'a mut [[u8; 4]],
    width: usize,
    columns: &'a Axis,
    /// Block of each pixel column.
    block_at: Vec<u32>,
    hatch: hatch::Strips,
}

impl<'a> Canvas<'a> {
    fn new(bytes: &'a mut [u8], width: usize, columns: &'a Axis, hatch: &Hatch) -> Self {
        let blocks = 0..columns.blocks();
        let block_at = blocks
            .flat_map(|block| columns.span(block).map(move |_| block as u32))
            .collect();
        Self {
            pixels: bytes.as_chunks_mut().0,
            width,
            columns,
            block_at,
            hatch: hatch.strips(width),
        }
    }

    /// Paints one row of blocks over the pixel rows `span`.
    fn paint_row(&mut self, span: std::ops::Range<u32>, codes: &[u16], lut: &Lut, empty: bool) {
        let (top, bottom) = (span.start as usize, span.end as usize);
        if top >= bottom || self.width == 0 {
            return;
        }
        let first = top * self.width..(top + 1) * self.width;
        for (pixel, &block) in self.pixels[first.clone()].iter_mut().zip(&self.block_at) {
            // The mask keeps hidden codes inside the table; their pixels are hatched below.
            *pixel = lut.colour((codes[block as usize] & 0xff) as u8);
        }
        for row in top + 1..bottom {
            self.pixels.copy_within(first.clone(), row * self.width);
        }
        for run in hidden_runs(codes) {
            let (left, right) = (
                self.columns.edge(run.start) as usize,
                self.columns.edge(run.end) as usize,
            );
            for row in top..bottom {
                let line = &mut self.pixels[row * self.width + left..row * self.width + right];
                line.copy_from_slice(self.hatch.at(left, row, right - left, empty));
            }
        }
    }
}

/// Runs of neighbouring hidden blocks.
fn hidden_runs(codes: &[u16]) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + codes[at..].iter().position(|&code| code == HIDDEN)?;
        at = start
            + codes[start..]
                .iter()
                .take_while(|&&code| code == HIDDEN)
                .count();
        Some(start..at)
    })
}
