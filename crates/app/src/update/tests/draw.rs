//! The drawing panel, from painting a target to what every `d_k` leaves of it.

use super::panels::Open;
use super::*;
use crate::present::painted_grid::{GridEvent, place_of};
use crate::present::panel::PanelEvent;
use crate::state::Panel;

fn draw(text: &str) -> Open {
    let fragment = format!("v=1&text={text}&weights=random&open=draw");
    Open::new(Panel::Draw, &fragment)
}

fn painted(page: &Open) -> usize {
    page.view().matches("aria-selected=\"true\"").count()
}

fn paint(page: &mut Open, event: GridEvent) {
    page.event(PanelEvent::Paint(event));
}

/// How far what was found is from the target, in nats.
fn distance(page: &Open) -> f64 {
    let progress = page.text("draw-progress");
    let (_, rest) = progress.split_once("· ").expect("a distance");
    let number = rest.split(' ').next().unwrap_or_default();
    number.trim_start_matches("&lt;").parse().expect("a number")
}

#[test]
fn a_target_is_found_and_a_change_begins_again_by_itself() {
    let mut page = draw("one+two+three+four+five");
    assert!(page.text("draw-progress").starts_with("step 0 of 1000"));
    page.enter("draw-pattern", "reverse");
    page.enter("draw-d-k", "1");
    assert_eq!(painted(&page), 5);
    assert!(page.text("draw-why").contains("places on a line"));
    page.press("draw-find");
    assert_eq!(page.text("draw-find"), "Pause");
    page.event(PanelEvent::Tick);
    let at = page.text("draw-progress");
    assert!(
        !at.starts_with("step 0 of") && !at.starts_with("step 1000"),
        "{at}"
    );
    // A pause holds what there is.
    page.press("draw-find");
    page.rest();
    assert_eq!(
        (page.text("draw-progress"), page.text("draw-find")),
        (at, "Find W_Q and W_K".to_owned())
    );
    page.press("draw-find");
    page.rest();
    assert!(page.text("draw-progress").starts_with("step 1000 of 1000"));
    assert!(distance(&page) > 0.5);
    page.enter("draw-d-k", "2");
    assert!(distance(&page) < 0.01);
    assert_eq!(page.text("draw-find"), "Another start");
    assert_eq!(page.address, [], "nothing of it is in a link");
    // Another sentence is another target, and found as well.
    page.set(Field::Text, text("a b c"));
    page.compute_all();
    page.rest();
    assert_eq!(
        (
            painted(&page),
            page.view().matches("data-paint-cell").count()
        ),
        (3, 9)
    );
    assert!(page.text("draw-progress").starts_with("step 1000 of 1000"));
}

#[test]
fn cells_are_painted_and_cleared_and_without_any_there_is_nothing_to_find() {
    let mut page = draw("one+two+three+four+five+six+seven+eight");
    page.press("draw-clear");
    assert_eq!(
        (
            painted(&page),
            page.attribute("draw-pattern", "data-value").as_str()
        ),
        (0, "own")
    );
    assert!(page.text("draw-why").contains("Nothing is painted"));
    assert!(page.tag("draw-find").contains("aria-disabled"));
    page.press("draw-find");
    page.press("draw-sweep");
    page.rest();
    assert!(page.text("draw-progress").starts_with("step 0 of"));
    for event in [
        GridEvent::Press(8 + 2),
        GridEvent::Drag((1, 5)),
        GridEvent::Release,
    ] {
        paint(&mut page, event);
    }
    assert_eq!(painted(&page), 4);
    paint(&mut page, GridEvent::Key(8 + 5, "ArrowDown"));
    assert_eq!(
        page.effects.last(),
        Some(&Effect::Focus(Panel::Draw, place_of(16 + 5)))
    );
    paint(&mut page, GridEvent::Key(16 + 5, " "));
    assert_eq!(painted(&page), 5);
    assert!(!page.tag("draw-find").contains("aria-disabled"));
}

#[test]
fn what_remains_at_every_size_is_found_and_stays_for_another_size() {
    let mut page = draw("a+b+c");
    page.press("draw-sweep");
    assert_eq!(page.text("draw-sweep"), "Pause");
    page.rest();
    let remaining = page.text("draw-remaining");
    assert!(remaining.contains(':'), "{remaining}");
    assert!(page.tag("draw-sweep").contains("aria-disabled"));
    page.enter("draw-d-k", "4");
    assert_eq!(page.text("draw-remaining"), remaining);
    page.enter("draw-heads", "2");
    assert_ne!(page.text("draw-remaining"), remaining);
    page.enter("draw-positions", "false");
    assert_eq!(page.attribute("draw-positions", "data-value"), "false");
    // A closed panel ticks no more.
    page.press("draw-find");
    page.set(Field::Panels, Value::Names(Vec::new()));
    assert_eq!(
        page.effects
            .iter()
            .rev()
            .find(|effect| matches!(effect, Effect::Tick(..))),
        Some(&Effect::Tick(Panel::Draw, None))
    );
}
