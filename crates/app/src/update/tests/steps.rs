//! The strip of steps, and the walk through them: by hand, by itself, where nothing may move.

use super::*;
use crate::present::panel::PanelEvent;
use crate::present::steps::Walk;
use crate::state::Panel;
use crate::views::tests::between;

const SENTENCE: &str = "v=1&text=we+saw+it&weights=random&heads=2&d_model=6&d_k=4&step=";

impl Page {
    fn steps(&mut self, event: PanelEvent) {
        self.send(Message::Panel(Panel::Steps, event));
        self.compute_all();
    }

    fn press(&mut self, name: &str) {
        self.steps(PanelEvent::Press(name.to_owned()));
    }

    fn step(&self) -> &'static str {
        self.app.shown().name()
    }

    fn walk(&self) -> Walk {
        let run = self.app.main.run.as_ref().expect("numbers");
        Walk::new(run, self.app.shown(), self.app.row(), self.app.language)
    }

    /// Milliseconds from one step to the next, if it plays.
    fn pace(&self) -> Option<i32> {
        let last = self.effects.iter().rev().find_map(|effect| match effect {
            Effect::Tick(Panel::Steps, interval) => Some(*interval),
            _ => None,
        });
        assert_eq!(last.flatten().is_some(), self.app.steps.is_playing);
        last.flatten()
    }

    fn strip(&self) -> String {
        self.app.steps_view().expect("a strip").into_string()
    }
}

fn at(step: &str) -> Page {
    let mut page = Page::opened(&format!("{SENTENCE}{step}"));
    page.app.environment.is_motion_reduced = false;
    page.compute_all();
    page
}

#[test]
fn the_walk_goes_step_by_step_as_far_as_the_steps_go() {
    let mut page = at("input");
    assert_eq!(
        (page.walk().ends, &*page.walk().at),
        ([true, false], "1 / 11")
    );
    page.press("previous");
    let mut seen = vec![page.step()];
    while !page.walk().ends[1] {
        let before = page.walk().says;
        page.press("next");
        assert_ne!(page.walk().says, before);
        seen.push(page.step());
    }
    let all = "input positions q k v scores scaled weights context heads output";
    assert_eq!(seen.join(" "), all);
    assert_eq!(
        (page.walk().ends, &*page.walk().at),
        ([false, true], "11 / 11")
    );
    page.press("next");
    assert_eq!(page.step(), "output");
    page.press("previous");
    assert_eq!((page.step(), page.pace()), ("heads", None));
    // Each is a setting, which can be undone.
    page.send(Message::Undo(UndoAction::Undo));
    page.compute_all();
    assert_eq!(page.step(), "output");
}

#[test]
fn it_plays_from_where_it_stands_to_the_end_and_then_from_the_beginning() {
    let mut page = at("context");
    page.press("play");
    assert_eq!((page.step(), page.pace()), ("heads", Some(2600)));
    page.press("play");
    assert_eq!((page.step(), page.pace()), ("heads", None));
    page.press("play");
    assert_eq!((page.step(), page.pace()), ("output", Some(2600)));
    page.steps(PanelEvent::Tick);
    assert_eq!((page.step(), page.pace()), ("output", None));
    page.press("play");
    assert_eq!((page.step(), page.pace()), ("input", Some(2600)));
    page.steps(PanelEvent::Tick);
    assert_eq!((page.step(), page.pace()), ("positions", Some(2600)));
    assert!(page.effects.contains(&Effect::Show(View::Walk)));
    // What is gone to by hand is stayed at, and a tick that comes too late leads nowhere else.
    page.press("next");
    assert_eq!((page.step(), page.pace()), ("q", None));
}

#[test]
fn the_last_step_that_is_played_ends_it() {
    let mut page = at("context");
    page.press("play");
    page.steps(PanelEvent::Tick);
    assert_eq!((page.step(), page.pace()), ("output", None));
}

#[test]
fn it_moves_by_hand_alone_where_motion_is_reduced() {
    let mut page = at("input");
    page.press("play");
    assert_eq!((page.step(), page.pace()), ("positions", Some(2600)));
    page.app.environment.is_motion_reduced = true;
    page.steps(PanelEvent::Tick);
    assert_eq!((page.step(), page.pace()), ("positions", None));
    page.press("play");
    assert_eq!((page.step(), page.pace()), ("q", None));
    page.press("next");
    assert_eq!(page.step(), "k");
}

#[test]
fn the_sentence_names_the_row_that_is_read_in_the_language_of_the_page() {
    let mut page = at("scores");
    assert!(page.walk().says.contains("“we”"));
    page.send(Message::ChooseRow(2));
    let said = page.walk().says;
    assert!(said.contains("“it”"), "{said}");
    page.set(Field::Language, Value::Choice("zh"));
    page.compute_all();
    assert!(page.walk().says.contains("it") && page.walk().says != said);
    let whose = page.app.whose_steps().expect("a head");
    assert!(whose.contains("头") && !whose.contains("head"), "{whose}");
    page.set(Field::Language, Value::Choice("en"));
    page.set(Field::Text, text(""));
    page.compute_all();
    let none = "There are no words to compare yet: type some above.";
    assert_eq!(page.walk().says, none);
}

#[test]
fn a_card_makes_its_step_the_large_map_and_is_brought_into_view_where_it_was_chosen_elsewhere() {
    let mut page = at("weights");
    let reveals = |page: &Page| {
        let is_one = |effect: &&Effect| matches!(effect, Effect::RevealStep(_));
        page.effects.iter().filter(is_one).count()
    };
    page.steps(PanelEvent::Follow);
    assert_eq!(reveals(&page), 0);
    let named = |page: &Page, part: &str| {
        let strip = page.strip();
        let cards = between(&strip, "<button", ">").into_iter();
        let found = cards.filter(|card| card.contains(part));
        let names = found.map(|card| between(card, "data-do=\"", "\"")[0].to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(named(&page, "aria-pressed=\"true\""), ["weights"]);
    assert_eq!(named(&page, "data-step=\"q\""), ["q"]);
    page.press("q");
    page.steps(PanelEvent::Follow);
    assert_eq!(named(&page, "aria-pressed=\"true\""), ["q"]);
    assert!(page.app.fragment().contains("step=q"));
    assert_eq!(reveals(&page), 1);
    page.steps(PanelEvent::Follow);
    assert_eq!(reveals(&page), 1);
    page.press("weights");
    assert!(!page.app.fragment().contains("step="));
    assert!(page.app.whose_steps().expect("a head").contains("head 1"));
    page.send(Message::ChooseHead(1));
    page.compute_all();
    assert!(page.app.whose_steps().expect("a head").contains("head 2"));
}

#[test]
fn a_step_that_was_opened_is_brought_into_view() {
    let mut page = at("output");
    page.steps(PanelEvent::Follow);
    let revealed = Effect::RevealStep("[aria-pressed=true]");
    assert!(page.effects.contains(&revealed));
}
