//! Hints beside the sentence, and settings that are folded away.

use super::*;
use crate::message::CoachEvent;
use crate::present::coach::CoachLine;
use crate::state::initial;

fn said(page: &Page) -> String {
    let line = page.app.coach.line(&page.app.state, page.app.language);
    line.map_or_else(String::new, |line| {
        line.sentence.replace(CoachLine::PLACE, &line.act)
    })
}

#[test]
fn the_hints_lead_through_the_first_view() {
    let mut page = Page::opened("");
    page.compute_all();
    let first = page.app.state.clone();
    assert!(said(&page).contains("wide"), "{}", said(&page));
    page.send(Message::Coach(CoachEvent::Act));
    page.compute_all();
    assert!(page.app.state.text.contains("wide"));
    page.send(Message::Coach(CoachEvent::Act));
    assert_eq!(page.app.state.text, first.text);
    page.send(Message::Coach(CoachEvent::Act));
    assert!(!page.app.state.paint.is_empty());
    page.compute_all();
    // The last one shows the word again, and plays the training.
    page.send(Message::Coach(CoachEvent::Act));
    assert!(page.app.learning.is_watched() && page.app.state.paint.is_empty());
    assert!(said(&page).contains("Lessons"), "{}", said(&page));
    page.send(Message::Coach(CoachEvent::Act));
    assert!(!page.app.state.lesson.is_empty());
    assert_eq!(said(&page), "");
}

#[test]
fn a_hint_is_met_by_hand_as_well() {
    let mut page = Page::opened("");
    page.compute_all();
    let wide = page.app.state.text.replace("tired", "wide");
    page.set(Field::Text, Value::Text(wide));
    assert!(said(&page).contains("tired"), "{}", said(&page));
    page.send(Message::Undo(UndoAction::Undo));
    assert!(said(&page).contains("hide"), "{}", said(&page));
    page.send(Message::Coach(CoachEvent::Leave));
    assert_eq!(said(&page), "");
    page.send(Message::Coach(CoachEvent::Again));
    assert!(said(&page).contains("wide"));
}

#[test]
fn settings_that_are_folded_away_come_with_a_link_that_moves_one() {
    let shows = |link: &str| Page::opened(link).app.shows_all_settings;
    let opening = url::to_fragment(initial::standard(Language::En));
    for link in ["", "heads=2&mask=causal&temperature=2&d_k=8", &opening] {
        assert!(!shows(link), "{link}");
    }
    for link in [
        "d_model=32",
        "positions=none",
        "scoring=additive",
        "heads=4&kv_heads=2",
    ] {
        assert!(shows(link), "{link}");
    }
}

#[test]
fn who_wants_all_settings_finds_them_at_the_next_visit() {
    let mut page = Page::opened("");
    page.send(Message::AllSettings);
    assert!(page.app.shows_all_settings);
    let kept = Rc::clone(&page.kept);
    let mut next = Page::with_code(Code(&[]));
    kept.recall("all-settings").expect("kept");
    next.kept.remember("all-settings", Some("1"));
    next.send(Message::Open(String::new()));
    assert!(next.app.shows_all_settings);
    next.send(Message::AllSettings);
    assert_eq!(next.kept.recall("all-settings"), None);
}
