//! Heading, pictures, legend and caption, one below the other.

use super::bars::words;
use super::inks::{Colour, Face, Inks};
use super::plate::{Plate, of_mark};
use super::wrap::wrap;
use super::{Figure, Hatched, Item, Stroke, Words};
use crate::view::colour::{Ground, Lut};
use crate::view::heatmap::{Hatch, Pooling};
use crate::view::layout::{Labels, Rect};
use crate::view::marks::{Anchor, ColourBar, colour_bar};
use crate::view::scale::Scale;

/// Space around everything.
pub const MARGIN: f64 = 12.0;
/// Space between parts.
pub const GAP: f64 = 14.0;
/// Text sizes of headings, names and notes.
pub const HEADING: f64 = 15.0;
/// Text size of names and numbers.
pub const SMALL: f64 = 12.0;
/// Height of a line over its text size.
const LINE: f64 = 1.35;
/// Narrowest lines of heading and caption, where there is room for them.
const LEAST_TEXT: f64 = 300.0;
/// Bounds of what may be asked for.
const WIDTHS: (f64, f64) = (160.0, 4800.0);
/// Height and widest extent of a colour bar.
const BAR: (f64, f64) = (10.0, 260.0);
/// Narrowest legend that stands beside another.
const NARROW: f64 = 180.0;
/// Size of a sample in the legend.
const SWATCH: (f64, f64) = (20.0, 12.0);
/// Colours that a colour bar runs through.
const STOPS: usize = 65;

/// What becomes of the figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Output {
    /// A file of shapes, for any size.
    Shapes,
    /// Pixels, so many for each CSS pixel.
    Pixels(u32),
}

impl Output {
    /// Parts of a CSS pixel that edges of cells lie on.
    pub fn density(self) -> f64 {
        match self {
            Self::Shapes => 4.0,
            Self::Pixels(scale) => f64::from(scale.clamp(1, 8)),
        }
    }
}

/// For what a figure is made.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// What it lies on.
    pub ground: Ground,
    /// Width that it does not exceed.
    pub width: f64,
    /// What becomes of it.
    pub output: Output,
    /// Whether it has a heading and a caption of its own.
    pub has_words: bool,
    /// Width of a text set in a size, in the heavier face.
    pub measure: &'a dyn Fn(&str, f64) -> f64,
}

/// What colours and hatching mean.
#[derive(Clone, Default)]
pub struct Legend<'a> {
    /// Colours, their scale, and what they stand for.
    pub bar: Option<(&'a Lut, &'a Scale, String)>,
    /// Samples with their meaning.
    pub samples: Vec<(Sample, String)>,
}

/// A sample of the legend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// A colour.
    Colour(Colour),
    /// What a mask hides.
    Hidden,
    /// A row where nothing is visible.
    Empty,
}

/// A figure while it is being put together.
pub struct Sheet<'a> {
    setting: &'a Setting<'a>,
    /// Its colours.
    pub inks: Inks,
    /// Width of heading, legend and caption.
    width: f64,
    /// Where the next part begins.
    y: f64,
    /// The right end of what is there.
    right: f64,
    items: Vec<Item>,
    has_pixels: bool,
    /// How cells of some map were pooled.
    pub pooling: Option<Pooling>,
}

/// The width that there is for pictures.
pub fn room(setting: &Setting<'_>) -> f64 {
    let (least, most) = WIDTHS;
    let width = if setting.width.is_finite() {
        setting.width.clamp(least, most)
    } else {
        least
    };
    width - 2.0 * MARGIN
}

/// A place of a picture that is drawn to be sharp at this density.
pub fn whole(length: f64, setting: &Setting<'_>) -> f64 {
    (length * setting.output.density()).round() / setting.output.density()
}

impl<'a> Sheet<'a> {
    /// A sheet for pictures that are `width` wide.
    pub fn new(setting: &'a Setting<'a>, width: f64) -> Self {
        let room = room(setting);
        Self {
            setting,
            inks: Inks::of(setting.ground),
            width: width.clamp(LEAST_TEXT.min(room), room.max(LEAST_TEXT.min(room))),
            y: MARGIN,
            right: 0.0,
            items: Vec::new(),
            has_pixels: false,
            pooling: None,
        }
    }

    /// A single map with everything that belongs to it.
    pub fn of_plate(setting: &'a Setting<'a>, plate: &Plate<'_>, heading: &str) -> Self {
        let layout = plate.layout(room(setting), setting);
        let mut sheet = Self::new(setting, layout.width);
        sheet.heading(heading);
        let drawn = plate.draw(&layout, plate.cells.count(), setting);
        (sheet.pooling, sheet.has_pixels) = (drawn.pooling, drawn.has_pixels);
        sheet.put(0.0, (layout.width, layout.height), drawn.items);
        sheet
    }

    /// The names of something, none wider than `most`.
    pub(super) fn labels(&self, names: &[String], size: f64, most: f64) -> Labels {
        Labels::new(names, size, most, self.setting.measure)
    }

    /// A text in lines of a width.
    pub(super) fn wrapped(&self, text: &str, size: f64, width: f64) -> Vec<String> {
        wrap(text, width, &|text| (self.setting.measure)(text, size))
    }

    /// Some cells of the figure are pixels.
    pub fn embed(&mut self, has_pixels: bool) {
        self.has_pixels |= has_pixels;
    }

    /// Where the next part begins.
    pub const fn y(&self) -> f64 {
        self.y
    }

    /// Writes what the figure is, where it says so itself.
    pub fn heading(&mut self, text: &str) {
        if self.setting.has_words {
            let ink = self.inks.ink;
            self.lines(text, HEADING, Face::Strong, ink);
            self.y += 0.4 * GAP;
        }
    }

