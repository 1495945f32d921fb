//! Words of the sentences: pointed at, pressed, and those that the page chooses.

use super::Page;
use crate::browser::map::Pointed;
use crate::browser::panels::registry::Highlight;
use crate::present::address_history::{Change, HistoryMode};
use crate::present::most_informative::most_informative;
use crate::present::run::Run;
use crate::state::request_builder::{rows_are_tokens, same_computation};
use crate::state::{Cell, Field, Part, State, Value, steps, url};

/// Something that is done on a sentence, at a place in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WordEvent {
    /// The pointer is here.
    Over(f64, f64),
    /// The pointer is elsewhere.
    Away,
    /// It was pressed here.
    Press(f64, f64),
}

impl Page {
    /// Does what was done on the first sentence, whose words are rows, or on the second, whose words are columns.
    pub(crate) fn point_word(&mut self, is_second: bool, action: WordEvent) {
        let word = match action {
            WordEvent::Away => None,
            WordEvent::Over(x, y) | WordEvent::Press(x, y) => self.word_at(is_second, x, y),
        };
        match (action, word) {
            (WordEvent::Press(..), Some(query)) if !is_second => {
                self.hint(Highlight::Row(query));
            }
            (WordEvent::Press(..), _) => {}
            (_, word) => self.point_out(is_second, word),
        }
    }

    fn word_at(&self, is_second: bool, x: f64, y: f64) -> Option<usize> {
        let run = self.run.as_ref()?;
        let word = self.main_view.word_at(usize::from(is_second), x, y)?;
        let words = if is_second {
            run.keys.len()
        } else {
            run.queries.len()
        };
        (rows_are_tokens(&run.state) && word < words).then_some(word)
    }

    fn point_out(&mut self, is_second: bool, word: Option<usize>) {
        // Linformer's columns are no words.
        let word = word.filter(|_| !is_second || !self.state.linformer);
        let pointed = word.map(|word| Pointed {
            query: (!is_second).then_some(word),
            key: is_second.then_some(word),
        });
        if self.hover != pointed {
            self.hint(pointed.map_or(Highlight::Nothing, Highlight::At));
        }
    }

    /// Chooses head and row of a new text, where nobody else has.
    pub(super) fn choose_most_informative(&mut self) {
        let is_of_state = |run: &&Run| same_computation(&run.state, &self.state);
        let run = self.run.as_ref().filter(is_of_state);
        let Some(run) = run.filter(|_| self.auto_selection.is_due()) else {
            return;
        };
        let (head, row) = (self.state.head, self.state.cell.map(|cell| cell.query));
        let heads = match self.state.is_locked(Part::Small) {
            true => head..head + 1,
            false => 0..run.heads(),
        };
        let found = most_informative(run, heads, (head, row));
        self.auto_selection.take();
        if let Some((head, query)) = found.filter(|found| (found.0, Some(found.1)) != (head, row)) {
            self.look_at(head, query);
        }
    }

    /// Shows a head and a row, in the history entry that there is.
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
        let fragment = url::to_fragment(&self.state);
        self.address
            .write(&fragment, Change::Input, HistoryMode::Replace);
    }
}
