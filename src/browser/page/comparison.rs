//! Paints the comparison.

use super::Page;
use crate::browser::panels::ComparedRuns;
use app::present::panel_scheduler::Dirty;

impl Page {
    /// Paints what the comparison has missed. While B is being computed for a new A, both stay as they are.
    pub(super) fn paint_compared(&mut self, missed: Dirty) {
        let language = self.app.language;
        if let Some(error) = self.app.refusal_of_b() {
            return self.comparison.refuse(&error.sentence(language));
        }
        let Some(pair) = self.app.pair() else { return };
        let runs = ComparedRuns {
            pair,
            colours: &self.colours,
            dpr: self.room.dpr,
        };
        if missed.picture {
            self.comparison.update(&runs);
        }
        self.comparison.point(&runs, self.app.pointed_compared());
    }
}
