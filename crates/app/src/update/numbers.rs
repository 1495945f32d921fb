//! Requests runs for the state and for the comparison's B, and stores their results.

use super::{App, Effect, LaneState, View};
use crate::message::RunError;
use crate::present::learned::is_readable;
use crate::state::{State, comparison, learned};
use engine::{Lane, PageRun};

impl App {
    /// Requests a run for the state.
    pub(super) fn ask(&mut self) {
        if is_readable(&self.state) {
            self.request(Lane::Main);
        }
        // Beside the sentence it says why it cannot be read.
    }

    /// Requests a run for the state of a lane, or the next training step towards it.
    #[inline(never)]
    pub(super) fn request(&mut self, lane: Lane) {
        // A page that opens shows what there is first, where nothing may move as well.
        let is_empty = lane == Lane::Main && self.main.run.is_none();
        self.request_next(lane, self.environment.is_motion_reduced && !is_empty);
    }

    /// Requests it without a training step between if it is to be there `at_once`.
    fn request_next(&mut self, lane: Lane, at_once: bool) {
        let wanted = self.wanted_in(lane);
        let next = self.lane(lane).ask(&wanted, at_once);
        self.effect(Effect::Ask(lane, Box::new(next)));
    }

    /// Stores the run of `state`, or the error.
    pub(super) fn ran(&mut self, lane: Lane, state: State, reply: Result<Box<PageRun>, RunError>) {
        let wanted = self.wanted_in(lane);
        let is_learning = reply.is_ok() && self.lane(lane).is_learning(&state, &wanted);
        if is_learning {
            self.request_next(lane, self.environment.is_motion_reduced);
        }
        match lane {
            Lane::Main => self.main_ran(state, reply),
            // Both maps stay as they are while B's model learns.
            Lane::Side if is_learning => {}
            Lane::Side => self.compared_ran(state, reply),
        }
    }

    fn main_ran(&mut self, state: State, reply: Result<Box<PageRun>, RunError>) {
        let reply = match reply {
            Ok(reply) => reply,
            Err(error) => {
                self.main.refuse(state, error.clone());
                return self.tell_refused(&error);
            }
        };
        let (backend, trained) = (reply.ran.backend, self.trained());
        if self.main.store(state, *reply, None) {
            self.stale.picture = true;
            self.choose_most_informative();
            self.follow_learning(trained);
            self.follow_backend();
            self.announce_painted_cell();
            self.side.follow(backend);
            self.ask_compared();
        }
    }

    /// Trains the model of the first state, whose layer came with the page, in advance of
    /// the user's next action.
    #[inline(never)]
    pub(super) fn train_opening(&mut self) {
        if learned::cached_for(&self.state).is_some() {
            self.effect(Effect::Train(Box::new(self.state.clone())));
        }
    }

    /// Whether the run of the state has arrived and was painted.
    pub fn is_settled(&self) -> bool {
        self.is_marked && !self.stale.picture && self.has_numbers()
    }

    /// Whether the latest run is that of the state.
    pub(super) fn has_numbers(&self) -> bool {
        self.main.has(&self.state)
    }

    fn lane(&mut self, lane: Lane) -> &mut LaneState {
        match lane {
            Lane::Main => &mut self.main,
            Lane::Side => &mut self.side,
        }
    }

    /// State that a lane is to have the run of.
    pub(super) fn wanted_in(&self, lane: Lane) -> State {
        match lane {
            Lane::Main => self.state.clone(),
            Lane::Side => comparison::compute_state(&comparison::variant(&self.state)),
        }
    }

    #[inline(never)]
    fn tell_refused(&mut self, error: &RunError) {
        if *error != RunError::Replaced {
            self.notices.add(&error.sentence(self.language));
            self.show(View::Notices);
        }
    }
}
