//! Everything on a map that is not a pixel of the heatmap: labels, titles, values, crosshair, colour bar.
//!
//! Marks are two kinds of shapes only, filled rectangles and text, so that a canvas and an SVG draw exactly the same.

mod bar;
mod cross;
mod map;

pub use bar::{ColourBar, colour_bar};
pub use cross::{crosshair, framed, highlighted, lit, pointed, selection};
pub use map::{cell_values, empty_rows, frame, labels, still, titles};

use super::layout::Rect;
use super::role::Role;
use super::shape::Shape;

/// Thickness of a line of about `css` CSS pixels in whole device pixels, as CSS pixels.
fn whole_line(css: f64, dpr: f64) -> f64 {
    (css * dpr).round().max(1.0) / dpr
}

/// The four sides of a frame of `thickness` around the outside of `rect`.
fn frame_around(rect: Rect, thickness: f64, role: Role) -> [Shape; 4] {
    frame_of(rect, [thickness; 4], role)
}

/// The same with a thickness for each side: above, below, left and right.
fn frame_of(rect: Rect, [above, below, left, right]: [f64; 4], role: Role) -> [Shape; 4] {
    let Rect {
        x,
        y,
        width,
        height,
    } = rect;
    let wide = left + width + right;
    let side = |x, y, width, height| Shape::Rect {
        rect: Rect {
            x,
            y,
            width,
            height,
        },
        role,
    };
    [
        side(x - left, y - above, wide, above),
        side(x - left, y + height, wide, below),
        side(x - left, y, left, height),
        side(x + width, y, right, height),
    ]
}
