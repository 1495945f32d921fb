//! Upright bars, one for each query or bin, over a named axis.

use super::figure_page::{FigurePage, SMALL, Setting, room};
use crate::scene::bar_chart::BarChart;
use crate::scene::chart::Axis;
use crate::scene::layout::{LabelRotation, Rect};
use crate::scene::role::Role;
use crate::scene::shape::{Anchor, MIDDLE, Shape, Type};

/// Height of the tallest bar.
const HEIGHT: f64 = 180.0;
/// Widest place of one bar.
const PLACE: f64 = 44.0;
/// Widest name of a bar.
const NAME: f64 = 96.0;

/// Data of the figure.
#[derive(Clone, Copy)]
pub struct Bars<'a> {
    /// The bars; their top is that of the axis.
    pub chart: &'a BarChart,
    /// Ticks of the axis that bars rise along.
    pub ticks: &'a [(f64, String)],
    /// Title of the axis.
    pub title: &'a str,
    /// A name for each bar; or the names of the places between bars, from the first to the last, which are fewer or one more.
    pub names: &'a [String],
    /// The bar that stands out.
    pub chosen: Option<usize>,
}

impl Bars<'_> {
    /// Draws the bars on a sheet.
    pub fn draw(&self, sheet: &mut FigurePage<'_>, setting: &Setting<'_>) {
        let gutter = (self.ticks.iter())
            .map(|(_, label)| (setting.measure)(label, SMALL))
            .fold(0.0, f64::max)
            + 8.0;
        let most = PLACE * self.count() as f64;
        let plot = Rect {
            x: gutter,
            y: 2.3 * SMALL,
            width: (room(setting) - gutter - 2.0).min(most).max(1.0),
            height: HEIGHT,
        };
        let mut items = self.axis(plot);
        items.extend(self.chart.shapes(plot, self.chosen));
        let below = self.names(&mut items, plot, sheet);
        sheet.put(
            0.0,
            (plot.x + plot.width + 2.0, plot.y + plot.height + below),
            items,
        );
    }

    fn count(&self) -> usize {
        self.chart.values.len().max(1)
    }

    fn axis(&self, plot: Rect) -> Vec<Shape> {
        let axis = Axis::linear(0.0, self.chart.top);
        let mut items = vec![Type::new(SMALL, Role::Caption).at(0.0, SMALL, self.title)];
        let style = Type::new(SMALL, Role::YLabel).anchor(Anchor::End);
        for (value, label) in self.ticks {
            let up = axis.place(*value).unwrap_or(0.0).clamp(0.0, 1.0);
            let y = plot.y + (1.0 - up) * plot.height;
            items.push(Shape::level_line(plot.x, y, plot.width, Role::Grid));
            items.push(style.at(plot.x - 6.0, y + MIDDLE * SMALL, &**label));
        }
        let base = plot.y + plot.height;
        items.push(Shape::level_line(plot.x, base, plot.width, Role::Axis));
        items
    }

    /// Writes what is below the bars; returns its height.
    fn names(&self, items: &mut Vec<Shape>, plot: Rect, sheet: &FigurePage<'_>) -> f64 {
        if self.names.len() != self.chart.values.len() {
            self.names_between(items, plot);
            return 1.8 * SMALL;
        }
        let (pitch, low) = (plot.width / self.count() as f64, plot.y + plot.height);
        let labels = sheet.labels(self.names, SMALL, NAME);
        let widest = labels.widest();
        let is_level = widest + 4.0 <= pitch;
        let turn = if is_level {
            LabelRotation::Level
        } else {
            LabelRotation::Upright
        };
        let labels = labels.fit(pitch, turn);
        for at in labels.drawn(self.chosen) {
            let middle = plot.x + (at as f64 + 0.5) * pitch;
            let role = if self.chosen == Some(at) {
                Role::QueryLabelChosen
            } else {
                Role::QueryLabel
            };
            let (style, text) = (Type::new(SMALL, role), &*labels.all[at].text);
            items.push(if is_level {
                style
                    .anchor(Anchor::Middle)
                    .at(middle, low + 1.4 * SMALL, text)
            } else {
                let degrees = -90.0;
                let upright = Type { degrees, ..style }.anchor(Anchor::End);
                upright.at(middle + MIDDLE * SMALL, low + 6.0, text)
            });
        }
        if is_level { 1.8 * SMALL } else { widest + 8.0 }
    }

    /// Writes the names of the places between bars.
    fn names_between(&self, items: &mut Vec<Shape>, plot: Rect) {
        let last = self.names.len().saturating_sub(1).max(1);
        for (at, name) in self.names.iter().enumerate() {
            let x = plot.x + at as f64 / last as f64 * plot.width;
            let anchor = match at {
                0 => Anchor::Start,
                _ if at == last => Anchor::End,
                _ => Anchor::Middle,
            };
            let style = Type::new(SMALL, Role::XLabel).anchor(anchor);
            items.push(style.at(x, plot.y + plot.height + 1.4 * SMALL, &**name));
        }
    }
}
