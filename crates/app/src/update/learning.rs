//! A model that learns in sight.

wasm_chunks::chunk!("input": best_head);

use super::{App, View};
use crate::present::address_history::{Change, HistoryMode};
use crate::present::run::Run;
use crate::state::learned::{grammar, model};
use crate::state::{Field, Origin, Part, State};
use attention::text::vocabulary;

/// What the page remembers of the model of its state.
#[derive(Debug, Default)]
pub(super) struct Learning {
    /// Its model is another one, which has not learned as much as the state says yet.
    is_begun: bool,
    /// Its head is left to the page once it has.
    chooses_head: bool,
}

/// Whether both states have the same model.
fn is_same_model(one: &State, other: &State) -> bool {
    let are_learned = [one, other].map(|state| state.origin == Origin::Learned);
    are_learned == [true; 2] && model(one) == model(other)
}

impl Learning {
    /// Follows a change of the state.
    pub(super) fn follow(&mut self, before: &State, after: &State) {
        if is_same_model(before, after) {
            self.is_begun &= before.trained == after.trained;
        } else {
            *self = Self {
                is_begun: after.origin == Origin::Learned,
                chooses_head: false,
            };
        }
    }
}

impl App {
    /// The training steps of the model on the map: while another one learns, not yet those of the state.
    pub fn trained(&self) -> usize {
        let run = self.main.run.as_ref().filter(|_| self.learning.is_begun);
        let run = run.filter(|run| is_same_model(&run.state, &self.state));
        run.map_or(self.state.trained, |run| run.state.trained)
    }

    /// An action on `field` has made another model of the one before, so that its heads do other things.
    pub(super) fn leave_head(&mut self, before: &State, field: Option<Field>) {
        let sizes = [
            Field::Seed,
            Field::Layers,
            Field::DModel,
            Field::DK,
            Field::Heads,
            Field::KvHeads,
        ];
        let were_learned = [before, &self.state].map(|state| state.origin == Origin::Learned);
        if were_learned == [true; 2] && field.is_some_and(|field| sizes.contains(&field)) {
            self.learning.chooses_head |= self.learning.is_begun;
        }
    }

    /// A run has come: moves the slider from the step `before` to that of the model and, where it has learned all, chooses its head.
    pub(super) fn follow_learning(&mut self, before: usize) {
        if self.trained() != before {
            self.show(View::Controls);
        }
        if self.learning.is_begun && self.has_numbers() {
            self.learning.is_begun = false;
            if std::mem::take(&mut self.learning.chooses_head) {
                self.choose_best_head();
            }
        }
    }

    /// Shows the head of the last layer that looks most from the pronoun at the noun that the model answers, in the current history entry.
    #[inline(never)]
    fn choose_best_head(&mut self) {
        let best = self.main.run.as_ref().and_then(best_head);
        let Some(head) = best.filter(|_| !self.state.is_locked(Part::Small)) else {
            return;
        };
        let state = State {
            layer: self.state.layers,
            head,
            ..self.state.clone()
        };
        if state != self.state {
            self.set_state(state);
            self.write(Change::Input, HistoryMode::Replace);
        }
    }
}

/// The head of the last layer with the largest weight from the pronoun to the noun that the model answers; `None` where it is asked for none,
/// or answers with a word that is not there.
fn best_head(run: &Run) -> Option<usize> {
    let learned = run.learned()?;
    let (row, state) = (learned.loss()?.row, &run.state);
    let words = vocabulary::read(&grammar(&state.text).words(), &state.text).ok()?;
    let answer = learned.answers(row).first()?.word;
    let key = words.iter().position(|word| *word == answer)?;
    let first = (state.layers - 1) * state.heads;
    let weight = |head: &usize| {
        let cell = row * words.len() + key;
        learned.map(first + head).get(cell).copied().unwrap_or(0.0)
    };
    (0..state.heads).max_by(|one, other| weight(one).total_cmp(&weight(other)))
}
