//! Figures to save: a map, several maps or a chart, for paper or slides.
//!
//! A [`Figure`] is a list of [`Shape`]s, those of the page with heading, legend and caption around them.
//! [`svg::write`](super::svg::write) makes an SVG file in which text stays text; PNG files are drawn from it. Lengths are CSS pixels,
//! 96 to the inch.
//!
//! | module | holds |
//! |---|---|
//! | [`palette`] | the colours and fonts of a figure, on white and on dark |
//! | [`figure_page`] | heading, pictures, legend and caption, one below the other |
//! | [`map_figure`] | one map with its labels |
//! | [`small_multiples`] | several small maps, side by side |
//! | [`legend`] | the legend of colours and hatching |
//! | [`bars`] | upright bars over a named axis |
//! | [`curves`] | weights as curves between tokens |
//! | [`png`] | pixels as a PNG file, and its density |

wasm_chunks::chunk!("more");

pub mod bars;
pub mod curves;
pub mod figure_page;
pub mod legend;
pub mod map_figure;
pub mod palette;
pub mod png;
pub mod small_multiples;
mod wrap;

pub(super) use wrap::wrap;

use super::colour::Background;
use super::shape::Shape;

/// A picture with everything that it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Width of the whole.
    pub width: f64,
    /// Height of the whole.
    pub height: f64,
    /// Background.
    pub ground: Background,
    /// A word for the names inside the file, so that several figures can stand in one document: letters, digits and hyphens.
    pub id: String,
    /// The tag of its language, such as `en`.
    pub language: &'static str,
    /// Title for screen readers.
    pub title: String,
    /// Description for screen readers.
    pub description: String,
    /// Whether some cells are pixels of an embedded picture, because there are too many of them for shapes.
    pub has_pixels: bool,
    /// From the bottom to the top.
    pub items: Vec<Shape>,
}
