//! The options for saving pictures.

use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlOptionElement, HtmlSelectElement};

use crate::browser::dom::{self, MissingPart, Root};
use app::export::figures::{Choices, Format, Subject};
use app::export::picture_width::{in_pixels, limits, used_width, written_width};
use app::scene::colour::Background;
use app::scene::svg::Unit;

/// The controls.
pub(super) struct Bound {
    subject: HtmlSelectElement,
    options: Vec<HtmlOptionElement>,
    png: HtmlInputElement,
    dark: HtmlInputElement,
    width: HtmlInputElement,
    unit: HtmlSelectElement,
    scales: Vec<HtmlInputElement>,
    words: HtmlInputElement,
    of_pixels: Element,
    /// The unit that the width is written in.
    written: std::cell::Cell<Unit>,
}

impl Bound {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            subject: root.find("#save-subject")?,
            options: root.all("#save-subject option"),
            png: root.find("#save-picture input[value=png]")?,
            dark: root.find("#save-picture input[value=dark]")?,
            width: root.find("#save-width")?,
            unit: root.find("#save-unit")?,
            scales: root.all("#save-scale input"),
            words: root.find("#save-words")?,
            of_pixels: root.find::<HtmlElement>("#save-scale")?.into(),
            written: std::cell::Cell::new(Unit::Mm),
        })
    }

    /// The menu of pictures.
    pub(super) fn subject(&self) -> HtmlSelectElement {
        self.subject.clone()
    }

    /// Reads the choices; unreadable ones take their defaults.
    pub(super) fn read(&self) -> Choices {
        let unit = match self.unit.value().as_str() {
            "px" => Unit::Px,
            _ => Unit::Mm,
        };
        let width = in_pixels(self.typed(), self.written.get());
        if self.written.replace(unit) != unit {
            self.write(width, unit);
        }
        let scale = self.scales.iter().find(|input| input.checked());
        Choices {
            subject: Subject::from_name(&self.subject.value()).unwrap_or_default(),
            format: if self.png.checked() {
                Format::Png
            } else {
                Format::Svg
            },
            ground: if self.dark.checked() {
                Background::Dark
            } else {
                Background::Light
            },
            width,
            unit,
            scale: scale
                .and_then(|input| input.value().parse().ok())
                .unwrap_or(2),
            has_words: self.words.checked(),
        }
    }

    /// Writes the width that is used where something else was typed.
    pub(super) fn settle(&self) {
        let used = self.typed();
        if self.width.value_as_number() != used {
            self.width.set_value(&used.to_string());
        }
    }

    /// The width in the unit that it is written in.
    fn typed(&self) -> f64 {
        used_width(self.width.value_as_number(), self.written.get())
    }

    /// Writes the width in another unit.
    fn write(&self, width: f64, unit: Unit) {
        let (least, most) = limits(unit);
        self.width.set_min(&least.to_string());
        self.width.set_max(&most.to_string());
        self.width
            .set_value(&written_width(width, unit).to_string());
    }

    /// Shows what belongs to the kind of file.
    pub(super) fn suit(&self, choices: &Choices) {
        dom::set_flag(&self.of_pixels, "hidden", choices.format != Format::Png);
    }

    /// Offers these subjects, and no others; the large map replaces one that is
    /// unavailable.
    pub(super) fn offer(&self, is_there: impl Fn(Subject) -> bool) {
        for option in &self.options {
            let is_off = Subject::from_name(&option.value()).is_none_or(|of| !is_there(of));
            option.set_disabled(is_off);
            dom::set_flag(option, "hidden", is_off);
            if is_off && option.value() == self.subject.value() {
                self.subject.set_value(Subject::Map.name());
            }
        }
    }
}
