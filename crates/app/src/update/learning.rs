//! A model that learns in sight.

mod actions;

use super::{App, View};
use crate::present::run::Run;
use crate::state::learned::model;
use crate::state::{Origin, State};
use engine::learned::{LearnedStep, ModelKey};

/// What the page remembers of the model of its state.
#[derive(Debug, Default)]
pub struct Learning {
    /// The state in which *Watch it learn* was pressed, and when, while it plays.
    watched: Option<(Box<State>, f64)>,
    /// The head that is switched off, as in [`head_of`].
    off: Option<(ModelKey, usize, usize)>,
    /// All steps that are known of a model.
    history: Option<(ModelKey, Vec<LearnedStep>)>,
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

/// The chosen head: its model, layer and number.
fn head_of(state: &State) -> (ModelKey, usize, usize) {
    (model(state), state.layer, state.head)
}

impl Learning {
    /// Follows a change of the state.
    pub(super) fn follow(&mut self, before: &State, after: &State) {
        if is_same_model(before, after) {
            self.is_begun &= before.trained == after.trained;
        } else {
            self.is_begun = after.origin == Origin::Learned;
            self.chooses_head = false;
        }
        let is_other = |own: &mut (ModelKey, usize, usize)| *own != head_of(after);
        self.off.take_if(is_other);
    }

    /// Whether *Watch it learn* plays.
    pub fn is_watched(&self) -> bool {
        self.watched.is_some()
    }

    /// Whether the chosen head of a run is switched off.
    pub fn is_head_off(&self, run: &Run) -> bool {
        let off = self.off.as_ref();
        off.is_some_and(|(own, ..)| model(&run.state) == *own)
    }

    /// All steps that are known of the model of a run.
    pub fn history(&self, run: &Run) -> &[LearnedStep] {
        let known = self.history.as_ref();
        let own = known.filter(|(key, _)| model(&run.state) == *key);
        own.map_or(&[], |(_, steps)| steps)
    }

    /// Keeps the steps of a run's model, of which a layer knows those that led to it.
    fn keep(&mut self, run: &Run) {
        let Some(learned) = run.learned() else { return };
        let (key, steps) = (model(&run.state), learned.history());
        let known = self.history.as_ref().filter(|(own, _)| *own == key);
        if known.is_none_or(|(_, known)| known.len() < steps.len()) {
            self.history = Some((key, steps.to_vec()));
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

    /// A run has come: moves the slider from the step `before` to that of the model and, where it has learned all, chooses its head.
    pub(super) fn follow_learning(&mut self, before: usize) {
        if let Some(run) = &self.main.run {
            self.learning.keep(run);
        }
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
}