    /// Writes how it was made, where it says so itself.
    pub fn caption(&mut self, text: &str) {
        if self.setting.has_words && !text.is_empty() {
            let soft = self.inks.soft;
            self.lines(text, SMALL, Face::Sans, soft);
            self.y += 0.25 * GAP;
        }
    }

    /// Writes what has to be said in any case.
    pub fn note(&mut self, text: &str) {
        if !text.is_empty() {
            let faint = self.inks.faint;
            self.lines(text, SMALL, Face::Sans, faint);
        }
    }

    fn lines(&mut self, text: &str, size: f64, face: Face, colour: Colour) {
        let setting = self.setting;
        for line in self.wrapped(text, size, self.width) {
            self.right = self.right.max((setting.measure)(&line, size));
            self.items.push(Item::Words(Words {
                x: MARGIN,
                y: self.y + 1.05 * size,
                text: line,
                anchor: Anchor::Start,
                degrees: 0.0,
                size,
                face,
                colour,
            }));
            self.y += LINE * size;
        }
    }

    /// Puts a picture below what is there, `x` from the left.
    pub fn put(&mut self, x: f64, size: (f64, f64), items: Vec<Item>) {
        self.place(x, 0.0, size, items);
        self.advance(size.1);
    }

    /// Puts a picture in the line that begins here; [`advance`](Self::advance) ends the line.
    pub fn place(&mut self, x: f64, down: f64, (width, _): (f64, f64), items: Vec<Item>) {
        let setting = self.setting;
        self.right = self.right.max(x + width);
        self.items.push(Item::Group {
            x: whole(MARGIN + x, setting),
            y: whole(self.y + down, setting),
            items,
        });
    }

    /// Goes on below a line of this height.
    pub fn advance(&mut self, height: f64) {
        self.y += height + GAP;
    }

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
    pub fn legend_of(&self, legend: &Legend<'_>, room: f64) -> (Vec<Item>, (f64, f64)) {
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
            (x, y) = match room - wide - 2.0 * GAP >= widest {
                true => (wide + 2.0 * GAP, LINE * SMALL),
                false => (0.0, high + 0.5 * GAP),
            };
        }
        let indent = SWATCH.0 + 8.0;
        for (sample, text) in &legend.samples {
            self.sample(&mut items, (x, y), *sample);
            for text in self.wrapped(text, SMALL, room - x - indent) {
                let at = (x + indent, y + 0.5 + SWATCH.1 / 2.0 + 0.35 * SMALL);
                wide = wide.max(x + indent + measure(&text, SMALL));
                items.push(words(
                    at,
                    &text,
                    Anchor::Start,
                    0.0,
                    (SMALL, self.inks.soft),
                ));
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
        items: &mut Vec<Item>,
        bar: (&Lut, &Scale, &str),
        (width, room): (f64, f64),
    ) -> f64 {
        let (lut, scale, label) = bar;
        let top = LINE * SMALL;
        let at = (0.0, 1.05 * SMALL - 2.0);
        let label = [label.to_owned()];
        for label in self.labels(&label, SMALL, room).all {
            let soft = (SMALL, self.inks.soft);
            items.push(words(at, &label.text, Anchor::Start, 0.0, soft));
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
        items.push(Item::Gradient {
            rect,
            stops: (0..STOPS).map(stop).collect(),
        });
        let bar = ColourBar {
            rect,
            size: SMALL,
            dpr: self.setting.output.density(),
            measure: self.setting.measure,
        };
        let marks = colour_bar(&bar, scale).into_iter();
        items.extend(marks.map(|mark| of_mark(mark, &self.inks)));
        top + 1.0 + BAR.0 + 6.0 + 1.2 * SMALL
    }

    fn sample(&self, items: &mut Vec<Item>, (x, y): (f64, f64), sample: Sample) {
        let rect = Rect {
            x: x + 0.5,
            y: y + 0.5,
            width: SWATCH.0,
            height: SWATCH.1,
        };
        let [ground, stroke, stroke_empty] = Hatch::colours(self.setting.ground);
        let hatched = |stroke, is_falling| {
            Item::Hatched(Hatched {
                cells: vec![rect],
                origin: (rect.x, rect.y),
                period: 6.0,
                colours: [ground, stroke],
                is_falling,
            })
        };
        items.push(match sample {
            Sample::Colour(fill) => Item::Rect { rect, fill },
            Sample::Hidden => hatched(stroke, false),
            Sample::Empty => hatched(stroke_empty, true),
        });
        let (right, low) = (SWATCH.0, SWATCH.1);
        items.push(Item::Path {
            path: format!("M{} {}h{right}v{low}h-{right}z", rect.x, rect.y),
            fill: None,
            stroke: Some(Stroke::new(self.inks.edge, 1.0)),
        });
    }

    /// The figure, as wide as what is on it.
    pub fn finish(self, name: &Name<'_>) -> Figure {
        let pad = |length: f64| (length + MARGIN).ceil();
        Figure {
            width: pad(MARGIN + self.right),
            height: pad(self.y.max(MARGIN)),
            ground: self.setting.ground,
            id: name.id.to_owned(),
            language: name.language,
            title: name.title.to_owned(),
            description: name.description.to_owned(),
            has_pixels: self.has_pixels,
            items: self.items,
        }
    }
}

/// What a figure is called.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    /// Letters, digits and hyphens.
    pub id: &'a str,
    /// The tag of its language.
    pub language: &'static str,
    /// What it is.
    pub title: &'a str,
    /// What it shows and how it was made.
    pub description: &'a str,
}
