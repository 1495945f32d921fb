//! A heatmap as a canvas shows it.

use std::rc::Rc;

use super::{Grid, Pooling, Style};
use crate::scene::axis::Axis;
use crate::scene::layout::{LayoutCache, MapLayout, Rect};
use crate::scene::marks;
use crate::scene::shape::Shape;

/// Pixels of a heatmap and their place on a canvas. It is reused from paint to paint.
#[derive(Debug, Default)]
pub struct HeatmapImage {
    layout: Option<Rc<MapLayout>>,
    is_enlarged: bool,
    pixels: Vec<u8>,
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
        self.still.clear();
    }
}
