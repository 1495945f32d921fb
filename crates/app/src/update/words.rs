//! Words of the sentences: hovered ones, and those that the page selects.

use super::App;
use crate::message::Highlight;
use crate::present::address_history::{Change, HistoryMode};
use crate::present::most_informative::{clearest_row, most_informative};
use crate::scene::hit::Pointed;
use crate::state::request_builder::rows_are_tokens;
use crate::state::{Cell, Field, Part, State, Value, steps};

impl App {
    /// Row or column of the map on screen for a word of a sentence.
    pub fn word_of_map(&self, is_second: bool, word: usize) -> Option<usize> {
        let run = self.main.run.as_ref()?;
        let words = if is_second {
            run.keys.len()
        } else {
            run.queries.len()
        };
        (rows_are_tokens(&run.state) && word < words).then_some(word)
    }

    /// Highlights a word of the first sentence, whose words are rows, or of the second, whose words
    /// are columns.
    #[inline(never)]
    pub(super) fn point_word(&mut self, is_second: bool, word: Option<usize>) {
        // Linformer's columns are no words.
        let word = word.filter(|_| !is_second || !self.state.linformer);
        let pointed = word.map(|word| Pointed {
            query: (!is_second).then_some(word),
            key: is_second.then_some(word),
        });
        if self.hover != pointed {
            self.highlight(pointed.map_or(Highlight::Nothing, Highlight::At));
        }
    }

    /// Selects head and row of a new text, unless the user or a host has.
    pub(super) fn choose_most_informative(&mut self) {
        let is_due = self.has_numbers() && self.auto_selection.is_due();
        let Some(run) = self.main.run.as_ref().filter(|_| is_due) else {
            return;
        };
        let (head, row) = (self.state.head, self.state.cell.map(|cell| cell.query));
        let heads = if self.state.is_locked(Part::Small) {
            head..head + 1
        } else {
            0..run.heads()
        };
        let found = if self.state.imported.is_some() {
            clearest_row(run, self.state.head).map(|row| (self.state.head, row))
        } else {
            most_informative(run, heads, (head, row))
        };
        self.auto_selection.take();
        if let Some((head, query)) = found.filter(|found| (found.0, Some(found.1)) != (head, row)) {
            self.look_at(head, query);
        }
    }

    /// Shows a head and a row, in the current history entry.
    fn look_at(&mut self, head: usize, query: usize) {
        let mut state = State {
            head,
            ..self.state.clone()
        };
        if steps::begins_with_queries(steps::shown(&state)) {
            // Refused only for a row that is not on the map.
            let _ = state.set(Field::Cell, Value::Cell(Cell { query, key: None }));
        }
        self.set_state(state);
        self.write(Change::Input, HistoryMode::Replace);
    }
}
