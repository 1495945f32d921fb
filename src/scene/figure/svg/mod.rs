//! Writes a figure as SVG: text stays text, colours and fonts are written out, and nothing in it runs or is fetched.

mod shapes;
mod text;

pub use text::escaped;

use std::fmt::{self, Display, Formatter};

use super::palette::{Colour, Inks, SANS};
use super::{Figure, Shape};
use text::Tidy;

/// CSS pixels of a millimetre on paper.
pub const PER_MM: f64 = 96.0 / 25.4;

/// The unit in which a file says how large it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// CSS pixels.
    #[default]
    Px,
    /// Millimetres.
    Mm,
}

/// The file.
pub fn write(figure: &Figure, unit: Unit) -> String {
    let mut out = String::new();
    head(&mut out, figure, unit);
    let paper = Inks::of(figure.ground).paper;
    let (width, height) = (Number(figure.width), Number(figure.height));
    put(
        &mut out,
        format_args!(
            "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
            Hex(paper)
        ),
    );
    for (at, item) in figure.items.iter().enumerate() {
        write_item(&mut out, item, &format!("{}-{at}", figure.id));
    }
    out.push_str("</svg>\n");
    out
}

fn head(out: &mut String, figure: &Figure, unit: Unit) {
    let (scale, unit) = match unit {
        Unit::Px => (1.0, ""),
        Unit::Mm => (PER_MM, "mm"),
    };
    let [width, height] = [figure.width, figure.height].map(Number);
    let [wide, high] = [figure.width / scale, figure.height / scale].map(Number);
    let (id, language) = (&figure.id, figure.language);
    put(
        out,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{wide}{unit}\" height=\"{high}{unit}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"{}\" lang=\"{language}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n\
             <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n",
            Tidy(SANS),
            Tidy(&figure.title),
            Tidy(&figure.description)
        ),
    );
}

fn write_item(out: &mut String, item: &Shape, id: &str) {
    match item {
        Shape::Rect { rect, fill } => shapes::rect(out, *rect, *fill),
        Shape::Cells(cells) => shapes::cells(out, cells),
        Shape::Pixels {
            rect,
            width,
            rgba,
            is_sharp,
        } => shapes::pixels(out, *rect, (*width, rgba), *is_sharp),
        Shape::Hatched(hatched) => shapes::hatched(out, hatched, id),
        Shape::Gradient { rect, stops } => shapes::gradient(out, *rect, stops, id),
        Shape::Path { path, fill, stroke } => shapes::path(out, path, *fill, stroke.as_ref()),
        Shape::Strands {
            x,
            y,
            width,
            strands,
            hues,
        } => shapes::strands(out, (*x, *y, *width), strands, *hues, id),
        Shape::Words(words) => text::words(out, words),
        Shape::Group { x, y, items } => {
            let [x, y] = [*x, *y].map(Number);
            put(out, format_args!("<g transform=\"translate({x} {y})\">\n"));
            for (at, item) in items.iter().enumerate() {
                write_item(out, item, &format!("{id}-{at}"));
            }
            out.push_str("</g>\n");
        }
    }
}

/// A string takes everything.
fn put(out: &mut String, arguments: fmt::Arguments<'_>) {
    let _ = fmt::write(out, arguments);
}

/// A length as short as can be, exact to a hundredth.
#[derive(Clone, Copy)]
struct Number(f64);

impl Display for Number {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        let hundredths = if self.0.is_finite() {
            (self.0 * 100.0).round() / 100.0
        } else {
            0.0
        };
        // Adding nothing turns −0 into 0.
        write!(to, "{}", hundredths + 0.0)
    }
}

#[derive(Clone, Copy)]
struct Hex(Colour);

impl Display for Hex {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(to, "#{r:02x}{g:02x}{b:02x}")
    }
}
