//! The form in which a user assigns a role to each tensor.

use web_sys::{Element, HtmlDetailsElement, HtmlInputElement, HtmlSelectElement};

use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::view::View;
use app::i18n::{Language, text};
use app::import::{Role, TensorAssignment, heads_note};
use app::state::imported::ImportedKind;
use app::views::import_dialog;
use formats::Tensor;

/// The form.
pub(super) struct Form {
    root: Root,
    element: HtmlDetailsElement,
    kinds: Vec<HtmlInputElement>,
    roles: View,
    entry_row: Element,
    entries: Text,
    entry: HtmlInputElement,
    heads_row: Element,
    heads: HtmlInputElement,
    heads_note: Text,
    transposed_row: Element,
    transposed: HtmlInputElement,
    rows_first_row: Element,
    rows_first: HtmlInputElement,
}

impl Form {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            root: root.clone(),
            element: root.find("#import-dialog-form")?,
            kinds: root.all("input[type=radio][name=import-dialog-kind]"),
            roles: View::find(root, "#import-dialog-roles")?,
            entry_row: root.find("#import-dialog-entry-row")?,
            entries: Text::find(root, "#import-dialog-entries")?,
            entry: root.find("#import-dialog-entry")?,
            heads_row: root.find("#import-dialog-heads-row")?,
            heads: root.find("#import-dialog-heads")?,
            heads_note: Text::find(root, "#import-dialog-heads-note")?,
            transposed_row: root.find("#import-dialog-transposed-row")?,
            transposed: root.find("#import-dialog-transposed")?,
            rows_first_row: root.find("#import-dialog-rows-first-row")?,
            rows_first: root.find("#import-dialog-rows-first")?,
        })
    }

    pub(super) fn hide(&mut self) {
        let form: &Element = &self.element;
        for part in [form, &self.entry_row, &self.heads_row, &self.transposed_row] {
            dom::set_flag(part, "hidden", true);
        }
    }

    /// The form; open if the user has to decide something.
    pub(super) fn offer(&mut self, tensors: &[Tensor], is_needed: bool) {
        dom::set_flag(&self.element, "hidden", tensors.is_empty());
        self.element.set_open(is_needed);
    }

    /// Shows a reading.
    pub(super) fn update(
        &mut self,
        reading: &TensorAssignment,
        tensors: &[Tensor],
        language: Language,
    ) {
        for radio in &self.kinds {
            radio.set_checked(radio.value() == reading.kind.name());
        }
        self.roles
            .update(import_dialog::roles(reading.kind, tensors, language));
        for (role, menu) in self.menus(reading.kind) {
            let tensor = reading.plays(role).map(|tensor| tensor.to_string());
            menu.set_value(&tensor.unwrap_or_default());
        }
        let entries = reading.entries(tensors);
        dom::set_flag(&self.entry_row, "hidden", entries < 2);
        self.entries
            .set_text(&text::import_dialog_entries(language, &entries));
        self.entry.set_max(&entries.to_string());
        self.entry.set_value(&(reading.entry + 1).to_string());
        self.update_heads(reading, tensors, language);
        let asks_transposed = reading.asks_transposed(tensors);
        dom::set_flag(&self.transposed_row, "hidden", !asks_transposed);
        self.transposed.set_checked(reading.is_transposed);
        let asks_order = reading.asks_rows_first(tensors);
        dom::set_flag(&self.rows_first_row, "hidden", !asks_order);
        self.rows_first.set_checked(reading.is_rows_first);
    }

    fn update_heads(&mut self, reading: &TensorAssignment, tensors: &[Tensor], language: Language) {
        let asked = reading.asked_heads(tensors);
        dom::set_flag(&self.heads_row, "hidden", asked.is_none());
        self.heads.set_value(&reading.heads.to_string());
        let Some(asked) = asked else { return };
        self.heads.set_min(&asked.group.to_string());
        self.heads.set_step(&asked.group.to_string());
        self.heads_note
            .set_text(&heads_note(language, asked, tensors));
    }

    /// Its present assignment.
    pub(super) fn read(&self, before: &TensorAssignment, tensors: &[Tensor]) -> TensorAssignment {
        let chosen = self.kinds.iter().find(|radio| radio.checked());
        let kind = chosen.and_then(|radio| {
            let mut kinds = ImportedKind::ALL.into_iter();
            kinds.find(|kind| kind.name() == radio.value())
        });
        if let Some(kind) = kind.filter(|kind| *kind != before.kind) {
            return before.turned_to(kind, tensors);
        }
        let mut reading = before.clone();
        for (role, menu) in self.menus(before.kind) {
            reading.assign(role, menu.value().parse().ok());
        }
        let entry: Option<usize> = self.entry.value().parse().ok();
        let last = before.entries(tensors).max(1);
        reading.entry = entry.map_or(before.entry, |entry| entry.clamp(1, last) - 1);
        reading.heads = self.heads.value().parse().unwrap_or(before.heads);
        reading.is_rows_first = self.rows_first.checked();
        reading.is_transposed = self.transposed.checked();
        reading
    }

    /// The menu of each role.
    fn menus(&self, kind: ImportedKind) -> impl Iterator<Item = (Role, HtmlSelectElement)> {
        let menus = self.root.all("#import-dialog-roles select");
        Role::for_kind(kind).iter().copied().zip(menus)
    }
}
