//! Backend status and comparison.

use super::{App, Effect, View};
use crate::present::backend_status;
use crate::present::device_notice::Event;
use engine::{Backend, GpuState, GpuStatus, Reason};

impl App {
    /// Stores the WebGPU status. A picture that it concerns is computed again.
    pub(super) fn on_status(&mut self, status: GpuStatus) {
        if self.status == status {
            return;
        }
        self.status = status;
        self.has_caught_up = false;
        if self.status.state == GpuState::Ready {
            let event = self.last_notified.ready();
            self.notify_device(event);
        }
        self.rerun_if_backend_changed();
        self.show(View::Backend);
    }

    /// Updates badge and notice for the backend of an accepted run.
    pub(super) fn follow_backend(&mut self) {
        self.rerun_if_backend_changed();
        let Some(run) = &self.main.run else { return };
        let ran = &run.reply.ran;
        let event = self.last_notified.ran(ran.backend, ran.reason.as_ref());
        self.notify_device(event);
        self.show(View::Backend);
    }

    /// Compares both backends on what is on screen.
    #[inline(never)]
    pub(super) fn compare_backends(&mut self) {
        if let Some(run) = &self.main.run {
            let state = Box::new(run.state.clone());
            self.effect(Effect::CompareBackends(state));
        }
    }

    /// Shows the notice about the graphics device in the language of the page.
    #[inline(never)]
    pub(super) fn say_of_device(&mut self) {
        if let Some(event) = self.device {
            self.notices.keep(event.sentence(self.language));
            self.show(View::Notices);
        }
    }

    /// Requests another run if it would now use another backend, once per status change: a run that
    /// was pending meanwhile may return with an outdated reason.
    fn rerun_if_backend_changed(&mut self) {
        let Some(run) = &mut self.main.run else {
            return;
        };
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

    /// Replaces the notice about the graphics device.
    fn notify_device(&mut self, event: Option<Event>) {
        if event.is_some() {
            self.device = event;
            self.say_of_device();
        }
    }
}
