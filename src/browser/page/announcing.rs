//! Says what a change has done, once the hand rests.

use super::Page;
use crate::present::announcement::Heard;

impl Page {
    /// Says what is new in the picture that was just painted.
    pub(super) fn announce(&mut self) {
        let Some(run) = self.run.as_ref().filter(|_| self.is_unheard) else {
            return;
        };
        self.is_unheard = false;
        let row = self.state.cell.map_or(0, |cell| cell.query);
        let now = Heard::new(run, self.head(), row, self.state.cell, self.language);
        let news = (self.heard.as_ref()).map_or_else(String::new, |before| now.since(before));
        if !news.is_empty() {
            self.heard_in.set_text(&news);
        }
        self.heard = Some(now);
    }

    /// Another state was opened, which is no change of the one before.
    pub(super) fn forget_heard(&mut self) {
        self.heard = None;
        self.heard_in.set_text("");
    }
}
