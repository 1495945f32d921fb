//! Figures to save: a map, several maps or a chart, for paper or slides.
//!
//! A [`Figure`] is a list of [`Shape`]s with colours, sizes and fonts written out, so it needs no style sheet and no page.
//! [`svg::write`] makes an SVG file in which text stays text; PNG files are drawn from it. Lengths are CSS pixels, 96 to the inch.
//!
//! | module | holds |
//! |---|---|
//! | [`palette`] | the colours and fonts of a figure, on white and on dark |
//! | [`figure_page`] | heading, pictures, legend and caption, one below the other |
//! | [`map_figure`] | one map with its labels |
//! | [`small_multiples`] | several small maps, side by side |
//! | [`legend`] | the legend of colours and hatching |
//! | [`bars`] | upright bars over a named axis |
//! | [`line_chart`] | curves of a chart |
//! | [`curves`] | weights as curves between tokens |
//! | [`svg`] | the figure as an SVG file |
//! | [`png`] | pixels as a PNG file, and its density |

pub mod bars;
pub mod curves;
pub mod figure_page;
pub mod legend;
pub mod line_chart;
pub mod map_figure;
pub mod palette;
pub mod png;
pub mod small_multiples;
pub mod svg;
mod wrap;

use super::colour::Background;
use super::curves::Strand;
use super::layout::Rect;
use super::marks::Anchor;
use palette::{Colour, Face};

/// A picture with everything that it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Width of the whole.
    pub width: f64,
    /// Height of the whole.
    pub height: f64,
    /// What it lies on.
    pub ground: Background,
    /// A word for the names inside the file, so that several figures can stand in one document: letters, digits and hyphens.
    pub id: String,
    /// The tag of its language, such as `en`.
    pub language: &'static str,
    /// What it is called, for those who listen.
    pub title: String,
    /// What it shows, for those who listen.
    pub description: String,
    /// Whether some cells are pixels of an embedded picture, because there are too many of them for shapes.
    pub has_pixels: bool,
    /// From the bottom to the top.
    pub items: Vec<Shape>,
}

/// A line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub colour: Colour,
    /// Its thickness.
    pub width: f64,
    /// Lengths of dashes and gaps; a whole line where there are none.
    pub dashes: &'static [f64],
    /// Opacity, 0…1.
    pub opacity: f64,
    /// Whether its dashes have round ends.
    pub is_round: bool,
}

impl Stroke {
    /// A whole line.
    pub const fn new(colour: Colour, width: f64) -> Self {
        Self {
            colour,
            width,
            dashes: &[],
            opacity: 1.0,
            is_round: false,
        }
    }
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextRun {
    /// Where the anchor stands.
    pub x: f64,
    /// Where the baseline stands at the anchor.
    pub y: f64,
    /// What is written.
    pub text: String,
    /// Which end stands at `x`.
    pub anchor: Anchor,
    /// Rotation about `(x, y)`, degrees clockwise.
    pub degrees: f64,
    /// Text size.
    pub size: f64,
    /// Its face.
    pub face: Face,
    /// Its colour.
    pub colour: Colour,
}

/// Part of a figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A filled rectangle.
    Rect {
        /// Its place.
        rect: Rect,
        /// Its colour.
        fill: Colour,
    },
    /// Cells of a map; neighbours of one colour are one rectangle.
    Cells(Vec<(Rect, Colour)>),
    /// Cells of a map as pixels, stretched over `rect`.
    Pixels {
        /// Their place.
        rect: Rect,
        /// Pixels across.
        width: u32,
        /// RGBA bytes, row by row.
        rgba: Vec<u8>,
        /// Whether a pixel stays a sharp rectangle; smoothed where there are more of them than there is room for.
        is_sharp: bool,
    },
    /// Rectangles under diagonal lines.
    Hatched(Hatched),
    /// Colours from the left to the right, equally far apart.
    Gradient {
        /// Its place.
        rect: Rect,
        /// At least two.
        stops: Vec<Colour>,
    },
    /// A shape in the notation of SVG.
    Path {
        /// Its course.
        path: String,
        /// What it is filled with.
        fill: Option<Colour>,
        /// The line along it.
        stroke: Option<Stroke>,
    },
    /// Curves that run from one hue into another.
    Strands {
        /// Their left end.
        x: f64,
        /// The upper edge of their drawing.
        y: f64,
        /// From the left to the right end.
        width: f64,
        /// The curves, with the strongest last.
        strands: Vec<Strand>,
        /// The hue of the left and of the right end.
        hues: [Colour; 2],
    },
    /// A line of text.
    Words(TextRun),
    /// Parts with a place of their own.
    Group {
        /// How far they are moved to the right.
        x: f64,
        /// How far they are moved down.
        y: f64,
        /// The parts.
        items: Vec<Shape>,
    },
}

/// Cells that a mask hides.
#[derive(Clone, Debug, PartialEq)]
pub struct Hatched {
    /// The cells; neighbours are one.
    pub cells: Vec<Rect>,
    /// Where the lines are counted from.
    pub origin: (f64, f64),
    /// Distance of lines along a row.
    pub period: f64,
    /// Colour of the ground and of the lines.
    pub colours: [Colour; 2],
    /// Whether lines fall to the right, as in rows where nothing is visible.
    pub is_falling: bool,
}
