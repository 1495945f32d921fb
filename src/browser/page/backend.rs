//! Handles the status of WebGPU and the comparison of both backends.

use super::Page;
use crate::bindings::{Comparison, GpuState, GpuStatus};
use crate::browser::panels::Compared;
use crate::engine::{Backend, Reason};
use crate::present::backend_status;
use crate::present::device_notice::Event;
use crate::state::State;
use crate::state::request_builder::same_anywhere;

impl Page {
    /// Hears what is known of WebGPU. What it changes for the picture on screen is computed again.
    pub(crate) fn on_status(&mut self, status: GpuStatus) {
        if self.status == status {
            return;
        }
        self.status = status;
        self.has_caught_up = false;
        if self.status.state == GpuState::Ready {
            let event = self.told.ready();
            self.tell_of_device(event);
        }
        self.rerun_if_backend_changed();
        self.show_backend();
        let is_opening = matches!(self.status.state, GpuState::Checking | GpuState::Lost);
        self.opening = is_opening.then(|| self.root.activity().begin());
    }

    /// Computes again what would be computed elsewhere now, once for each thing that is heard: a run that was under way
    /// meanwhile may come with a reason of before.
    fn rerun_if_backend_changed(&mut self) {
        let Some(run) = &mut self.run else { return };
        let ran = &mut run.reply.ran;
        let is_without_device = ran
            .reason
            .as_ref()
            .is_some_and(backend_status::is_without_device);
        let is_moved = match self.status.state {
            GpuState::Checking => false,
            GpuState::Ready => is_without_device,
            GpuState::Lost | GpuState::Absent => ran.backend == Backend::WebGpu,
        };
        if is_moved && !self.has_caught_up {
            self.has_caught_up = true;
            self.ask();
        } else if self.status.reason.is_some() && ran.reason == Some(Reason::Checking) {
            // Nothing else would come of another run.
            ran.reason.clone_from(&self.status.reason);
        }
    }

    /// A run was accepted.
    pub(super) fn has_run(&mut self) {
        self.rerun_if_backend_changed();
        let Some(run) = &self.run else { return };
        let ran = &run.reply.ran;
        let event = self.told.ran(ran.backend, ran.reason.as_ref());
        self.backend
            .compare
            .keep_only(|state| same_anywhere(state, &run.state));
        self.tell_of_device(event);
        self.show_backend();
    }

    /// Shows on badge and panel where the picture was computed, in the language of the page.
    pub(super) fn show_backend(&mut self) {
        if let Some(run) = &self.run {
            self.backend
                .update(&run.reply.ran, &self.status, self.language);
        }
    }

    /// Compares both backends on what is on screen.
    pub(crate) fn compare(&mut self) {
        if let Some(run) = &self.run {
            self.backend.compare.start(self.language);
            self.engine.compare(&run.state);
        }
    }

    /// Takes a comparison, or the sentence that says why there is none. One of a picture that is gone is dropped.
    pub(crate) fn compared(&mut self, state: State, reply: Result<Comparison, String>) {
        let compare = &mut self.backend.compare;
        compare.end(self.language);
        match (reply, &self.run) {
            (Ok(comparison), Some(run)) if same_anywhere(&state, &run.state) => {
                let tokens = [run.query(comparison.row), run.key(comparison.column)];
                let compared = Compared {
                    state,
                    comparison,
                    tokens: tokens.map(str::to_owned),
                };
                compare.update(compared, self.language);
            }
            (Ok(_), _) => {}
            (Err(cause), _) => compare.refuse(&cause, self.language),
        }
    }

    /// Says what happened to the graphics device, in place of what was said of it before.
    fn tell_of_device(&mut self, event: Option<Event>) {
        if event.is_some() {
            self.device = event;
            self.say_of_device();
        }
    }

    /// Says it in the language of the page.
    pub(super) fn say_of_device(&mut self) {
        if let Some(event) = self.device {
            let sentence = event.sentence(self.language);
            self.notices.change(self.language, |all| all.keep(sentence));
        }
    }
}
