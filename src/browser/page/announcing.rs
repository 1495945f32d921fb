//! Says what a change has done, once the hand rests.

use super::Page;
use crate::present::announcement::Announcement;

impl Page {
    /// Says what is new in the picture that was just painted.
    pub(super) fn announce(&mut self) {
        let Some(run) = self.run.as_ref().filter(|_| self.has_news) else {
            return;
        };
        self.has_news = false;
        let row = self.state.cell.map_or(0, |cell| cell.query);
        let mut now = Announcement::new(run, self.head(), row, self.state.cell, self.language);
        let step = self.shown();
        if let Some(scale) = self.held_range.last(step) {
            now = now.coloured(step, scale);
        }
        let news = (self.announced.as_ref()).map_or_else(String::new, |before| now.since(before));
        if !news.is_empty() {
            self.live_region.set_text(&news);
        }
        self.announced = Some(now);
    }

    /// Another state was opened, which is no change of the one before.
    pub(super) fn reset_announcement(&mut self) {
        self.announced = None;
        self.live_region.set_text("");
    }
}
