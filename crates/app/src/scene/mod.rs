//! Pictures as data: colours, scales, layouts, pixels and marks, before any canvas or SVG.
//!
//! Functions here take slices and sizes and return RGBA bytes ([`heatmap`]) or a list of shapes with roles ([`shape`]); a canvas, the
//! page's style sheet or an SVG writer gives roles their colours. The module knows neither the DOM nor how numbers were computed,
//! so pictures are the same everywhere and are tested without a browser.
//!
//! Rows are queries and run downwards, columns are keys and run to the right. Lengths are CSS pixels unless
//! a name says `device`; one CSS pixel is `dpr` device pixels.
//!
//! | module | holds |
//! |---|---|
//! | [`shape`] | what pictures are made of |
//! | [`role`] | what a shape means, and the colours, lines and faces that follow |
//! | [`svg`] | shapes as SVG, for the page and for files |
//! | [`colour`] | colour maps for fractions between 0 and 1, and text colours readable on them |
//! | [`scale`] | from a weight to a fraction: shared upper end; linear, log or around even; ticks |
//! | [`axis`] | which device pixels belong to which cell |
//! | [`heatmap`] | the RGBA bytes of a map, a thumbnail, a colour bar |
//! | [`layout`] | positions of the map, its labels and titles |
//! | [`marks`] | labels, lines and highlights on a map |
//! | [`hit`] | the cell under the pointer, and the cell that a key press leads to |
//! | [`bars`] | one query's weights as a sorted list |
//! | [`head_sharing_diagram`] | which heads share keys and values, as a drawing |
//! | [`cell_outline`] | rows and cells of a map as paths |
//! | [`bar_chart`] | upright bars, one for each query or bin |
//! | [`chart`] | positions of curves, ticks and names of a chart, linear or log |
//! | [`line_chart`] | a chart of named curves as shapes |
//! | [`curves`] | weights as curves between tokens |
//! | [`figure`] | all of these as files |

pub mod arc;
pub mod axis;
pub mod bar_chart;
pub mod bars;
pub mod cell_outline;
pub mod chart;
pub mod colour;
pub mod curves;
pub mod figure;
pub mod head_sharing_diagram;
pub mod heatmap;
pub mod hit;
pub mod layout;
pub mod line_chart;
pub mod marks;
pub mod math_symbols;
pub mod role;
pub mod scale;
pub mod shape;
pub mod svg;
pub mod ties;
