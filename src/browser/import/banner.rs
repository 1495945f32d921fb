//! The banner below the sentence while imported numbers replace it.

wasm_chunks::chunk!("engine");

use web_sys::Element;

use crate::browser::controls::Control;
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::view::View;
use app::i18n::Language;
use app::present::imported_text;
use app::state::imported::{ImportedData, ImportedKind};
use app::state::{State, request_builder};
use app::views::import_dialog;

/// The strip.
pub(in crate::browser) struct ImportBanner {
    page: Element,
    element: Element,
    what: Text,
    names: Text,
    remarks: View,
    /// The numbers that are shown, and the language.
    shown: (Option<ImportedData>, Language),
}

impl ImportBanner {
    pub(in crate::browser) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            page: root.find("#playground")?,
            element: root.find("#imported")?,
            what: Text::find(root, "#imported-what")?,
            names: Text::find(root, "#imported-names")?,
            remarks: View::find(root, "#imported-remarks")?,
            shown: (None, Language::default()),
        })
    }

    fn update_texts(&mut self) {
        let (shown, language) = &self.shown;
        let kind = shown.as_ref().map(ImportedData::kind);
        let is_finished = shown.as_ref().is_some_and(ImportedData::is_finished);
        let is_layer = kind == Some(ImportedKind::Layer);
        dom::set_flag(&self.element, "hidden", shown.is_none());
        dom::set_flag(&self.page, "data-finished", is_finished);
        dom::set_flag(&self.page, "data-own-weights", is_layer);
        let has_names = |own: &ImportedData| !own.names().rows.is_empty();
        let is_named = shown.as_ref().is_some_and(has_names);
        dom::set_flag(&self.page, "data-own-names", is_named);
        if let Some(imported) = shown {
            let remarks = import_dialog::remarks(imported.contents(), *language);
            self.what
                .set_text(&imported_text::what(*language, imported));
            self.remarks.update(remarks);
        }
    }
}

impl Control for ImportBanner {
    fn update(&mut self, state: &State) {
        let language = state.language.unwrap_or_default();
        dom::set_flag(
            &self.page,
            "data-unread",
            !request_builder::rows_are_tokens(state),
        );
        let (shown, before) = &self.shown;
        if *before != language || !imported_text::is_same(shown.as_ref(), state.imported.as_ref()) {
            self.shown = (state.imported.clone(), language);
            self.update_texts();
        }
        if state.imported.is_some() {
            self.names
                .set_text(&imported_text::labelling(language, state));
        }
    }
}
