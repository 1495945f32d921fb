//! Handles actions of the inspector.

use super::Page;
use crate::browser::panels::Inspected;
use crate::present::address_history::Change;
use crate::state::{Action, Cell, Field, Value};

impl Page {
    /// Shows where numbers stand, goes to one of them, or lets the cell go.
    pub(crate) fn inspect(&mut self, action: Inspected) {
        match action {
            Inspected::Light(places) => self.light(places),
            Inspected::Unfold => self.stale.pointed = true,
            Inspected::Go(place) => {
                // The button that was chosen goes with the explanation that it stands in.
                self.main_view.inspector.focus();
                let step = Value::Choice(place.step.name());
                self.act(Action::Set(Field::Step, step), Change::Commit);
                self.choose(place.row, Some(place.column));
            }
            Inspected::Close => {
                self.element.focus().ok();
                let row = self.state.cell.map_or(0, |cell| cell.query);
                self.choose(row, None);
            }
        }
    }

    fn choose(&mut self, query: usize, key: Option<usize>) {
        let cell = Value::Cell(Cell { query, key });
        self.act(Action::Set(Field::Cell, cell), Change::Commit);
    }
}
