//! Options of figures, and notes about a file before it is saved.

use super::Subject;
use crate::i18n::{Language, text};
use crate::scene::colour::Background;
use crate::scene::figure::Figure;
use crate::scene::figure::map_figure::MOST_SHAPES;
use crate::scene::svg::{PER_MM, Unit};
use crate::state::setting_enums::named;

named! {
    /// The kind of file; its name is the ending of a file's name.
    Format {
        /// Shapes and text.
        Svg = "svg",
        /// Pixels.
        Png = "png",
    }
}

impl Format {
    /// As it is written on a button.
    pub fn label(self) -> String {
        self.name().to_uppercase()
    }
}

/// Everything that is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choices {
    /// Subject of the figure.
    pub subject: Subject,
    /// The kind of file.
    pub format: Format,
    /// Background of the figure.
    pub ground: Background,
    /// Widest extent in CSS pixels.
    pub width: f64,
    /// The unit of its size.
    pub unit: Unit,
    /// Pixels to a CSS pixel.
    pub scale: u32,
    /// Whether it has a heading and a caption.
    pub has_words: bool,
    /// Whether the chosen row and cell of the large map are outlined.
    pub has_outline: bool,
}

/// Pixels along a side that browsers draw.
const MOST: u32 = 16_384;

/// Width and height in pixels.
pub fn pixels(figure: &Figure, scale: u32) -> (u32, u32) {
    let side = |length: f64| (length * f64::from(scale)).round() as u32;
    (side(figure.width), side(figure.height))
}

/// Why the picture cannot be drawn, where it cannot.
pub fn refusal(figure: &Figure, choices: &Choices, language: Language) -> Option<String> {
    let (width, height) = pixels(figure, choices.scale);
    if choices.format != Format::Png || width.max(height) <= MOST {
        return None;
    }
    let [width, height, most] = [width, height, MOST].map(|n| n.to_string());
    Some(text::save_too_large(language, &width, &height, &most))
}

/// How large the picture is going to be.
pub fn size(figure: &Figure, choices: &Choices, language: Language) -> String {
    let [width, height] = [figure.width, figure.height];
    if choices.format == Format::Svg {
        let [width, height] = [width, height].map(|length| format!("{:.0}", length / PER_MM));
        return text::save_size(language, &width, &height);
    }
    let (width, height) = pixels(figure, choices.scale);
    let [width, height, density] = [width, height, 96 * choices.scale].map(|n| n.to_string());
    text::save_pixels(language, &width, &height, &density)
}

/// Note about the file; empty if there is nothing to say.
pub fn note(figure: &Figure, choices: &Choices, language: Language) -> String {
    if choices.format == Format::Svg && figure.has_pixels {
        text::save_embedded(language, &MOST_SHAPES)
    } else {
        String::new()
    }
}
