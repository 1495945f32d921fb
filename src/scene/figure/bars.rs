//! Upright bars, one for each query or bin, over a named axis.

use super::figure_page::{FigurePage, SMALL, Setting, room};
use super::palette::{Colour, Face};
use super::{Shape, Stroke, TextRun};
use crate::scene::chart::Axis;
use crate::scene::layout::{LabelRotation, Rect};
use crate::scene::marks::Anchor;

/// Height of the tallest bar.
const HEIGHT: f64 = 180.0;
/// Widest place of one bar, and share of it that is left free.
const PLACE: (f64, f64) = (44.0, 0.2);
/// Widest name of a bar.
const NAME: f64 = 96.0;

/// What is drawn.
#[derive(Clone, Copy)]
pub struct Bars<'a> {
    /// One for each bar.
    pub values: &'a [f64],
    /// The largest that each value could be; none where that says nothing.
    pub limits: &'a [f64],
    /// The axis that bars rise along.
    pub axis: Axis,
    /// Ticks of that axis.
    pub ticks: &'a [(f64, String)],
    /// What the axis counts.
    pub title: &'a str,
    /// A name for each bar; or the names of the places between bars, from the first to the last, which are fewer or one more.
    pub names: &'a [String],
    /// The bar that stands out.
    pub chosen: Option<usize>,
    /// The hue of names and of the bar that stands out.
    pub hue: Colour,
}

impl Bars<'_> {
    /// Draws the bars on a sheet.
    pub fn draw(&self, sheet: &mut FigurePage<'_>, setting: &Setting<'_>) {
        let gutter = (self.ticks.iter())
            .map(|(_, label)| (setting.measure)(label, SMALL))
            .fold(0.0, f64::max)
            + 8.0;
        let count = self.values.len().max(1);
        let width = (room(setting) - gutter - 2.0)
            .min(PLACE.0 * count as f64)
            .max(1.0);
        let plot = Rect {
            x: gutter,
            y: 2.3 * SMALL,
            width,
            height: HEIGHT,
        };
        let mut items = self.axis(plot, sheet);
        self.bars(&mut items, plot, sheet);
        let below = self.names(&mut items, plot, sheet);
        sheet.put(
            0.0,
            (plot.x + width + 2.0, plot.y + plot.height + below),
            items,
        );
    }

    fn up(&self, value: f64) -> f64 {
        self.axis.place(value).unwrap_or(0.0).clamp(0.0, 1.0)
    }

    fn axis(&self, plot: Rect, sheet: &FigurePage<'_>) -> Vec<Shape> {
        let inks = &sheet.inks;
        let mut items = vec![words(
            (0.0, SMALL),
            self.title,
            Anchor::Start,
            0.0,
            (SMALL, inks.soft),
        )];
        for (value, label) in self.ticks {
            let y = plot.y + (1.0 - self.up(*value)) * plot.height;
            items.push(line(plot.x, y, plot.width, inks.rule));
            items.push(words(
                (plot.x - 6.0, y + 0.35 * SMALL),
                label,
                Anchor::End,
                0.0,
                (SMALL, inks.soft),
            ));
        }
        items.push(line(plot.x, plot.y + plot.height, plot.width, inks.edge));
        items
    }

    fn bars(&self, items: &mut Vec<Shape>, plot: Rect, sheet: &FigurePage<'_>) {
        let place = plot.width / self.values.len().max(1) as f64;
        for (at, value) in self.values.iter().enumerate() {
            let height = self.up(*value) * plot.height;
            let rect = Rect {
                x: plot.x + (at as f64 + PLACE.1 / 2.0) * place,
                y: plot.y + plot.height - height,
                width: (1.0 - PLACE.1) * place,
                height,
            };
            let fill = if self.chosen == Some(at) {
                self.hue
            } else {
                sheet.inks.edge
            };
            if height > 0.0 {
                items.push(Shape::Rect { rect, fill });
            }
        }
        let above = |(_, limit): &(usize, &f64)| **limit > 0.0;
        for (at, limit) in self.limits.iter().enumerate().filter(above) {
            let y = plot.y + (1.0 - self.up(*limit)) * plot.height;
            items.push(line(plot.x + at as f64 * place, y, place, sheet.inks.ink));
        }
    }

    /// Writes what is below the bars; returns its height.
    fn names(&self, items: &mut Vec<Shape>, plot: Rect, sheet: &FigurePage<'_>) -> f64 {
        let place = plot.width / self.values.len().max(1) as f64;
        let low = plot.y + plot.height;
        if self.names.len() != self.values.len() {
            let last = self.names.len().saturating_sub(1).max(1) as f64;
            for (at, name) in self.names.iter().enumerate() {
                let x = plot.x + at as f64 / last * plot.width;
                let anchor = match at {
                    0 => Anchor::Start,
                    _ if at + 1 == self.names.len() => Anchor::End,
                    _ => Anchor::Middle,
                };
                let at = (x, low + 1.4 * SMALL);
                items.push(words(at, name, anchor, 0.0, (SMALL, sheet.inks.soft)));
            }
            return 1.8 * SMALL;
        }
        let labels = sheet.labels(self.names, SMALL, NAME);
        let widest = labels.widest();
        let turn = if widest + 4.0 <= place {
            LabelRotation::Level
        } else {
            LabelRotation::Upright
        };
        let labels = labels.fit(place, turn);
        for at in labels.drawn(self.chosen) {
            let middle = plot.x + (at as f64 + 0.5) * place;
            let (at_place, anchor, degrees) = match turn {
                LabelRotation::Level => ((middle, low + 1.4 * SMALL), Anchor::Middle, 0.0),
                _ => ((middle + 0.35 * SMALL, low + 6.0), Anchor::End, -90.0),
            };
            let colour = if self.chosen == Some(at) {
                self.hue
            } else {
                sheet.inks.soft
            };
            let text = &labels.all[at].text;
            items.push(words(at_place, text, anchor, degrees, (SMALL, colour)));
        }
        match turn {
            LabelRotation::Level => 1.8 * SMALL,
            _ => widest + 8.0,
        }
    }
}

/// A level hairline.
pub(super) fn line(x: f64, y: f64, width: f64, colour: Colour) -> Shape {
    Shape::Path {
        path: format!("M{x:.2} {y:.2}h{width:.2}"),
        fill: None,
        stroke: Some(Stroke::new(colour, 1.0)),
    }
}

/// Upright text.
pub(super) fn words(
    (x, y): (f64, f64),
    text: &str,
    anchor: Anchor,
    degrees: f64,
    (size, colour): (f64, Colour),
) -> Shape {
    Shape::Words(TextRun {
        x,
        y,
        text: text.to_owned(),
        anchor,
        degrees,
        size,
        face: Face::Sans,
        colour,
    })
}
