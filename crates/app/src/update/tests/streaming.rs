//! The panel on FlashAttention: from tile to tile, by hand and by itself.

use super::panels::Open;
use super::*;
use crate::present::panel::PanelEvent;
use crate::state::Panel;

fn streaming(settings: &str) -> Open {
    let fragment = format!("v=1&open=streaming&weights=random{settings}");
    let mut page = Open::new(Panel::Streaming, &fragment);
    page.app.environment.is_motion_reduced = false;
    page
}

fn at(page: &Open) -> String {
    page.text("streaming-at")
}

fn ticks(page: &Open) -> Option<i32> {
    let interval = page.effects.iter().rev().find_map(|effect| match effect {
        Effect::Tick(Panel::Streaming, interval) => Some(*interval),
        _ => None,
    });
    interval.flatten()
}

#[test]
fn the_tiles_of_a_row_are_gone_through_by_hand_and_by_themselves() {
    let mut page = streaming("&text=a+b+c+d+e+f+g+h+i");
    assert_eq!(at(&page), "3 / 3");
    assert!(page.tag("streaming-next").contains("aria-disabled"));
    page.press("streaming-previous");
    assert_eq!(at(&page), "2 / 3");
    assert!(!page.tag("streaming-next").contains("aria-disabled"));
    page.press("streaming-next");
    // From the end it plays from the beginning, and stops at the end.
    page.press("streaming-play");
    assert_eq!((at(&page), ticks(&page)), ("0 / 3".to_owned(), Some(1600)));
    assert_eq!(page.text("streaming-play"), "Pause");
    page.event(PanelEvent::Tick);
    assert_eq!((at(&page), ticks(&page)), ("1 / 3".to_owned(), Some(1600)));
    page.press("streaming-play");
    assert_eq!((at(&page), ticks(&page)), ("1 / 3".to_owned(), None));
    page.press("streaming-play");
    page.event(PanelEvent::Tick);
    page.event(PanelEvent::Tick);
    assert_eq!((at(&page), ticks(&page)), ("3 / 3".to_owned(), None));
    assert_eq!(page.text("streaming-play"), "Play");
    // A panel that is closed stands still, and so does one where nothing may move.
    page.press("streaming-play");
    page.close();
    assert_eq!((at(&page), ticks(&page)), ("0 / 3".to_owned(), None));
    page.press("streaming-play");
    page.app.environment.is_motion_reduced = true;
    page.turn();
    page.event(PanelEvent::Pointed);
    assert_eq!(ticks(&page), None);
}

#[test]
fn a_tile_has_as_many_keys_as_are_typed_or_the_nearest_possible_number() {
    let mut page = streaming("&text=a+b+c+d+e+f+g+h+i");
    let typed =
        |typed: &str, change| PanelEvent::Enter("width".to_owned(), typed.to_owned(), change);
    page.event(typed("", Change::Input));
    // What is being typed is let stand.
    assert_eq!(
        (at(&page), page.attribute("tile-width", "data-value")),
        ("9 / 9".to_owned(), String::new())
    );
    page.event(typed("999", Change::Input));
    assert_eq!(at(&page), "1 / 1");
    page.event(typed("999", Change::Commit));
    assert_eq!(page.attribute("tile-width", "data-value"), "128");
}

#[test]
fn the_row_is_that_which_is_read_and_says_why_there_is_none() {
    let mut page = streaming("&text=a+b+c");
    let about = page.text("streaming-of");
    page.send(Message::Map(MapEvent::Over(super::at(2, 0))));
    page.event(PanelEvent::Pointed);
    assert_ne!(page.text("streaming-of"), about);
    assert!(page.text("streaming-of").contains("“c”"));
    page.set(Field::Text, text(""));
    page.compute_all();
    page.turn();
    assert!(page.has("streaming-tools", "hidden") && page.has("streaming-tiles", "hidden"));
    let none = page.text("streaming-of");
    let many = ["w"; 130].join(" ");
    page.set(Field::Text, text(&many));
    page.compute_all();
    page.turn();
    let said = page.text("streaming-of");
    assert!(
        said.contains("128") && said.contains("130") && said != none,
        "{said}"
    );
}
