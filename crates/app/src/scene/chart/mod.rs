//! Charts: curves and points over two axes, as positions and paths, before any drawing.
//!
//! ```
//! use app::scene::chart::{Axis, Chart, Room, Series};
//!
//! let chart = Chart {
//!     x: Axis::log(2.0, 64.0, 16_384.0),
//!     y: Axis::powers(10.0, 64.0_f64.powi(2), 16_384.0_f64.powi(2)),
//!     series: vec![Series {
//!         name: "n²".to_owned(),
//!         points: [64.0, 1024.0, 16_384.0].map(|n| (n, n * n)).to_vec(),
//!     }],
//! };
//! let layout = chart.layout(&Room {
//!     width: 640.0,
//!     height: 320.0,
//!     size: 12.0,
//!     measure: &|text, size| 0.5 * size * text.chars().count() as f64,
//!     x_label: &|n| n.to_string(),
//!     y_label: &|flops| format!("{flops:e}"),
//! });
//! assert_eq!(layout.x_ticks.len(), 9);
//! assert!(layout.curves[0].path.starts_with('M'));
//! ```
//!
//! An [`Axis`] is linear ([`Axis::linear`], [`Axis::round`]) or logarithmic ([`Axis::log`], [`Axis::powers`]). A [`Layout`]
//! has everything in CSS pixels from the upper left corner of the drawing: the plot, ticks with labels, a path for each series
//! (SVG's `d`, clipped to the plot, broken where a value is off the axis), its points, and its name at the end of its line, moved so
//! that no two names touch. A series with an empty name has no label and reserves no space. Charts of points ignore the path.
//! [`Layout::nearest`] and [`Layout::x_at`] find what is under the pointer.

wasm_chunks::chunk!("more");

mod axis;
mod clip;
mod label_spacing;

use std::fmt::Write as _;

use super::figure::wrap;
use super::layout::Rect;
pub use axis::Axis;

/// Space between the plot and the texts around it.
const GAP: f64 = 6.0;
/// Space between the plot and the names of lines, which a leading line may cross.
const LABEL_GAP: f64 = 16.0;
/// Height of a line of text over its size.
pub const LINE: f64 = 1.25;
/// Widest names at the ends of lines, as a share of the room. Wider ones stand below the plot.
const NAMES_SHARE: f64 = 0.4;
/// Distance of ticks along the vertical axis.
const TICK_PITCH: f64 = 28.0;
/// Width of the line sample before a name below the plot, including a space.
pub const SAMPLE: f64 = 24.0;
/// Space between neighbouring labels along the horizontal axis.
const TICK_SPACE: f64 = 12.0;

/// Data of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis, rising.
    pub y: Axis,
    /// Curves and sets of points.
    pub series: Vec<Series>,
}

/// A curve, or a set of points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Label at its end; may be empty.
    pub name: String,
    /// Pairs of x and y, x rising.
    pub points: Vec<(f64, f64)>,
}

/// The room for a chart.
#[derive(Clone, Copy)]
pub struct Room<'a> {
    /// CSS pixels across, labels included.
    pub width: f64,
    /// CSS pixels down, labels included but those of lines that have no room beside them.
    pub height: f64,
    /// Text size in CSS pixels.
    pub size: f64,
    /// Width in CSS pixels of a text set in a size in CSS pixels.
    pub measure: &'a dyn Fn(&str, f64) -> f64,
    /// How values of the horizontal axis are written.
    pub x_label: &'a dyn Fn(f64) -> String,
    /// How values of the vertical axis are written.
    pub y_label: &'a dyn Fn(f64) -> String,
}

/// A place in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From above.
    pub y: f64,
}

/// A round value along an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Its place along the axis in CSS pixels.
    pub at: f64,
    /// The value.
    pub value: f64,
    /// The value as it is written.
    pub label: String,
}

/// The name of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Where the text begins: left edge, middle of the height of its first line.
    pub at: Point,
    /// The end of the curve that it names; nothing where the name stands below the plot, after a piece of the line.
    pub end: Option<Point>,
    /// The name, in lines.
    pub lines: Vec<String>,
}

/// Names that have no room beside their lines: each with its place, from the beginning of the first, and their height.
struct NamesBelow {
    labels: Vec<Label>,
    height: f64,
}

