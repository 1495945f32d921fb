//! Requests runs for the state, and stores their results.

use super::{App, Effect, View};
use crate::i18n::{Key, text};
use crate::message::RunError;
use crate::present::learned::is_readable;
use crate::present::run::Run;
use crate::state::request_builder::same_computation;
use crate::state::{State, learned};
use engine::PageRun;

impl App {
    /// Requests a run for the state, or the next training step towards it.
    pub(super) fn ask(&mut self) {
        if !is_readable(&self.state) {
            // Beside the sentence it says why.
            return;
        }
        let is_cached = learned::cached_for(&self.state).is_some();
        let at_once = is_cached || self.environment.is_motion_reduced;
        let next = self.progress.next(&self.state, at_once);
        self.effect(Effect::Ask(Box::new(next)));
    }

    /// Stores the run of `state`; numbers whose lengths do not fit that state are dropped.
    pub(super) fn ran(&mut self, state: State, reply: Result<Box<PageRun>, RunError>) {
        let reply = match reply {
            Ok(reply) => reply,
            Err(error) => return self.refuse(&error),
        };
        if self.progress.record(&state, &self.state) {
            self.ask();
            if self.run.is_none() {
                // What a page opens with is shown when it is there.
                return;
            }
        }
        let backend = reply.ran.backend;
        if let Some(run) = Run::new(state, *reply, self.run.as_ref()) {
            self.run = Some(run);
            self.stale.picture = true;
            self.choose_most_informative();
            self.follow_backend();
            self.announce_painted_cell();
            self.compared.follow(backend);
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
        let run = self.run.as_ref();
        run.is_some_and(|run| same_computation(&run.state, &self.state))
    }

    #[inline(never)]
    fn refuse(&mut self, error: &RunError) {
        let sentence = match error {
            RunError::Unloaded => Key::PartMissing.text(self.language).to_owned(),
            RunError::Refused(cause) => text::compute_refused(self.language, cause),
        };
        self.notices.add(&sentence);
        self.show(View::Notices);
    }
}
