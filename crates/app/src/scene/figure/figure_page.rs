//! A page of a figure: heading, pictures, legend and caption, one below the other.

use super::Figure;
use super::map_figure::MapFigure;
use super::wrap::wrap;
use crate::scene::colour::Background;
use crate::scene::heatmap::Pooling;
use crate::scene::layout::Labels;
use crate::scene::role::Role;
use crate::scene::shape::{Shape, Type};

/// Space around everything.
pub const MARGIN: f64 = 12.0;
/// Space between parts.
pub const GAP: f64 = 14.0;
/// Text sizes of headings, names and notes.
pub const HEADING: f64 = 15.0;
/// Text size of names and numbers.
pub const SMALL: f64 = 12.0;
/// Height of a line over its text size.
pub(super) const LINE: f64 = 1.35;
/// Narrowest lines of heading and caption, where there is room for them.
const LEAST_TEXT: f64 = 300.0;
/// Smallest and largest permitted width.
const WIDTHS: (f64, f64) = (160.0, 4800.0);

/// Output format of the figure.
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
    /// Background.
    pub ground: Background,
    /// Width that it does not exceed.
    pub width: f64,
    /// Output format.
    pub output: Output,
    /// Whether it has a heading and a caption.
    pub has_words: bool,
    /// Label of the middle of a scale relative to an even row.
    pub even: &'a str,
    /// Width of a text set in a size, in the heavier face.
    pub measure: &'a dyn Fn(&str, f64) -> f64,
}

/// A figure while it is being put together.
pub struct FigurePage<'a> {
    pub(super) setting: &'a Setting<'a>,
    /// Width of heading, legend and caption.
    pub(super) width: f64,
    /// Where the next part begins.
    y: f64,
    /// The right end of the content.
    right: f64,
    items: Vec<Shape>,
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

impl<'a> FigurePage<'a> {
    /// A sheet for pictures that are `width` wide.
    pub fn new(setting: &'a Setting<'a>, width: f64) -> Self {
        let room = room(setting);
        Self {
            setting,
            width: width.clamp(LEAST_TEXT.min(room), room.max(LEAST_TEXT.min(room))),
            y: MARGIN,
            right: 0.0,
            items: Vec::new(),
            has_pixels: false,
            pooling: None,
        }
    }

    /// A single map with everything that belongs to it.
    pub fn of_plate(setting: &'a Setting<'a>, plate: &MapFigure<'_>, heading: &str) -> Self {
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

    /// Writes the title, if it is part of the figure.
    pub fn heading(&mut self, text: &str) {
        if self.setting.has_words {
            self.lines(text, HEADING, Role::Heading);
            self.y += 0.4 * GAP;
        }
    }

    /// Writes the caption, if it is part of the figure.
    pub fn caption(&mut self, text: &str) {
        if self.setting.has_words && !text.is_empty() {
            self.lines(text, SMALL, Role::Caption);
            self.y += 0.25 * GAP;
        }
    }

    /// Writes a note that every figure has to contain.
    pub fn note(&mut self, text: &str) {
        if !text.is_empty() {
            self.lines(text, SMALL, Role::Note);
        }
    }

    fn lines(&mut self, text: &str, size: f64, role: Role) {
        let setting = self.setting;
        for line in self.wrapped(text, size, self.width) {
            self.right = self.right.max((setting.measure)(&line, size));
            let words = Type::new(size, role).at(MARGIN, self.y + 1.05 * size, line);
            self.items.push(words);
            self.y += LINE * size;
        }
    }

    /// Puts a picture below the content, `x` from the left.
    pub fn put(&mut self, x: f64, size: (f64, f64), items: Vec<Shape>) {
        self.place(x, 0.0, size, items);
        self.advance(size.1);
    }

    /// Puts a chart below the content, under what its vertical axis counts.
    pub fn chart(&mut self, counted: &str, size: (f64, f64), shapes: Vec<Shape>) {
        let title = Type::new(SMALL, Role::Caption).at(0.0, SMALL, counted);
        self.place(0.0, 0.0, (0.0, 0.0), vec![title]);
        self.place(0.0, 1.5 * SMALL, size, shapes);
        self.advance(size.1 + 1.5 * SMALL);
    }

    /// Puts a picture in the line that begins here; [`advance`](Self::advance) ends the line.
    pub fn place(&mut self, x: f64, down: f64, (width, _): (f64, f64), items: Vec<Shape>) {
        let setting = self.setting;
        self.right = self.right.max(x + width);
        self.items.push(Shape::Group {
            x: whole(MARGIN + x, setting),
            y: whole(self.y + down, setting),
            items,
        });
    }

    /// Continues below a line of this height.
    pub fn advance(&mut self, height: f64) {
        self.y += height + GAP;
    }

    /// Returns the figure, as wide as its contents.
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

/// Identification of a figure.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    /// Letters, digits and hyphens.
    pub id: &'a str,
    /// The tag of its language.
    pub language: &'static str,
    /// Title.
    pub title: &'a str,
    /// Description of the figure's content and how it was computed.
    pub description: &'a str,
}
