//! Chunks of the engine that the page has waited for.

use std::mem;

use super::Page;
use crate::bindings::{has_chunk, tell_missing_chunk};

impl Page {
    /// A chunk has come, or could not be loaded: what needs one is shown, or says so.
    pub(crate) fn look_at_chunks(&mut self) {
        self.panels.scheduler.outdate(true);
        self.stale.picture = true;
        self.restyle();
        self.show_controls();
        self.ask_beside();
        let unsaid = mem::take(&mut self.unsaid);
        if !unsaid.is_empty() {
            self.note(&unsaid);
        }
        let wanted = self.environment.language(&self.state).code();
        if wanted != self.language.code() && !has_chunk(wanted) {
            tell_missing_chunk(self.root.element(), wanted);
        }
    }

    /// Asks once more for what could not be loaded.
    pub(crate) fn ask_for_chunks_again(&mut self) {
        if self.chunks.forget_missing() {
            self.look_at_chunks();
        }
    }
}
