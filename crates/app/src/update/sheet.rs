//! What lies over the lower half of a phone's window, below the map.

use super::{App, View};
use crate::Effect;
use crate::state::State;

/// A part of the page that a phone shows over the lower half of its window. Wider windows show it where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// The chosen row, with the arithmetic of a locked cell.
    Row,
    /// The settings.
    SetUp,
    /// The names of all panels.
    Panels,
}

impl Sheet {
    /// Its name in the markup.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::SetUp => "set-up",
            Self::Panels => "panels",
        }
    }
}

impl App {
    /// Opens a sheet in place of the one before, and moves the focus to it; without one to the map.
    #[inline(never)]
    pub(super) fn open_sheet(&mut self, sheet: Option<Sheet>) {
        self.show_sheet(sheet);
        self.effect(Effect::FocusSheet(sheet));
    }

    /// Shows what a locked cell is computed from, or no longer.
    pub(super) fn follow_cell(&mut self) {
        match self.locked_key() {
            Some(_) => self.show_sheet(Some(Sheet::Row)),
            None if self.sheet == Some(Sheet::Row) => self.show_sheet(None),
            None => {}
        }
    }

    /// Closes the sheet where a panel or a lesson was opened or closed, which are read without one.
    pub(super) fn follow_sheet(&mut self, before: &State) {
        if before.panels != self.state.panels || before.lesson != self.state.lesson {
            self.show_sheet(None);
        }
    }

    fn show_sheet(&mut self, sheet: Option<Sheet>) {
        // A lesson has the lower half for itself, and a compact page stands in a frame of any height.
        let is_free = self.state.lesson.is_empty() && !self.state.embed;
        let sheet = sheet.filter(|_| is_free);
        if std::mem::replace(&mut self.sheet, sheet) != sheet {
            self.show(View::Sheet);
        }
    }
}
