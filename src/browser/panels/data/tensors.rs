//! The table of tensors.

use web_sys::Element;

use crate::browser::dom::{self, Attribute, Symbols, Text};
use crate::browser::panels::keyed_list::{Row, Rows};
use crate::export::tensors as app;
use crate::export::tensors::Entry;
use crate::i18n::{Key, Language, text};
use crate::import::file_messages;
use formats::Kind;

/// The attribute that tells a row's tensor.
pub(super) const TENSOR: &str = "data-tensor";

/// The rows.
pub(super) struct Tensors {
    rows: Rows<TensorRow>,
}

struct TensorRow {
    element: Element,
    name: Text,
    meaning: Symbols,
    lengths: Text,
    axes: Symbols,
    size: Text,
    save: Element,
    save_text: Text,
    save_name: Attribute,
    tensor: Attribute,
}

impl Row for TensorRow {
    fn make(parent: &Element, _: usize) -> Option<Self> {
        let element: Element = dom::append(parent, "tr", "")?;
        let head: Element = dom::append(&element, "th", "")?;
        dom::set(&head, "scope", "row");
        let name: Element = dom::append(&head, "code", "")?;
        dom::set(&name, "translate", "no");
        let meaning: Element = dom::append(&element, "td", "meaning")?;
        let shape: Element = dom::append(&element, "td", "shape")?;
        let lengths: Element = dom::append(&shape, "span", "")?;
        let axes: Element = dom::append(&shape, "span", "axes")?;
        dom::set(&axes, "translate", "no");
        let size: Element = dom::append(&element, "td", "")?;
        let file: Element = dom::append(&element, "td", "")?;
        let save: Element = dom::append(&file, "button", "plain")?;
        dom::set(&save, "type", "button");
        Some(Self {
            name: Text::new(name),
            meaning: Symbols::new(meaning),
            lengths: Text::new(lengths),
            axes: Symbols::new(axes),
            size: Text::new(size),
            save_text: Text::new(save.clone()),
            save_name: Attribute::new(save.clone(), "aria-label"),
            tensor: Attribute::new(save.clone(), TENSOR),
            save,
            element,
        })
    }

    fn element(&self) -> &Element {
        &self.element
    }
}

impl Tensors {
    pub(super) fn new(list: Element) -> Self {
        Self {
            rows: Rows::new(list),
        }
    }

    pub(super) fn update(&mut self, entries: &[Entry], kind: Kind, language: Language) {
        for (row, entry) in self.rows.take(entries.len()).iter_mut().zip(entries) {
            row.update(entry, kind, language);
        }
    }
}

impl TensorRow {
    fn update(&mut self, entry: &Entry, kind: Kind, language: Language) {
        let name = entry.name.name();
        let fits = app::fits(kind, [entry]);
        let lengths: Vec<_> = entry.shape().iter().map(usize::to_string).collect();
        let axes: Vec<_> = entry.axes.iter().map(|(axis, _)| *axis).collect();
        self.name.set_text(name);
        self.meaning.set_text(entry.name.meaning(language));
        self.lengths.set_text(&lengths.join(" × "));
        self.axes.set_text(&axes.join(" × "));
        self.size
            .set_text(&file_messages::size(app::bytes(kind, [entry])));
        let key = if fits { Key::DataSave } else { Key::DataLarge };
        self.save_text.set_text(key.text(language));
        self.save_name.set(&if fits {
            text::data_save_one(language, &name, &file_messages::kind(kind))
        } else {
            key.text(language).to_owned()
        });
        self.tensor.set(name);
        dom::set_flag(&self.save, "disabled", !fits);
    }
}
