//! A heatmap as a canvas shows it.

use std::rc::Rc;

use super::{Grid, Pooling, Style};
use crate::scene::axis::Axis;
use crate::scene::colour::Lut;
use crate::scene::layout::{LayoutCache, MapLayout, Rect};
use crate::scene::marks;
use crate::scene::scale::Scale;
use crate::scene::shape::Shape;

/// Height of a colour bar, size of the numbers below it, and room for its frame to both sides.
const BAR: f64 = 10.0;
const BAR_TYPE: f64 = 12.0;
const BAR_EDGE: f64 = 1.0;
/// Bar, tick and a line of numbers.
const BAR_HEIGHT: f64 = BAR + 6.0 + 1.2 * BAR_TYPE + 1.0;

/// Pixels of a heatmap and their place on a canvas. It is reused from paint to paint.
#[derive(Debug, Default)]
pub struct HeatmapImage {
    layout: Option<Rc<MapLayout>>,
    is_enlarged: bool,
    pixels: Vec<u8>,
    pooling: Option<Pooling>,
    still: Vec<Shape>,
    /// Layouts of a map with labels.
    pub layouts: LayoutCache,
}

impl HeatmapImage {
    /// Paints cells where `layout` has them. Returns how they were pooled, where there are more of them than pixels.
    pub fn paint(
        &mut self,
        layout: Rc<MapLayout>,
        grid: &Grid<'_>,
        style: &Style<'_>,
    ) -> Option<Pooling> {
        let (rows, columns) = (&layout.rows, &layout.columns);
        let picture = super::paint(grid, rows, columns, style, &mut self.pixels);
        (self.layout, self.is_enlarged) = (Some(layout), false);
        self.still.clear();
        self.pooling = picture.pooling;
        picture.pooling
    }

    /// Paints cells with their values, a frame and titles.
    pub fn paint_map(
        &mut self,
        layout: Rc<MapLayout>,
        grid: &Grid<'_>,
        style: &Style<'_>,
    ) -> Option<Pooling> {
        let pooling = self.paint(Rc::clone(&layout), grid, style);
        self.still = marks::still(&layout, grid, style.lut, style.scale);
        pooling
    }

    /// Paints a pixel for each cell, and at most `most` along a side.
    pub fn paint_small(&mut self, grid: &Grid<'_>, most: u32, style: &Style<'_>) {
        let picture = super::paint_small(grid, most, style, &mut self.pixels);
        self.enlarge(picture.width, picture.height);
    }

    /// Paints a colour bar of a width in CSS pixels with its numbers below; `even` names the middle of a scale relative to an even row.
    pub fn paint_bar(
        &mut self,
        (lut, scale): (&Lut, &Scale),
        (width, dpr): (f64, f64),
        even: &str,
        measure: &dyn Fn(&str, f64) -> f64,
    ) {
        let rect = Rect {
            x: BAR_EDGE,
            y: BAR_EDGE,
            width: (width - 2.0 * BAR_EDGE).max(0.0),
            height: BAR,
        };
        let [across, down] = [rect.width, BAR].map(|css| (css * dpr).round().max(0.0) as u32);
        super::paint_colour_bar(lut, across, down, &mut self.pixels);
        let axes = [down, across].map(|pixels| Axis::one_pixel_each(pixels as usize, pixels));
        self.layout = Some(Rc::new(MapLayout {
            width,
            height: BAR_HEIGHT,
            ..MapLayout::bare(rect, axes, dpr)
        }));
        (self.is_enlarged, self.pooling) = (false, None);
        let bar = marks::ColourBar {
            rect,
            size: BAR_TYPE,
            dpr,
            even,
            measure,
        };
        self.still = marks::colour_bar(&bar, scale);
    }

    /// Takes the colours of a square matrix, a pixel for each cell.
    pub fn set_colours(&mut self, side: u32, colours: impl Iterator<Item = [u8; 4]>) {
        self.pixels.clear();
        self.pixels.extend(colours.flatten());
        self.enlarge(side, side);
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.pixels.clear();
        self.enlarge(1, 1);
    }

    /// How cells were pooled, where there are more of them than pixels.
    pub fn pooling(&self) -> Option<Pooling> {
        self.pooling
    }

    /// Layout of the canvas; `None` before the first paint.
    pub fn layout(&self) -> Option<&Rc<MapLayout>> {
        self.layout.as_ref()
    }

    /// Size of the canvas in CSS pixels; `None` where the style sheet enlarges a pixel for each cell.
    pub fn css_size(&self) -> Option<(f64, f64)> {
        let layout = self.layout.as_ref().filter(|_| !self.is_enlarged)?;
        Some((layout.width, layout.height))
    }

    /// Marks that stay while the pointer moves.
    pub fn still(&self) -> &[Shape] {
        &self.still
    }

    /// RGBA, row by row from the upper left corner of the plot.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    fn enlarge(&mut self, width: u32, height: u32) {
        let plot = Rect {
            width: width.into(),
            height: height.into(),
            ..Rect::default()
        };
        let axes = [height, width].map(|side| Axis::one_pixel_each(side as usize, side));
        self.layout = Some(Rc::new(MapLayout::bare(plot, axes, 1.0)));
        self.is_enlarged = true;
        self.pooling = None;
        self.still.clear();
    }
}