/// A series in its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// The line as an SVG path, empty where nothing of it lies within the plot.
    pub path: String,
    /// Places of the points of the series in order; `None` for what lies outside the plot or has no place.
    pub points: Vec<Option<Point>>,
    /// Where the name stands; `None` for a curve without one or wholly outside.
    pub label: Option<Label>,
}

/// Where everything of a chart is.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Where curves are drawn.
    pub plot: Rect,
    /// Ticks along the lower edge.
    pub x_ticks: Vec<Tick>,
    /// Ticks along the left edge.
    pub y_ticks: Vec<Tick>,
    /// One for each series.
    pub curves: Vec<Curve>,
    /// Height of the whole: that of the room, and of names below it.
    pub height: f64,
    axes: [Axis; 2],
}

/// A point under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The series.
    pub series: usize,
    /// Its point.
    pub point: usize,
}

impl Chart {
    /// Puts everything in its place.
    pub fn layout(&self, room: &Room<'_>) -> Layout {
        let below = self.names_below(room);
        let plot = self.plot(room, below.is_some());
        let x_most = {
            let widest = widest(room, self.x.ticks(32).into_iter().map(room.x_label));
            plot.width / (widest + TICK_SPACE)
        };
        let ticks =
            |axis: &Axis, most: f64, write: &dyn Fn(f64) -> String, at: &dyn Fn(f64) -> f64| {
                let values = axis.ticks(most.clamp(2.0, 32.0) as usize).into_iter();
                let tick = |value| {
                    Some(Tick {
                        at: at(axis.place(value)?),
                        value,
                        label: write(value),
                    })
                };
                values.filter_map(tick).collect()
            };
        let mut layout = Layout {
            plot,
            x_ticks: ticks(&self.x, x_most, room.x_label, &|t| plot.x + t * plot.width),
            y_ticks: ticks(&self.y, plot.height / TICK_PITCH, room.y_label, &|t| {
                plot.y + (1.0 - t) * plot.height
            }),
            curves: Vec::new(),
            height: room.height,
            axes: [self.x, self.y],
        };
        layout.curves = self
            .series
            .iter()
            .map(|series| layout.curve(series))
            .collect();
        match below {
            Some(below) => self.place_below(&mut layout, below),
            None => self.place_beside(&mut layout, room),
        }
        layout
    }

    fn plot(&self, room: &Room<'_>, is_named_below: bool) -> Rect {
        let line = room.size * LINE;
        let left = widest(room, self.y.ticks(32).into_iter().map(room.y_label)) + GAP;
        let right = match self.widest_name(room) {
            // Room for the letter of the axis.
            _ if is_named_below => 3.0 * room.size,
            0.0 => room.size,
            width => width + LABEL_GAP,
        };
        Rect {
            x: left,
            y: line / 2.0,
            width: (room.width - left - right).max(1.0),
            height: (room.height - 1.5 * line - GAP).max(1.0),
        }
    }

    fn widest_name(&self, room: &Room<'_>) -> f64 {
        widest(room, self.series.iter().map(|series| series.name.clone()))
    }

    /// The names one after the other in lines, where some has no room beside its own.
    fn names_below(&self, room: &Room<'_>) -> Option<NamesBelow> {
        if self.widest_name(room) + LABEL_GAP <= room.width * NAMES_SHARE {
            return None;
        }
        let line = room.size * LINE;
        let measure = |text: &str| (room.measure)(text, room.size);
        let (mut x, mut y, mut height) = (0.0, 0.0, 0.0_f64);
        let mut labels = Vec::new();
        for series in &self.series {
            let lines = wrap(&series.name, room.width - SAMPLE, &measure);
            let width = SAMPLE + lines.iter().map(|line| measure(line)).fold(0.0, f64::max);
            if x > 0.0 && x + width > room.width {
                (x, y) = (0.0, height);
            }
            height = height.max(y + line * lines.len() as f64);
            let at = Point {
                x: x + SAMPLE,
                y: y + line / 2.0,
            };
            labels.push(Label {
                at,
                end: None,
                lines,
            });
            x += width + LABEL_GAP;
        }
        Some(NamesBelow { labels, height })
    }

