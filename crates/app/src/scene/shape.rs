//! Pictures as lists of shapes: described once, then written as SVG for the page or a file, or drawn on a canvas.
//!
//! A shape has a [`Role`] instead of colours; only cells and colour bars, which show numbers, have colours of their own. Lengths are
//! CSS pixels from the picture's upper left corner.

use super::curves::Strand;
use super::layout::Rect;
use super::role::{Face, Role};
use attention::text::tokens::is_cjk;

/// An sRGB colour.
pub type Colour = [u8; 3];

/// Which end of a text stands at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The beginning.
    Start,
    /// The middle.
    Middle,
    /// The end.
    End,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextRun {
    /// Where the anchor stands.
    pub x: f64,
    /// Where the alphabetic baseline stands at the anchor.
    pub y: f64,
    /// Text to draw.
    pub text: String,
    /// Which end stands at `x`.
    pub anchor: Anchor,
    /// Rotation about `(x, y)`, degrees clockwise.
    pub degrees: f64,
    /// Text size.
    pub size: f64,
    /// Its meaning.
    pub role: Role,
}

impl TextRun {
    /// How it is set: Chinese has no italics, and browsers would slant its characters by themselves.
    pub fn face(&self) -> Face {
        match self.role.face() {
            Face::Italic if self.text.chars().any(is_cjk) => Face::Serif,
            face => face,
        }
    }
}

/// Part of a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A rectangle.
    Rect {
        /// Its place.
        rect: Rect,
        /// Its meaning.
        role: Role,
    },
    /// A circle.
    Circle {
        /// From the left to its middle.
        x: f64,
        /// From above to its middle.
        y: f64,
        /// Its radius.
        r: f64,
        /// Its meaning.
        role: Role,
    },
    /// A shape in the notation of SVG.
    Path {
        /// Its course.
        path: String,
        /// Its meaning.
        role: Role,
    },
    /// A line of text.
    Words(TextRun),
    /// Cells of a map; neighbours of one colour are one rectangle.
    Cells(Vec<(Rect, Colour)>),
    /// Cells of a map as pixels, stretched over `rect`.
    Pixels {
        /// Their place.
        rect: Rect,
        /// Pixels across.
        width: u32,
        /// RGBA bytes, row by row.
        rgba: Vec<u8>,
        /// Pixels of the embedded picture, across and down, for each of these. Many programs smooth a picture whatever it says of itself:
        /// then cells keep their middles.
        times: u32,
    },
    /// Rectangles under diagonal lines.
    Hatched(Hatched),
    /// Colours from the left to the right, equally far apart.
    Gradient {
        /// Its place.
        rect: Rect,
        /// At least two.
        stops: Vec<Colour>,
    },
    /// Curves that run from the hue of queries into that of keys.
    Strands {
        /// Their left end.
        x: f64,
        /// The upper edge of their drawing.
        y: f64,
        /// From the left to the right end.
        width: f64,
        /// The curves, with the strongest last.
        strands: Vec<Strand>,
    },
    /// Parts with a place of their own.
    Group {
        /// How far they are moved to the right.
        x: f64,
        /// How far they are moved down.
        y: f64,
        /// The parts.
        items: Vec<Shape>,
    },
}

/// Cells that a mask hides.
#[derive(Clone, Debug, PartialEq)]
pub struct Hatched {
    /// The cells; neighbours are one.
    pub cells: Vec<Rect>,
    /// Where the lines are counted from.
    pub origin: (f64, f64),
    /// Distance of lines along a row.
    pub period: f64,
    /// Colour of the ground and of the lines.
    pub colours: [Colour; 2],
    /// Whether lines fall to the right, as in rows where nothing is visible.
    pub is_falling: bool,
}

/// Height of the middle of a text above its baseline, over its size: half way between baseline and capitals.
pub(super) const MIDDLE: f64 = 0.35;

impl Shape {
    /// A level hairline.
    pub(super) fn level_line(x: f64, y: f64, width: f64, role: Role) -> Self {
        Self::Path {
            path: format!("M{x:.2} {y:.2}h{width:.2}"),
            role,
        }
    }
}

/// How a text stands: everything about it but its place and words.
#[derive(Clone, Copy)]
pub(super) struct Type {
    pub anchor: Anchor,
    pub degrees: f64,
    pub size: f64,
    pub role: Role,
}

impl Type {
    /// Level text that begins at its place.
    pub(super) const fn new(size: f64, role: Role) -> Self {
        Self {
            anchor: Anchor::Start,
            degrees: 0.0,
            size,
            role,
        }
    }

    pub(super) const fn anchor(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    /// `text` with its baseline at `(x, y)`.
    pub(super) fn at(self, x: f64, y: f64, text: impl Into<String>) -> Shape {
        let Self {
            anchor,
            degrees,
            size,
            role,
        } = self;
        Shape::Words(TextRun {
            x,
            y,
            text: text.into(),
            anchor,
            degrees,
            size,
            role,
        })
    }

    /// `text` with the middle of its height on `(x, y)`, whichever way it is turned.
    pub(super) fn centred(self, x: f64, y: f64, text: impl Into<String>) -> Shape {
        let (sin, cos) = libm::sincos(self.degrees.to_radians());
        let drop = MIDDLE * self.size;
        self.at(x - drop * sin, y + drop * cos, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_is_not_slanted() {
        let face = |text: &str, role| {
            let (anchor, text) = (Anchor::Start, text.to_owned());
            let run = TextRun {
                x: 0.0,
                y: 0.0,
                text,
                anchor,
                degrees: 0.0,
                size: 12.0,
                role,
            };
            run.face()
        };
        assert_eq!(face("key →", Role::KeyTitle), Face::Italic);
        assert_eq!(face("键 key →", Role::KeyTitle), Face::Serif);
        assert_eq!(face("键", Role::KeyLabelChosen), Face::Strong);
    }
}
