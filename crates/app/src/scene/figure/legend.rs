//! The legend below the pictures: colours and hatching.

use super::figure_page::{FigurePage, GAP, LINE, SMALL};
use crate::scene::colour::Lut;
use crate::scene::heatmap::Hatch;
use crate::scene::layout::Rect;
use crate::scene::marks::{ColourBar, colour_bar};
use crate::scene::role::Role;
use crate::scene::scale::Scale;
use crate::scene::shape::{Colour, Hatched, MIDDLE, Shape, Type};

/// Height and widest extent of a colour bar.
const BAR: (f64, f64) = (10.0, 260.0);
/// Narrowest legend that stands beside another.
const NARROW: f64 = 180.0;
/// Size of a sample in the legend.
const SWATCH: (f64, f64) = (20.0, 12.0);
/// Text style of a legend.
const CAPTION: Type = Type::new(SMALL, Role::Caption);
/// Colours that a colour bar runs through.
const STOPS: usize = 65;

/// Legend of colours and hatching.
#[derive(Clone, Default)]
pub struct Legend<'a> {
    /// Colours, their scale, and their meaning.
    pub bar: Option<(&'a Lut, &'a Scale, String)>,
    /// Samples with their meaning.
    pub samples: Vec<(Sample, String)>,
}

/// A sample of the legend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// A colour.
    Colour(Colour),
    /// Cells hidden by a mask.
    Hidden,
    /// A row where nothing is visible.
    Empty,
}

impl FigurePage<'_> {
    /// Draws a legend, `x` from the left and `width` wide.
    pub fn legend(&mut self, legend: &Legend<'_>) {
        if legend.bar.is_none() && legend.samples.is_empty() {
            return;
        }
        let (items, (width, height)) = self.legend_of(legend, self.width);
        self.put(0.0, (width, height), items);
    }

    /// Draws one legend, and another beside it where there is one and room for both.
    pub fn legends(&mut self, one: &Legend<'_>, other: Option<&Legend<'_>>) {
        let Some(beside) = other.filter(|_| self.width >= 2.0 * NARROW) else {
            self.legend(one);
            return other.map_or((), |other| self.legend(other));
        };
        let half = (self.width - 2.0 * GAP) / 2.0;
        let mut high = 0.0_f64;
        for (at, legend) in [one, beside].into_iter().enumerate() {
            let (items, size) = self.legend_of(legend, half);
            self.place(at as f64 * (half + 2.0 * GAP), 0.0, size, items);
            high = high.max(size.1);
        }
        self.advance(high);
    }

    /// A legend that is at most `room` wide, and its size: the bar, and samples beside it or below.
    pub fn legend_of(&self, legend: &Legend<'_>, room: f64) -> (Vec<Shape>, (f64, f64)) {
        let mut items = Vec::new();
        let (mut x, mut y, mut wide, mut high) = (0.0, 0.0, 0.0_f64, 0.0_f64);
        let measure = self.setting.measure;
        let widths = legend.samples.iter();
        let widest = widths
            .map(|(_, text)| SWATCH.0 + 8.0 + measure(text, SMALL))
            .fold(0.0, f64::max);
        if let Some((lut, scale, label)) = &legend.bar {
            let most = BAR.1.min(room);
            let beside = room - widest - 2.0 * GAP;
            let width = if beside >= 0.55 * most {
                beside.min(most)
            } else {
                most
            };
            high = self.bar(&mut items, (lut, scale, label), (width, room));
            wide = width.max(measure(label, SMALL).min(room));
            (x, y) = if room - wide - 2.0 * GAP >= widest {
                (wide + 2.0 * GAP, LINE * SMALL)
            } else {
                (0.0, high + 0.5 * GAP)
            };
        }
        let indent = SWATCH.0 + 8.0;
        for (sample, text) in &legend.samples {
            self.sample(&mut items, (x, y), *sample);
            for text in self.wrapped(text, SMALL, room - x - indent) {
                let baseline = y + 0.5 + SWATCH.1 / 2.0 + MIDDLE * SMALL;
                wide = wide.max(x + indent + measure(&text, SMALL));
                items.push(CAPTION.at(x + indent, baseline, text));
                y += 1.3 * SMALL;
            }
            y += 0.25 * SMALL;
            high = high.max(y);
        }
        (items, (wide, high))
    }

    /// Draws a colour bar at the upper left corner, with a name that may be as wide as the room; returns its height.
    fn bar(
        &self,
        items: &mut Vec<Shape>,
        bar: (&Lut, &Scale, &str),
        (width, room): (f64, f64),
    ) -> f64 {
        let (lut, scale, label) = bar;
        let top = LINE * SMALL;
        let label = [label.to_owned()];
        for label in self.labels(&label, SMALL, room).all {
            items.push(CAPTION.at(0.0, 1.05 * SMALL - 2.0, label.text));
        }
        let rect = Rect {
            x: 1.0,
            y: top + 1.0,
            width: (width - 2.0).floor().max(1.0),
            height: BAR.0,
        };
        let stop = |at: usize| {
            let [r, g, b, _] = lut.colour((at * 255 / (STOPS - 1)) as u8);
            [r, g, b]
        };
        items.push(Shape::Gradient {
            rect,
            stops: (0..STOPS).map(stop).collect(),
        });
        let bar = ColourBar {
            rect,
            size: SMALL,
            dpr: self.setting.output.density(),
            even: self.setting.even,
            measure: self.setting.measure,
        };
        items.extend(colour_bar(&bar, scale));
        top + 1.0 + BAR.0 + 6.0 + 1.2 * SMALL
    }

    fn sample(&self, items: &mut Vec<Shape>, (x, y): (f64, f64), sample: Sample) {
        let rect = Rect {
            x: x + 0.5,
            y: y + 0.5,
            width: SWATCH.0,
            height: SWATCH.1,
        };
        let [ground, stroke, stroke_empty] = Hatch::colours(self.setting.ground);
        let hatched = |stroke, is_falling| {
            Shape::Hatched(Hatched {
                cells: vec![rect],
                origin: (rect.x, rect.y),
                period: 6.0,
                colours: [ground, stroke],
                is_falling,
            })
        };
        items.push(match sample {
            Sample::Colour(fill) => Shape::Cells(vec![(rect, fill)]),
            Sample::Hidden => hatched(stroke, false),
            Sample::Empty => hatched(stroke_empty, true),
        });
        let (right, low) = (SWATCH.0, SWATCH.1);
        items.push(Shape::Path {
            path: format!("M{} {}h{right}v{low}h-{right}z", rect.x, rect.y),
            role: Role::SampleFrame,
        });
    }
}