    /// Writes the names below the numbers of the horizontal axis.
    fn place_below(&self, layout: &mut Layout, below: NamesBelow) {
        let top = layout.height + GAP;
        layout.height = top + below.height;
        for ((series, curve), mut label) in
            (self.series.iter().zip(&mut layout.curves)).zip(below.labels)
        {
            label.at.y += top;
            curve.label = (!series.name.is_empty()).then_some(label);
        }
    }

    /// Writes the names beside the ends of their lines.
    fn place_beside(&self, layout: &mut Layout, room: &Room<'_>) {
        let plot = layout.plot;
        let named = self.series.iter().zip(&mut layout.curves);
        let mut labels: Vec<&mut Label> = named
            .filter(|(series, _)| !series.name.is_empty())
            .filter_map(|(_, curve)| curve.label.as_mut())
            .collect();
        let wanted: Vec<f64> = labels.iter().map(|label| label.at.y).collect();
        let places = label_spacing::spread(&wanted, room.size * LINE, plot.y, plot.y + plot.height);
        for (label, y) in labels.iter_mut().zip(places) {
            label.at = Point {
                x: plot.x + plot.width + LABEL_GAP,
                y,
            };
        }
    }
}

fn widest(room: &Room<'_>, texts: impl Iterator<Item = String>) -> f64 {
    texts
        .map(|text| (room.measure)(&text, room.size))
        .fold(0.0, f64::max)
}

impl Layout {
    /// The place of a pair of values, inside the plot or not; `None` where an axis has no place for one of them.
    pub fn place(&self, (x, y): (f64, f64)) -> Option<Point> {
        let [across, up] = [self.axes[0].place(x)?, self.axes[1].place(y)?];
        Some(Point {
            x: self.plot.x + across * self.plot.width,
            y: self.plot.y + (1.0 - up) * self.plot.height,
        })
    }

    /// The value of the horizontal axis at `x`; `None` beside the plot.
    pub fn x_at(&self, x: f64) -> Option<f64> {
        let place = (x - self.plot.x) / self.plot.width;
        (0.0..=1.0)
            .contains(&place)
            .then(|| self.axes[0].value(place))
    }

    /// The point nearest to `at`, no further off than `reach`.
    pub fn nearest(&self, at: Point, reach: f64) -> Option<Hit> {
        let all = self.curves.iter().enumerate().flat_map(|(series, curve)| {
            let points = curve.points.iter().enumerate();
            points.filter_map(move |(point, place)| Some((Hit { series, point }, (*place)?)))
        });
        let far = |place: Point| libm::hypot(place.x - at.x, place.y - at.y);
        all.map(|(hit, place)| (far(place), hit))
            .filter(|(far, _)| *far <= reach)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, hit)| hit)
    }

    fn curve(&self, series: &Series) -> Curve {
        let places: Vec<Option<Point>> = series.points.iter().map(|at| self.place(*at)).collect();
        let pieces = clip::pieces(&places, &self.plot);
        let inside: Vec<Option<Point>> = places
            .into_iter()
            .map(|place| place.filter(|place| self.holds(*place)))
            .collect();
        let last = pieces.last().and_then(|piece| piece.last()).copied();
        let end = last.or_else(|| inside.iter().rev().find_map(|place| *place));
        let label = end.filter(|_| !series.name.is_empty());
        Curve {
            path: path(&pieces),
            points: inside,
            label: label.map(|end| Label {
                at: end,
                end: Some(end),
                lines: vec![series.name.clone()],
            }),
        }
    }

    fn holds(&self, at: Point) -> bool {
        const SLACK: f64 = 1e-6;
        let plot = &self.plot;
        let within =
            |at: f64, low: f64, long: f64| (low - SLACK..=low + long + SLACK).contains(&at);
        within(at.x, plot.x, plot.width) && within(at.y, plot.y, plot.height)
    }
}

fn path(pieces: &[Vec<Point>]) -> String {
    let mut path = String::new();
    for piece in pieces {
        for (at, Point { x, y }) in piece.iter().enumerate() {
            let command = if at == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{command}{x:.1} {y:.1}");
        }
    }
    path
}

#[cfg(test)]
mod tests;
