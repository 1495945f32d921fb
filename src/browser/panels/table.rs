//! The map as a table, for screen readers and copying; built only while it is open.

use web_sys::HtmlDetailsElement;

use crate::browser::dom::{MissingPart, Root};
use crate::browser::view::View;
use app::i18n::Language;
use app::present::displayed_matrix::DisplayedMatrix;
use app::views::table::table;

/// The table below the map.
pub(crate) struct Table {
    details: HtmlDetailsElement,
    table: View,
    is_stale: bool,
}

impl Table {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            details: root.find("#as-table")?,
            table: View::find(root, "#as-table .table")?,
            is_stale: true,
        })
    }

    /// Another picture is on screen.
    pub(crate) fn outdate(&mut self) {
        self.is_stale = true;
    }

    /// Writes the table if it is open and out of date.
    pub(crate) fn update(&mut self, displayed: &DisplayedMatrix<'_>, language: Language) {
        if self.is_stale && self.details.open() {
            self.is_stale = false;
            self.table.update(table(displayed, language));
        }
    }
}
