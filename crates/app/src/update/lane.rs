//! A state that is computed, and its latest run.

use crate::i18n::{Key, Language, text};
use crate::message::RunError;
use crate::present::run::Run;
use crate::state::State;
use crate::state::learned::{self, Progress};
use crate::state::request_builder::same_computation;
use engine::{Backend, PageRun};

/// The latest run and requests of the map, or of the comparison's B.
#[derive(Default)]
pub struct LaneState {
    pub run: Option<Run>,
    /// The run used another backend than that of the map, as before a graphics card is ready.
    is_elsewhere: bool,
    /// Training progress of its model.
    progress: Progress,
    /// State that was requested and has no answer yet.
    asked: Option<State>,
    /// State that could not be computed, and why.
    refused: Option<(State, RunError)>,
}

impl LaneState {
    /// Whether the latest run is that of a state.
    pub(super) fn has(&self, state: &State) -> bool {
        let run = self.run.as_ref();
        run.is_some_and(|run| same_computation(&run.state, state))
    }

    /// Whether a state need not be requested: it was computed as the map was, is being computed, or
    /// cannot be.
    pub(super) fn is_known(&self, state: &State) -> bool {
        (self.has(state) && !self.is_elsewhere)
            || self.asked.as_ref() == Some(state)
            || self.refusal(state).is_some()
    }

    /// Why a state could not be computed.
    pub(super) fn refusal(&self, state: &State) -> Option<&RunError> {
        let refused = self.refused.as_ref();
        let own = refused.filter(|(own, _)| own == state);
        own.map(|(_, error)| error)
    }

    /// State to request next on the way to `wanted`, or that itself if it is to be there `at_once`.
    pub(super) fn ask(&mut self, wanted: &State, at_once: bool) -> State {
        self.asked = Some(wanted.clone());
        let at_once = at_once || learned::cached_for(wanted).is_some();
        self.progress.next(wanted, at_once)
    }

    /// Records that a state was computed; returns whether its model learns on towards `wanted`.
    pub(super) fn is_learning(&mut self, state: &State, wanted: &State) -> bool {
        self.progress.record(state, wanted)
    }

    /// Stores the run of a state, whose mask is that of `before` if it is the same. Returns whether
    /// it was stored; numbers whose lengths do not fit the state are dropped.
    pub(super) fn store(&mut self, state: State, reply: PageRun, before: Option<&Run>) -> bool {
        self.answered(&state);
        self.refused = None;
        self.is_elsewhere = false;
        let run = Run::new(state, reply, before.or(self.run.as_ref()));
        let is_stored = run.is_some();
        self.run = run.or(self.run.take());
        is_stored
    }

    /// Stores why the state that was requested last could not be computed.
    pub(super) fn refuse(&mut self, state: State, error: RunError) {
        match error {
            RunError::Replaced => self.answered(&state),
            error => self.refused = Some((self.asked.take().unwrap_or(state), error)),
        }
    }

    /// Marks the run as outdated if it used another backend, so that it is requested again.
    pub(super) fn follow(&mut self, backend: Backend) {
        let elsewhere = |run: &Run| run.reply.ran.backend != backend;
        self.is_elsewhere = self.run.as_ref().is_some_and(elsewhere);
    }

    fn answered(&mut self, state: &State) {
        self.asked.take_if(|asked| asked == state);
    }
}

impl RunError {
    /// The error as a sentence; empty for a run that a newer one has replaced.
    pub fn sentence(&self, language: Language) -> String {
        match self {
            Self::Unloaded => Key::PartMissing.text(language).to_owned(),
            Self::Refused(cause) => text::compute_refused(language, cause),
            Self::Replaced => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::numbers;

    fn reply(state: &State) -> PageRun {
        numbers(state).expect("it can be computed")
    }

    fn with_d_k(d_k: usize) -> State {
        State {
            d_k,
            ..State::default()
        }
    }

    #[test]
    fn a_state_is_asked_for_once_and_again_where_the_map_was_computed_elsewhere() {
        let mut lane = LaneState::default();
        let state = with_d_k(4);
        assert!(!lane.is_known(&state));
        assert_eq!(lane.ask(&state, true), state);
        assert!(lane.is_known(&state) && !lane.has(&state));
        assert!(lane.store(state.clone(), reply(&state), None));
        assert!(lane.has(&state) && lane.is_known(&state));
        lane.follow(Backend::WebGpu);
        assert!(lane.has(&state) && !lane.is_known(&state));
        lane.follow(lane.run.as_ref().expect("a run").reply.ran.backend);
        assert!(lane.is_known(&state));
    }

    #[test]
    fn the_newest_state_is_the_one_that_is_refused() {
        let mut lane = LaneState::default();
        let [older, newer] = [4, 5].map(with_d_k);
        lane.ask(&older, true);
        lane.ask(&newer, true);
        lane.refuse(older.clone(), RunError::Replaced);
        assert!(lane.is_known(&newer), "it is still being computed");
        let error = RunError::Refused("no".to_owned());
        lane.refuse(newer.clone(), error.clone());
        assert_eq!(lane.refusal(&newer), Some(&error));
        assert!(lane.is_known(&newer) && !lane.is_known(&older));
        lane.store(older.clone(), reply(&older), None);
        assert!(lane.refusal(&newer).is_none() && !lane.is_known(&newer));
    }

    #[test]
    fn numbers_of_another_size_are_dropped_and_a_replaced_request_is_forgotten() {
        let mut lane = LaneState::default();
        let state = with_d_k(4);
        let longer = State {
            text: "one two three four".to_owned(),
            ..state.clone()
        };
        assert!(lane.store(state.clone(), reply(&state), None));
        assert!(!lane.store(longer.clone(), reply(&state), None));
        assert!(lane.has(&state));
        lane.ask(&longer, true);
        lane.refuse(longer.clone(), RunError::Replaced);
        assert!(!lane.is_known(&longer));
    }
}
