//! A model that learns in sight.

use super::*;
use crate::state::learned;

/// A model that nothing else asks for, so that no other test has its layers.
const LINK: &str = "v=1&weights=learned&d_model=8&d_k=4&trained=25&cell=8&\
    text=The+animal+didn't+cross+the+street+because+it+was+too+tired.";

impl Page {
    /// Training steps of the model on the map.
    fn trained(&self) -> Option<usize> {
        self.app.main.run.as_ref().map(|run| run.state.trained)
    }

    /// The same after each run that is still to come.
    fn stages(&mut self) -> Vec<usize> {
        let mut seen = Vec::new();
        while self.compute() {
            seen.extend(self.trained());
        }
        seen
    }
}

fn opened(more: &str, is_motion_reduced: bool) -> Page {
    let mut page = Page::with_code(Code(&[]));
    page.app.environment.is_motion_reduced = is_motion_reduced;
    page.send(Message::Open(format!("{LINK}{more}")));
    page
}

#[test]
fn a_page_that_has_to_learn_shows_its_first_steps_at_once() {
    assert_eq!(opened("&seed=3001", false).stages(), [10, 20, 25]);
    assert_eq!(opened("&seed=3002", true).stages(), [10, 25]);
    // A layer that is there needs no way to it.
    let again = opened("&seed=3001", false);
    assert!(learned::cached_for(&again.app.state).is_some());
    assert_eq!(again.asked.front(), Some(&again.app.state));
}
