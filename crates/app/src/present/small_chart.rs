//! Small charts of some curves under a name, as those over the steps of a descent.

wasm_chunks::chunk!("more");

use crate::i18n::{Key, Language, number};
use crate::scene::chart::{Axis, Chart, Room, Series};
use crate::scene::line_chart::{LineChart, SIZE};
use crate::scene::role::{CurveStyle, Role, Stroke, Tone};
use crate::scene::shape::Shape;

/// Height of a chart.
const HEIGHT: f64 = 140.0;
/// The narrowest and the widest chart.
const WIDTHS: (f64, f64) = (280.0, 720.0);
/// Space between two columns of charts; style/training.css and style/draw.css have the same.
const GAP: f64 = 16.0;

/// The curve that a chart is about.
pub const OWN: Role = Role::Curve(CurveStyle {
    class: "curve own",
    stroke: Stroke::new(Tone::Ink, 1.5),
});
/// A curve beside it.
pub const OTHER: Role = Role::Curve(CurveStyle::dashed("curve", &[5.0, 3.0]));
/// A level that curves are compared with.
pub const LEVEL: Role = Role::Curve(CurveStyle::dashed("curve", &[2.0, 3.0]));

/// Width of a chart in a container for two columns of them, or for one.
pub fn chart_width(room: f64) -> f64 {
    if room >= 2.0 * WIDTHS.0 + GAP {
        (room - GAP) / 2.0
    } else {
        room
    }
}

/// A chart under its name.
pub struct NamedChart {
    /// Title.
    pub name: String,
    /// Width and height.
    pub size: (f64, f64),
    /// Everything that is drawn.
    pub shapes: Vec<Shape>,
}

/// One line of a chart.
pub struct Line<'a> {
    /// How it is drawn.
    pub role: Role,
    /// Label at its end; may be empty.
    pub name: &'a str,
    /// Pairs of x and y, x rising.
    pub points: Vec<(f64, f64)>,
}

/// Data of the chart.
pub struct SmallChart<'a> {
    /// Title.
    pub name: Key,
    /// CSS pixels across that there are.
    pub width: f64,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// How its values are written.
    pub y_label: fn(f64) -> String,
    /// The curves.
    pub lines: Vec<Line<'a>>,
    /// Position of the marker line on the horizontal axis.
    pub here: f64,
}

impl SmallChart<'_> {
    /// The chart, named in a language.
    pub fn drawn(&self, language: Language) -> NamedChart {
        let size = (self.width.clamp(WIDTHS.0, WIDTHS.1), HEIGHT);
        let series = self.lines.iter().map(|line| Series {
            name: line.name.to_owned(),
            points: line.points.clone(),
        });
        let chart = Chart {
            x: self.x,
            y: self.y,
            series: series.collect(),
        };
        let layout = chart.layout(&Room {
            width: size.0,
            height: size.1,
            size: SIZE,
            measure: &width,
            x_label: &|x| number::short(x as f32),
            y_label: &self.y_label,
        });
        let here = layout.place((self.here, self.y.low()));
        let lines = self.lines.iter();
        let series: Vec<_> = lines.map(|line| line.role).collect();
        let chart = LineChart {
            layout: &layout,
            series: &series,
            crossings: &[],
            here: (here.map(|place| place.x), ""),
            letter: "",
        };
        NamedChart {
            name: self.name.text(language).to_owned(),
            size: (size.0, layout.height),
            shapes: chart.shapes(),
        }
    }
}

/// Approximate width of a text; the page's font is not measured.
fn width(text: &str, size: f64) -> f64 {
    let ems = text.chars().map(|c| if c.is_ascii() { 0.55 } else { 1.0 });
    size * ems.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_stand_in_two_columns_where_there_is_room() {
        assert_eq!([300.0, 575.0].map(chart_width), [300.0, 575.0]);
        assert_eq!(chart_width(616.0), 300.0);
    }
}
