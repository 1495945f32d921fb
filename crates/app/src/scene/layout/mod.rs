//! Positions of a map, its labels and its titles.
//!
//! ```text
//!            key →
//!           k e y s          column labels: level, slanted or upright
//! query ↓ ┌─────────┐
//!  labels │  plot   │        square cells where both sides allow it
//!         └─────────┘
//! ```
//!
//! A layout depends on the labels, the available size and the pixel density, not on the selection: hovering never moves anything.
//! The plot begins and ends at whole device pixels; if that costs little, it is shrunk so that all cells are equally large.

mod fit;
mod labels;
mod plot;
mod viewport;

pub use fit::{LayoutCache, Room};
pub use labels::{Label, LabelRotation, Labels};
pub(super) use plot::{TITLE_LINE, axis};
pub use viewport::{OVERVIEW_MARGIN, Viewport};

use super::axis::Axis;
use crate::i18n::number::CellStyle;

/// Width that the whole map, labels included, does not exceed on a wide page, in CSS pixels.
pub const MAP_MAX_WIDTH: f64 = 720.0;
/// Side of the largest cell, in CSS pixels.
pub const CELL_MAX: f64 = 72.0;
/// Text size of axis titles, in CSS pixels.
pub const TITLE_SIZE: f64 = 14.0;
/// Space between labels and plot, in CSS pixels.
pub const LABEL_GAP: f64 = 6.0;

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Extent to the right.
    pub width: f64,
    /// Extent downwards.
    pub height: f64,
}

/// Data to lay out, and the available space.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// CSS pixels there are for the whole map, labels included.
    pub width: f64,
    /// CSS pixels that the plot may be high; `f64::INFINITY` for no limit but the width.
    pub plot_height: f64,
    /// Device pixels per CSS pixel.
    pub dpr: f64,
    /// One label per query row.
    pub queries: &'a [String],
    /// One label per key column.
    pub keys: &'a [String],
    /// Title of the rows, such as "query ↓".
    pub query_title: &'a str,
    /// Title of the columns, such as "key →".
    pub key_title: &'a str,
    /// Meaning of rows and columns.
    pub sides: [Side; 2],
    /// Format of the numbers in the cells.
    pub form: CellFormat,
    /// CSS pixels at the right end of the first line that buttons cover.
    pub corner: f64,
    /// Width in CSS pixels of a text set in a size in CSS pixels.
    pub measure: &'a dyn Fn(&str, f64) -> f64,
}

/// Meaning of one side of a map; decides the hue of its labels and lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// Tokens that ask.
    Queries,
    /// Tokens that are asked.
    Keys,
    /// Neither, such as the components of a vector.
    #[default]
    Neither,
}

/// Number format of a map's cells, which determines their width.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum CellFormat {
    /// From 0 to 1.
    #[default]
    Weights,
    /// Of either sign, up to `top` away from zero.
    Signed {
        /// The largest distance from zero.
        top: f32,
    },
    /// Nothing is written.
    Unwritten,
}

impl CellFormat {
    /// Characters that the widest number has before the digits of a weight: a minus sign and
    /// further digits.
    fn prefix(self) -> String {
        match self {
            Self::Weights | Self::Unwritten => String::new(),
            Self::Signed { top } => {
                let further = libm::floor(libm::log10(f64::from(top.max(1.0)))) as usize;
                format!("\u{2212}{}", "0".repeat(further))
            }
        }
    }
}

/// How values are written into cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Values {
    /// Number of digits.
    pub style: CellStyle,
    /// Text size in CSS pixels.
    pub size: f64,
}

/// Places of everything on a map. Lengths are CSS pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct MapLayout {
    /// Width of the whole picture.
    pub width: f64,
    /// Height of the whole picture.
    pub height: f64,
    /// Device pixels per CSS pixel.
    pub dpr: f64,
    /// The cells, without labels; its edges are whole device pixels.
    pub plot: Rect,
    /// Query rows over the device pixels of the plot.
    pub rows: Axis,
    /// Key columns over the device pixels of the plot.
    pub columns: Axis,
    /// Labels to the left of the plot.
    pub query_labels: Labels,
    /// Labels above the plot.
    pub key_labels: Labels,
    /// Title of the rows.
    pub query_title: String,
    /// Title of the columns.
    pub key_title: String,
    /// Whether the title of the columns stands above that of the rows, beside the labels of the columns, and not above those.
    pub is_stacked: bool,
    /// Meaning of rows and columns.
    pub sides: [Side; 2],
    /// How values are written into cells; `None` when they do not fit.
    pub values: Option<Values>,
}

impl MapLayout {
    /// Lays out a map; any number of queries and keys, zero included.
    ///
    /// Widths and densities that are not positive numbers are replaced by small ones, so a page that is laid out before
    /// it is visible does no harm.
    pub fn new(request: &Request<'_>) -> Self {
        Self::stretched(request, 1.0)
    }

    /// Lays out a map whose cells may be `stretch` times as wide as high.
    fn stretched(request: &Request<'_>, stretch: f64) -> Self {
        let request = &Request {
            width: at_least(request.width, 1.0),
            dpr: density(request.dpr),
            ..*request
        };
        // The first size at which every label is drawn; the last where labels are thinned out anyway.
        let [large, small] = labels::SIZES;
        let draft = plot::draft(request, large, stretch);
        let draft = if draft.is_complete() {
            draft
        } else {
            plot::draft(request, small, stretch)
        };
        draft.finish(request)
    }

