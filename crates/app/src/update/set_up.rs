//! The set-up column, of which a few settings are in sight and all of them after a press.

use super::{App, View};
use crate::state::{Field, State};

/// Under which name it is kept that a reader wants all of them.
const KEPT: &str = "all-settings";

/// Settings that are folded away.
const FOLDED: [Field; 7] = [
    Field::KvHeads,
    Field::Layers,
    Field::DModel,
    Field::Positions,
    Field::Scoring,
    Field::Linformer,
    Field::Hiding,
];

impl App {
    /// Shows all settings, or the few; the next visit begins like this.
    #[inline(never)]
    pub(super) fn toggle_all_settings(&mut self) {
        self.shows_all_settings = !self.shows_all_settings;
        self.keep(KEPT, self.shows_all_settings.then_some("1"));
        self.show(View::Controls);
    }

    /// Shows all settings where the reader wants them.
    pub(super) fn recall_all_settings(&mut self) {
        self.shows_all_settings |= self.recall(KEPT).is_some();
    }

    /// Shows all settings where one that is folded away has been moved.
    pub(super) fn follow_settings(&mut self, before: &State) {
        let is_moved = |field: &Field| {
            let own = self.state.get(*field);
            own != before.get(*field) && own != self.state.default_of(*field)
        };
        self.shows_all_settings |= FOLDED.iter().any(is_moved);
    }
}
