//! State of the Save menu: what is chosen in it, the text for that, and what became of files.

use super::figures::{Choices, Format, Subject};
use super::matrix_text::{Extent, Form, Refusal};
use super::picture_width::{in_pixels, used_width, written_width};
use crate::i18n::{Key, Language, text};
use crate::scene::colour::Background;
use crate::scene::svg::Unit;
use formats::{Kind, Tensor};

/// The menu.
#[derive(Clone, Debug)]
pub struct SaveMenu {
    pub is_open: bool,
    /// Choices for the picture.
    pub choices: Choices,
    /// Its widest extent, in the unit that is chosen.
    pub width: f64,
    /// Format of the numbers.
    pub kind: Kind,
    /// How much of the matrix is written as text, and how.
    pub extent: Extent,
    pub form: Form,
    /// The text, or why there is none.
    pub text: Result<String, Refusal>,
    /// Whether it was copied, once that is known.
    pub is_copied: Option<bool>,
    /// The picture that was saved last, and the file of numbers.
    pub picture: Option<SavedFile>,
    pub numbers: Option<SavedFile>,
}

/// A file that was saved, or could not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedFile {
    pub name: String,
    pub is_saved: bool,
}

/// A request of the menu to the browser, which sends the outcome back.
#[derive(Clone, Debug, PartialEq)]
pub enum SaveRequest {
    /// Saves the picture that is chosen.
    Picture,
    /// Saves numbers under a name, in place of those that are still being written.
    Numbers {
        name: String,
        kind: Kind,
        tensor: Tensor,
    },
    /// Copies a text.
    Copy(String),
    /// Shows all of a text, and selects it for the user to copy.
    Select(String),
}

impl SavedFile {
    pub fn sentence(&self, language: Language) -> String {
        match self.is_saved {
            true => text::save_saved(language, &self.name),
            false => Key::SaveFailed.text(language).to_owned(),
        }
    }
}

impl Default for SaveMenu {
    fn default() -> Self {
        let (width, unit) = (used_width(f64::NAN, Unit::Mm), Unit::Mm);
        Self {
            is_open: false,
            choices: Choices {
                subject: Subject::Map,
                format: Format::Svg,
                ground: Background::Light,
                width: in_pixels(width, unit),
                unit,
                scale: 2,
                has_words: true,
                has_outline: false,
            },
            width,
            kind: Kind::Csv,
            extent: Extent::Matrix,
            form: Form::Tabs,
            text: Err(Refusal::Nothing),
            is_copied: None,
            picture: None,
            numbers: None,
        }
    }
}

impl SaveMenu {
    /// Opens it on a picture.
    pub fn open(&mut self, picture: &str) {
        self.choices.subject = Subject::from_name(picture).unwrap_or_default();
        self.is_open = true;
        self.forget_files();
    }

    /// Says no more of files: another picture is shown, or something else was chosen for one.
    pub fn forget_files(&mut self) {
        (self.picture, self.numbers) = (None, None);
    }

    /// A field was changed.
    pub fn enter(&mut self, field: &str, value: &str) {
        let choices = &mut self.choices;
        match field {
            "save-subject" => {
                choices.subject = Subject::from_name(value).unwrap_or(choices.subject);
            }
            "save-format" => choices.format = Format::from_name(value).unwrap_or(choices.format),
            "save-ground" => {
                choices.ground = match value {
                    "dark" => Background::Dark,
                    _ => Background::Light,
                };
            }
            "save-width" => {
                let typed = value.parse().unwrap_or(f64::NAN);
                self.width = used_width(typed, choices.unit);
            }
            "save-unit" => {
                let unit = match value {
                    "px" => Unit::Px,
                    _ => Unit::Mm,
                };
                if unit != choices.unit {
                    self.width = written_width(choices.width, unit);
                }
                choices.unit = unit;
            }
            "save-scale" => choices.scale = value.parse().unwrap_or(choices.scale),
            "save-words" => choices.has_words = value == "true",
            "save-outline" => choices.has_outline = value == "true",
            "numbers-kind" => self.kind = Kind::from_extension(value).unwrap_or(self.kind),
            "text-extent" => self.extent = Extent::from_name(value).unwrap_or(self.extent),
            "text-form" => self.form = Form::from_name(value).unwrap_or(self.form),
            _ => {}
        }
        choices.width = in_pixels(self.width, choices.unit);
        if !field.starts_with("text-") {
            self.forget_files();
        }
    }

    /// Takes the text of the matrix as it is now; the large map replaces a picture that is not there any more.
    pub fn follow(&mut self, is_available: bool, text: Result<String, Refusal>) {
        if !is_available {
            self.choices.subject = Subject::Map;
        }
        if self.text != text {
            (self.text, self.is_copied) = (text, None);
        }
    }
}
