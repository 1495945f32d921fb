//! Pure pixels and marks: what is drawn, before any canvas.
//!
//! Everything here takes plain slices and sizes and gives back either RGBA bytes ([`heatmap`]) or a list of
//! marks with a meaning ([`marks`]). Whoever paints (a canvas, an SVG writer) turns meanings into the
//! colours of the current theme. Nothing here knows the page, the DOM or how the numbers came about, so a
//! picture is the same everywhere and can be tested without a browser.
//!
//! Rows are queries and run downwards, columns are keys and run to the right. Lengths are CSS pixels unless
//! a name says `device`; one CSS pixel is `dpr` device pixels.
//!
//! | module | answers |
//! |---|---|
//! | [`colour`] | which colour a fraction between 0 and 1 has, and which text can be read on it |
//! | [`scale`] | which fraction a weight has: shared upper end, linear or log, ticks |
//! | [`number`](mod@format) | how a number is written |
//! | [`axis`] | which device pixels belong to which cell |
//! | [`heatmap`] | the RGBA bytes of a map, a thumbnail, a colour bar |
//! | [`layout`] | where the map, its labels and its titles go |
//! | [`marks`] | everything on a map that is not a pixel |
//! | [`hit`] | which cell is under the pointer, and where a key press leads |
//! | [`bars`] | one query's weights as a sorted list |
//! | [`head_sharing_diagram`] | which heads share keys and values, as a drawing |
//! | [`cell_outline`] | rows and cells of a map as paths |
//! | [`bar_paths`] | upright bars, one for each query or bin |
//! | [`chart`] | where curves, ticks and names of a chart go, linear or log |
//! | [`curves`] | weights as curves between tokens |
//! | [`figure`] | all of these as pictures to take away, in files of their own |

pub mod axis;
pub mod bar_paths;
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
pub mod marks;
pub mod math_symbols;
pub mod scale;
