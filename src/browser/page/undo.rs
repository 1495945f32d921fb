//! Goes back through what was done, and forward again.

use super::Page;
use crate::browser::panels::UndoAction;
use crate::browser::timer;
use crate::message::ChangeSource;
use crate::present::address_history::{Change, HistoryMode};
use crate::state::{Action, Field, Part, State, reduce, url};

impl Page {
    /// Undoes a step, does it again, or goes back to the standard settings.
    pub(crate) fn undo(&mut self, action: UndoAction) {
        if self.state.is_locked(Part::Undo) {
            return;
        }
        let state = match action {
            UndoAction::Undo => self.undo.undo(&self.state),
            UndoAction::Redo => self.undo.redo(&self.state),
            UndoAction::Reset => {
                return self.act(Action::Standard(self.language), Change::Commit);
            }
        };
        if let Some(state) = state {
            self.go_to(state);
        }
    }

    fn go_to(&mut self, state: State) {
        self.by = ChangeSource::Person;
        self.panels.scheduler.input_ended();
        self.notices.change(self.language, |all| all.clear());
        self.noticed = None;
        for field in [Field::Language, Field::Theme] {
            if state.get(field) != self.state.get(field) {
                self.remember(&state, Some(field));
            }
        }
        (self.preferred_head, self.auto_selection) = Default::default();
        self.lesson.return_to(&state);
        self.set_state(state);
        self.show_undo();
        // An entry of its own: what was undone is one step back as well.
        let fragment = url::to_fragment(&self.state);
        self.address
            .write(&fragment, Change::Commit, HistoryMode::Push);
    }

    /// An action about `field` has made the state of `before`.
    pub(super) fn record(&mut self, before: &State, field: Option<Field>, change: Change) {
        let now = timer::now(&self.window);
        let is_done = change == Change::Commit;
        if self.undo.record((before, &self.state), field, is_done, now) {
            self.show_undo();
        }
    }

    /// Shows which of the buttons do something.
    pub(super) fn show_undo(&mut self) {
        let (standard, _) = reduce(self.state.clone(), Action::Standard(self.language));
        let is_free = !self.state.is_locked(Part::Undo);
        let can = [
            self.undo.can_undo(),
            self.undo.can_redo(),
            standard != self.state,
        ];
        self.undo_buttons.update(can.map(|can| can && is_free));
    }
}
