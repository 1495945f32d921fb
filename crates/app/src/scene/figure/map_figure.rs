//! One map as a figure: cells, labels, selection.

use super::figure_page::{Output, Setting};
use crate::scene::colour::Lut;
use crate::scene::heatmap::{self, Grid, Hatch, Hidden, PoolBy, Pooling, Style};
use crate::scene::layout::{CellFormat, MapLayout, Rect, Request, Side};
use crate::scene::marks;
use crate::scene::scale::Scale;
use crate::scene::shape::{Colour, Hatched, Shape};

/// Cells of a figure up to which each is a shape; more of them are pixels of an embedded picture.
pub const MOST_SHAPES: usize = 10_000;

/// Cells along a side up to which each has a pixel of its own in a picture that is embedded in a file of shapes.
const MOST_PIXELS: u32 = 4096;

/// Pixels along the longer side up to which cells of such a picture are enlarged, so that a viewer that smooths it leaves their middles as
/// they are, and the most pixels along a cell.
const SHARP: u32 = 2048;
const MOST_TIMES: u32 = 8;

/// Distance of hatching lines along a row.
const PERIOD: f64 = 7.0;

/// How far a cell reaches under its neighbours to the right and below, so that no soft edge shows the ground between them.
const UNDER: f64 = 0.2;

/// Numbers and how they are coloured.
#[derive(Clone, Copy)]
pub struct Cells<'a> {
    /// The numbers.
    pub grid: Grid<'a>,
    /// Their colours.
    pub lut: &'a Lut,
    /// Their scale.
    pub scale: &'a Scale,
    /// Pooling of the cells that share a pixel.
    pub pool_by: PoolBy,
}

/// A map and everything that is written around it.
#[derive(Clone, Copy)]
pub struct MapFigure<'a> {
    /// Cells to draw.
    pub cells: Cells<'a>,
    /// A name for each row.
    pub rows: &'a [String],
    /// A name for each column.
    pub columns: &'a [String],
    /// Titles of rows and columns.
    pub titles: [&'a str; 2],
    /// Meaning of rows and columns.
    pub sides: [Side; 2],
    /// Format of the numbers in the cells.
    pub form: CellFormat,
    /// The row and the column that are chosen.
    pub chosen: [Option<usize>; 2],
}

/// A map as part of a figure.
pub struct DrawnMap {
    /// The map, from its upper left corner.
    pub items: Vec<Shape>,
    /// How its cells were pooled.
    pub pooling: Option<Pooling>,
    /// Whether they are pixels.
    pub has_pixels: bool,
}

impl MapFigure<'_> {
    /// Puts the map into a room of `width`.
    pub fn layout(&self, width: f64, setting: &Setting<'_>) -> MapLayout {
        MapLayout::new(&Request {
            width,
            plot_height: f64::INFINITY,
            dpr: setting.output.density(),
            queries: self.rows,
            keys: self.columns,
            query_title: self.titles[0],
            key_title: self.titles[1],
            sides: self.sides,
            form: self.form,
            corner: 0.0,
            measure: setting.measure,
        })
    }

    /// Draws the map; `count` is the number of cells of the whole figure.
    pub fn draw(&self, layout: &MapLayout, count: usize, setting: &Setting<'_>) -> DrawnMap {
        let mut drawn = self.cells.draw(layout, count, setting);
        let Cells {
            grid, lut, scale, ..
        } = &self.cells;
        let [row, column] = self.chosen;
        let items = &mut drawn.items;
        items.extend(marks::still(layout, grid, lut, scale));
        items.extend(marks::labels(layout, row, column));
        items.extend(row.map_or_else(Vec::new, |row| marks::selection(layout, row, column)));
        drawn
    }
}

