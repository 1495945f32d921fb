//! How a model learns on the page: a few steps with each run, so that its map forms in sight and a newer setting never waits for long.

use super::model;
use crate::state::{Origin, State};
use engine::learned::ModelKey;

/// Steps between two maps.
pub(super) const STEPS: usize = 10;

/// Training progress of the model shown last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress(Option<(ModelKey, usize)>);

impl Progress {
    /// The state to compute next on the way to `wanted`: its model has taken a few more steps at most than any that was reached. With
    /// `at_once` there is nothing between. A state whose weights were not learned is its own next one.
    pub fn next(&self, wanted: &State, at_once: bool) -> State {
        let mut next = wanted.clone();
        if wanted.origin == Origin::Learned && !at_once {
            let most = self.steps_of(model(wanted)) + STEPS;
            next.trained = wanted.trained.min(most);
        }
        next
    }

    /// Records that a state was computed; returns whether it is a step towards `wanted`, which is
    /// not reached yet.
    pub fn record(&mut self, state: &State, wanted: &State) -> bool {
        if state.origin != Origin::Learned {
            return false;
        }
        let key = model(state);
        self.0 = Some((key, state.trained.max(self.steps_of(key))));
        let is_model = wanted.origin == Origin::Learned && model(wanted) == key;
        is_model && state.trained < wanted.trained
    }

    /// Steps that a model is known to have taken.
    fn steps_of(&self, key: ModelKey) -> usize {
        match self.0 {
            Some((own, steps)) if own == key => steps,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(seed: u32, trained: usize) -> State {
        State {
            origin: Origin::Learned,
            seed,
            trained,
            ..State::default()
        }
    }

    #[test]
    fn a_model_learns_in_sight_and_goes_back_at_once() {
        let mut progress = Progress::default();
        let wanted = learned(1, 25);
        let mut seen = Vec::new();
        loop {
            let next = progress.next(&wanted, false);
            seen.push(next.trained);
            if !progress.record(&next, &wanted) {
                break;
            }
        }
        assert_eq!(seen, [10, 20, 25]);
        assert_eq!(progress.next(&learned(1, 7), false).trained, 7);
        assert!(!progress.record(&learned(1, 7), &learned(1, 7)));
        assert_eq!(progress.next(&wanted, false).trained, 25);
        assert_eq!(progress.next(&learned(2, 25), false).trained, 10);
        assert_eq!(progress.next(&learned(2, 25), true).trained, 25);
    }

    #[test]
    fn other_weights_are_there_at_once() {
        let mut progress = Progress::default();
        let drawn = State::default();
        assert_eq!(progress.next(&drawn, false), drawn);
        assert!(!progress.record(&drawn, &learned(1, 20)));
        // A run of a model that is no longer wanted asks for nothing.
        assert!(!progress.record(&learned(1, 10), &learned(2, 20)));
    }
}