    /// A plot without anything around it.
    pub fn bare(plot: Rect, [rows, columns]: [Axis; 2], dpr: f64) -> Self {
        let none = || Labels::new(&[], labels::SIZES[1], 0.0, &|_, _| 0.0);
        Self {
            width: plot.x + plot.width,
            height: plot.y + plot.height,
            dpr,
            plot,
            rows,
            columns,
            query_labels: none(),
            key_labels: none(),
            query_title: String::new(),
            key_title: String::new(),
            is_stacked: false,
            sides: [Side::Queries, Side::Keys],
            values: None,
        }
    }

    /// The plot's left and upper edge in device pixels: where the painted pixels go.
    pub fn plot_origin_device(&self) -> (u32, u32) {
        (
            (self.plot.x * self.dpr).round() as u32,
            (self.plot.y * self.dpr).round() as u32,
        )
    }

    /// Width and height of the whole picture in device pixels: the size of the canvas.
    pub fn size_device(&self) -> (u32, u32) {
        (
            (self.width * self.dpr).round() as u32,
            (self.height * self.dpr).round() as u32,
        )
    }

    /// CSS pixels of one cell, across and down; a fraction of a pixel where cells are pooled.
    pub fn cell_size(&self) -> (f64, f64) {
        let share = |length: f64, axis: &Axis| length / axis.cells().max(1) as f64;
        (
            share(self.plot.width, &self.columns),
            share(self.plot.height, &self.rows),
        )
    }
}

/// `value` where it is a number of at least `least`, `least` otherwise.
fn at_least(value: f64, least: f64) -> f64 {
    if value.is_finite() {
        value.max(least)
    } else {
        least
    }
}

/// A usable number of device pixels per CSS pixel.
fn density(dpr: f64) -> f64 {
    if dpr.is_finite() && dpr > 0.0 {
        dpr.clamp(0.25, 16.0)
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text as in a proportional face: about half the size per character.
    fn measure(text: &str, size: f64) -> f64 {
        0.52 * size * text.chars().count() as f64
    }

    fn words(count: usize) -> Vec<String> {
        let words = [
            "The", "animal", "didn't", "cross", "the", "street", "because", "it",
        ];
        words
            .into_iter()
            .cycle()
            .take(count)
            .map(str::to_owned)
            .collect()
    }

    fn lay(width: f64, dpr: f64, queries: usize, keys: usize) -> MapLayout {
        lay_with(width, dpr, [queries, keys], |_| {})
    }

    fn lay_with(
        width: f64,
        dpr: f64,
        [queries, keys]: [usize; 2],
        change: impl Fn(&mut Request<'_>),
    ) -> MapLayout {
        let (queries, keys) = (&words(queries)[..], &words(keys)[..]);
        let mut request = Request {
            width,
            plot_height: f64::INFINITY,
            dpr,
            queries,
            keys,
            query_title: "query ↓",
            key_title: "key →",
            sides: [Side::Queries, Side::Keys],
            form: CellFormat::Weights,
            corner: 0.0,
            measure: &measure,
        };
        change(&mut request);
        MapLayout::new(&request)
    }

    #[test]
    fn titles_stand_one_above_the_other_where_they_fit_and_the_corner_stays_free() {
        let cells = [9, 7];
        for dpr in [1.0, 1.25, 3.0] {
            let stacked = lay_with(390.0, dpr, cells, |_| {});
            let on_its_line = lay_with(390.0, dpr, cells, |request| request.corner = 390.0);
            let long = "a title that is wider than every label";
            let titled = lay_with(390.0, dpr, cells, |request| request.key_title = long);
            let kept = [&stacked, &on_its_line, &titled].map(|layout| layout.is_stacked);
            assert_eq!(kept, [true, false, false]);
            let saved = on_its_line.plot.y - stacked.plot.y;
            assert!((saved - plot::TITLE_LINE).abs() < 1.0, "{saved}");
            // Labels of one letter are lower than two titles.
            let low = lay_with(390.0, dpr, [1, 1], |_| {});
            assert!(low.is_stacked && low.plot.y >= 2.0 * plot::TITLE_LINE);
        }
        // Three level labels end long before the room does.
        let beside =
            |corner| lay_with(390.0, 1.0, [3, 3], |request| request.corner = corner).is_stacked;
        assert!(beside(100.0) && !beside(150.0));
    }

    #[test]
    fn everything_stays_inside_the_room() {
        for width in [320.0, 390.0, 640.0, MAP_MAX_WIDTH] {
            for dpr in [1.0, 1.25, 2.0, 3.0] {
                for (queries, keys) in [
                    (13, 13),
                    (4, 7),
                    (1, 5),
                    (9, 1),
                    (64, 61),
                    (0, 3),
                    (2, 0),
                    (1024, 1023),
                    (1, 1000),
                ] {
                    let layout = lay(width, dpr, queries, keys);
                    let what = format!(
                        "{queries}×{keys} in {width} at {dpr}: {layout:?}",
                        layout = layout.plot
                    );
                    assert!(
                        layout.width <= width + 1.0 / dpr + 1e-9,
                        "{} wide, {what}",
                        layout.width
                    );
                    assert!(
                        layout.plot.x + layout.plot.width <= layout.width && layout.plot.x > 0.0,
                        "{what}"
                    );
                    assert!(
                        layout.plot.y + layout.plot.height <= layout.height && layout.plot.y > 0.0,
                        "{what}"
                    );
                    let (across, down) = layout.cell_size();
                    assert!(across <= CELL_MAX && down <= CELL_MAX, "{what}");
                    let (x, y) = layout.plot_origin_device();
                    assert!((f64::from(x) / dpr - layout.plot.x).abs() < 1e-9, "{what}");
                    assert!((f64::from(y) / dpr - layout.plot.y).abs() < 1e-9, "{what}");
                }
            }
        }
    }
}
