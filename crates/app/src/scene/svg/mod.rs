//! Writes shapes as SVG. On the page roles are classes, whose colours the style sheet gives, so that themes, forced colours and print
//! need no other picture; in a file colours and fonts are written out, and nothing in it runs or is fetched. Thickness and dashes
//! are written in both, so that they agree.

wasm_chunks::chunk!("more");

mod shapes;
mod text;

pub use text::escaped;

use std::fmt::{self, Display, Formatter};

use super::figure::Figure;
use super::figure::palette::{Inks, SANS};
use super::role::{Role, Stroke};
use super::shape::{Colour, Shape};
use text::Tidy;

/// CSS pixels of a millimetre on paper.
pub const PER_MM: f64 = 96.0 / 25.4;

/// Unit of a file's size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// CSS pixels.
    #[default]
    Px,
    /// Millimetres.
    Mm,
}

/// The shapes as they stand inside an `svg` element of the page.
pub fn on_page(shapes: &[Shape]) -> String {
    let mut writer = Writer {
        out: String::new(),
        inks: None,
    };
    writer.shapes(shapes, "shape");
    writer.out
}

/// A drawing of this size on the page; the text beside it describes it.
pub fn element((width, height): (f64, f64), content: &str) -> String {
    let [width, height] = [width, height].map(|length| Number(length.round()));
    format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" aria-hidden=\"true\">{content}</svg>"
    )
}

/// The figure as a file.
pub fn write(figure: &Figure, unit: Unit) -> String {
    let inks = Inks::on(figure.ground);
    let mut writer = Writer {
        out: String::new(),
        inks: Some(inks),
    };
    writer.head(figure, unit);
    let (width, height) = (Number(figure.width), Number(figure.height));
    let paper = Hex(inks.paper);
    writer.put(format_args!(
        "<rect width=\"{width}\" height=\"{height}\" fill=\"{paper}\"/>\n"
    ));
    writer.shapes(&figure.items, &figure.id);
    writer.out.push_str("</svg>\n");
    writer.out
}

struct Writer {
    out: String,
    /// The colours of a file; none on the page, where roles are classes.
    inks: Option<Inks>,
}

impl Writer {
    fn head(&mut self, figure: &Figure, unit: Unit) {
        let (scale, unit) = match unit {
            Unit::Px => (1.0, ""),
            Unit::Mm => (PER_MM, "mm"),
        };
        let [width, height] = [figure.width, figure.height].map(Number);
        let [wide, high] = [figure.width / scale, figure.height / scale].map(Number);
        let (id, language) = (&figure.id, figure.language);
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{wide}{unit}\" height=\"{high}{unit}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"{}\" lang=\"{language}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n\
             <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n",
            Tidy(SANS),
            Tidy(&figure.title),
            Tidy(&figure.description)
        ));
    }

    /// `id` is a name that nothing else in the document has.
    fn shapes(&mut self, shapes: &[Shape], id: &str) {
        for (at, shape) in shapes.iter().enumerate() {
            self.shape(shape, &format!("{id}-{at}"));
        }
    }

    fn shape(&mut self, shape: &Shape, id: &str) {
        match shape {
            Shape::Rect { rect, role } => self.rect(*rect, *role),
            Shape::Circle { x, y, r, role } => self.circle([*x, *y, *r], *role),
            Shape::Path { path, role } => self.path(path, *role),
            Shape::Words(words) => self.words(words),
            Shape::Cells(cells) => self.cells(cells),
            Shape::Pixels {
                rect,
                width,
                rgba,
                times,
            } => self.pixels(*rect, (*width, rgba), *times),
            Shape::Hatched(hatched) => self.hatched(hatched, id),
            Shape::Gradient { rect, stops } => self.gradient(*rect, stops, id),
            Shape::Strands {
                x,
                y,
                width,
                strands,
            } => self.strands([*x, *y, *width], strands, id),
            Shape::Group { x, y, items } => {
                let [x, y] = [*x, *y].map(Number);
                self.put(format_args!("<g transform=\"translate({x} {y})\">\n"));
                self.shapes(items, id);
                self.out.push_str("</g>\n");
            }
        }
    }

    /// Writes the colours and strokes of a role. If it has a stroke, `is_filled` determines whether
    /// its inside is filled as well.
    fn look(&mut self, role: Role, is_filled: bool) {
        let stroke = role.stroke();
        match self.inks {
            None if role.class().is_empty() => {}
            None => self.put(format_args!(" class=\"{}\"", role.class())),
            Some(inks) => {
                match inks.fill(role).filter(|_| is_filled || stroke.is_none()) {
                    Some(fill) => self.put(format_args!(" fill=\"{}\"", Hex(fill))),
                    None => self.out.push_str(" fill=\"none\""),
                }
                if let Some(stroke) = stroke {
                    let colour = inks.tone(stroke.tone);
                    self.put(format_args!(" stroke=\"{}\"", Hex(colour)));
                }
            }
        }
        if let Some(stroke) = stroke {
            self.stroke(&stroke);
        }
    }

    fn stroke(&mut self, stroke: &Stroke) {
        if stroke.width != 1.0 {
            self.put(format_args!(" stroke-width=\"{}\"", Number(stroke.width)));
        }
        if !stroke.dashes.is_empty() {
            let dashes: Vec<String> = stroke.dashes.iter().map(f64::to_string).collect();
            self.put(format_args!(" stroke-dasharray=\"{}\"", dashes.join(" ")));
        }
        if stroke.opacity < 1.0 {
            self.put(format_args!(
                " stroke-opacity=\"{}\"",
                Number(stroke.opacity)
            ));
        }
        if stroke.is_round {
            self.out.push_str(" stroke-linecap=\"round\"");
        }
    }

    /// A string takes everything.
    fn put(&mut self, arguments: fmt::Arguments<'_>) {
        let _ = fmt::write(&mut self.out, arguments);
    }
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