impl Cells<'_> {
    /// Number of cells.
    pub const fn count(&self) -> usize {
        self.grid.queries() * self.grid.keys()
    }

    /// Draws the cells alone; `count` is the number of cells of the whole figure.
    pub fn draw(&self, layout: &MapLayout, count: usize, setting: &Setting<'_>) -> DrawnMap {
        let is_pooled = layout.rows.pool() > 1 || layout.columns.pool() > 1;
        if count > MOST_SHAPES || is_pooled {
            return self.pixels(layout, setting);
        }
        let mut items = vec![Shape::Cells(self.shapes(layout))];
        items.extend(hatched(
            regions(self.grid.hidden(), layout),
            layout,
            setting,
        ));
        DrawnMap {
            items,
            pooling: None,
            has_pixels: false,
        }
    }

    /// Visible cells with their colours, neighbours of one colour as one.
    fn shapes(&self, layout: &MapLayout) -> Vec<(Rect, Colour)> {
        let (rows, columns) = (self.grid.queries(), self.grid.keys());
        let mut cells: Vec<(Rect, Colour)> = Vec::new();
        for row in 0..rows {
            // The column after the last cell that was drawn, where the next one could join it.
            let mut joins = None;
            for column in 0..columns {
                let Some(colour) = self.colour(row, column) else {
                    continue;
                };
                let mut rect = layout.cell_rect(row, column);
                rect.width += if column + 1 < columns { UNDER } else { 0.0 };
                rect.height += if row + 1 < rows { UNDER } else { 0.0 };
                match cells.last_mut() {
                    Some((last, same)) if joins == Some(column) && *same == colour => {
                        last.width = rect.x + rect.width - last.x;
                    }
                    _ => cells.push((rect, colour)),
                }
                joins = Some(column + 1);
            }
        }
        cells
    }

    /// The colour of a visible cell.
    fn colour(&self, row: usize, column: usize) -> Option<Colour> {
        let is_hidden = self.grid.hidden().is_hidden(row, column);
        let value = self.grid.weight(row, column).filter(|_| !is_hidden)?;
        let place = value * self.grid.factor(self.scale, row);
        let [r, g, b, _] = self.lut.colour(self.scale.index(place));
        Some([r, g, b])
    }

    fn pixels(&self, layout: &MapLayout, setting: &Setting<'_>) -> DrawnMap {
        let mut rgba = Vec::new();
        let style = Style {
            lut: self.lut,
            scale: self.scale,
            hatch: &Hatch::new(setting.ground, setting.output.density()),
            pool_by: self.pool_by,
        };
        let (rows, columns) = (&layout.rows, &layout.columns);
        let (picture, below, times) = match setting.output {
            Output::Shapes => {
                let picture = heatmap::paint_visible(&self.grid, MOST_PIXELS, &style, &mut rgba);
                let times = SHARP / picture.width.max(picture.height).max(1);
                let below = hatched(self.regions_below(layout), layout, setting);
                (picture, below, times.clamp(1, MOST_TIMES))
            }
            Output::Pixels(_) => {
                let picture = heatmap::paint(&self.grid, rows, columns, &style, &mut rgba);
                (picture, Vec::new(), 1)
            }
        };
        let cells = Shape::Pixels {
            rect: layout.plot,
            width: picture.width,
            rgba,
            times,
        };
        DrawnMap {
            items: below.into_iter().chain([cells]).collect(),
            pooling: picture.pooling,
            has_pixels: true,
        }
    }

    /// Regions hatched below a pixel image, in which hidden cells are transparent: the whole plot
    /// if anything is hidden, and over it the rows without visible cells.
    fn regions_below(&self, layout: &MapLayout) -> [Vec<Rect>; 2] {
        let hidden = self.grid.hidden();
        let mut empty = Vec::new();
        let rows = hidden.empty_rows();
        rows.for_each(|row| join(&mut empty, layout.row_rect(row)));
        let all = hidden.hides_some().then_some(layout.plot);
        [all.into_iter().collect(), empty]
    }
}

/// Hatching for hidden cells and for rows where nothing is visible, those that there are.
fn hatched(
    [hidden, empty]: [Vec<Rect>; 2],
    layout: &MapLayout,
    setting: &Setting<'_>,
) -> Vec<Shape> {
    let [ground, stroke, stroke_empty] = Hatch::colours(setting.ground);
    let both = [(hidden, stroke, false), (empty, stroke_empty, true)];
    let there = both.into_iter().filter(|(cells, ..)| !cells.is_empty());
    let shape = |(cells, stroke, is_falling)| {
        Shape::Hatched(Hatched {
            cells,
            origin: (layout.plot.x, layout.plot.y),
            period: PERIOD,
            colours: [ground, stroke],
            is_falling,
        })
    };
    there.map(shape).collect()
}

/// Hidden cells as few rectangles, and the rows without visible cells.
fn regions(hidden: &Hidden, layout: &MapLayout) -> [Vec<Rect>; 2] {
    let (rows, columns) = (layout.rows.cells(), layout.columns.cells());
    let [mut some, mut all] = [Vec::new(), Vec::new()];
    for row in 0..rows {
        if hidden.is_row_empty(row) {
            join(&mut all, layout.row_rect(row));
            continue;
        }
        let mut column = 0;
        while column < columns {
            let end = (column..columns)
                .find(|&at| !hidden.is_hidden(row, at))
                .unwrap_or(columns);
            if end > column {
                let (from, to) = (
                    layout.cell_rect(row, column),
                    layout.cell_rect(row, end - 1),
                );
                let width = to.x + to.width - from.x;
                join(&mut some, Rect { width, ..from });
            }
            column = end.max(column + 1);
        }
    }
    [some, all]
}

/// Adds a rectangle, as part of the one right above it where that is as wide.
fn join(rects: &mut Vec<Rect>, rect: Rect) {
    const NEAR: f64 = 1e-6;
    let is_above = |above: &&mut Rect| {
        (above.x - rect.x).abs() < NEAR
            && (above.width - rect.width).abs() < NEAR
            && (above.y + above.height - rect.y).abs() < NEAR
    };
    match rects.iter_mut().rev().find(is_above) {
        Some(above) => above.height += rect.height,
        None => rects.push(rect),
    }
}
