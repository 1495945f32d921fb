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

#[test]
fn the_slider_runs_with_a_model_that_learns_anew_and_then_the_head_is_chosen_that_finds_the_answer() {
    let mut page = opened("&seed=3003&head=1&layer=1", false);
    page.compute_all();
    let pushed = page.address.len();
    page.act(Action::NewSeed, Change::Commit);
    assert_eq!((page.app.state.trained, page.app.trained()), (25, 25));
    let mut seen = Vec::new();
    while page.compute() {
        seen.push((page.app.trained(), page.app.state.layer));
    }
    // The last run is that of the layer that was chosen.
    assert_eq!(seen, [(10, 1), (20, 1), (25, 2), (25, 2)]);
    let run = page.app.main.run.as_ref().expect("numbers");
    let learned = run.learned().expect("a layer");
    let words = &run.sides.queries.words;
    let known = learned::grammar(&run.state.text).words();
    let answer = known[learned.answers(7)[0].word];
    let key = words.iter().position(|word| word == answer).expect("a noun of the sentence");
    let weights = [4, 5, 6, 7].map(|head| learned.map(head)[7 * words.len() + key]);
    let most = weights.iter().copied().fold(0.0, f32::max);
    assert_eq!(weights[page.app.state.head], most, "{weights:?}");
    // It is one step of the history, with the seed.
    let modes: Vec<_> = page.address[pushed..].iter().map(|(.., mode)| *mode).collect();
    assert_eq!(modes, [HistoryMode::Push, HistoryMode::Replace]);
    page.send(Message::Undo(UndoAction::Undo));
    assert_eq!((page.app.state.seed, page.app.state.layer), (3003, 1));
    page.compute_all();
    assert_eq!((page.app.state.head, page.app.state.layer), (0, 1), "what was chosen stays");
}

#[test]
fn a_slider_that_is_dragged_stands_where_the_hand_is() {
    let mut page = opened("&seed=3004", false);
    page.compute_all();
    for trained in [0, 24] {
        let drag = Action::Set(Field::Trained, Value::Number(trained));
        page.act(drag, Change::Input);
        assert_eq!(page.app.trained(), trained as usize);
    }
}
