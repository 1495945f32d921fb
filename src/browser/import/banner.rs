//! The banner below the sentence while imported numbers replace it.

wasm_chunks::chunk!("engine");

use web_sys::Element;

use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::view::View;
use app::i18n::Language;
use app::present::imported_text;
use app::state::imported::{ImportedData, ImportedKind};
use app::state::{State, request_builder};
use app::views::import_dialog;

/// The strip.
pub(super) struct ImportBanner {
    page: Element,
    element: Element,
    what: Text,
    names: Text,
    remarks: View,
    shown: Option<ImportedData>,
    language: Language,
}

impl ImportBanner {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            page: root.find("#playground")?,
            element: root.find("#imported")?,
            what: Text::find(root, "#imported-what")?,
            names: Text::find(root, "#imported-names")?,
            remarks: View::find(root, "#imported-remarks")?,
            shown: None,
            language: Language::default(),
        })
    }

    pub(super) fn name(&mut self, language: Language) {
        self.language = language;
        self.update_texts();
    }

    pub(super) fn update(&mut self, state: &State) {
        dom::set_flag(
            &self.page,
            "data-unread",
            !request_builder::rows_are_tokens(state),
        );
        if !imported_text::is_same(self.shown.as_ref(), state.imported.as_ref()) {
            self.shown.clone_from(&state.imported);
            self.update_texts();
        }
        if state.imported.is_some() {
            self.names
                .set_text(&imported_text::labelling(self.language, state));
        }
    }

    fn update_texts(&mut self) {
        dom::set_flag(&self.element, "hidden", self.shown.is_none());
        let is_finished = self.shown.as_ref().is_some_and(ImportedData::is_finished);
        dom::set_flag(&self.page, "data-finished", is_finished);
        let kind = self.shown.as_ref().map(ImportedData::kind);
        dom::set_flag(
            &self.page,
            "data-own-weights",
            kind == Some(ImportedKind::Layer),
        );
        let Some(imported) = &self.shown else { return };
        self.what
            .set_text(&imported_text::what(self.language, imported));
        self.remarks
            .update(import_dialog::remarks(imported.contents(), self.language));
    }
}
