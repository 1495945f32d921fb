//! Zooming into a large map.

use super::*;
use crate::message::ZoomAction;

/// A page with 40 words, whose map is large enough to be zoomed into.
fn large() -> Page {
    let words: Vec<String> = (0..40).map(|at| format!("w{at}")).collect();
    let text = words.join("+");
    let mut page = Page::opened(&format!(
        "v=1&text={text}&weights=random&heads=1&d_model=4&d_k=2"
    ));
    page.compute_all();
    page
}

fn shown(page: &Page) -> Option<[std::ops::Range<usize>; 2]> {
    let viewport = page.app.viewport()?;
    Some([viewport.rows(), viewport.columns()])
}

#[test]
fn a_frame_is_drawn_with_shift_and_its_click_chooses_no_cell() {
    let mut page = large();
    assert!(page.app.is_zoomable() && shown(&page).is_none());
    page.send(Message::Map(MapEvent::Frame(at(10, 20))));
    page.send(Message::Map(MapEvent::Over(at(17, 29))));
    assert_eq!(page.app.zoom.frame, Some([(10, 20), (17, 29)]));
    page.send(Message::Map(MapEvent::Lift));
    page.send(Message::Map(MapEvent::Click(at(17, 29))));
    let [rows, columns] = shown(&page).expect("zoomed in");
    assert!(rows.contains(&10) && rows.contains(&17) && rows.len() < 20);
    assert!(columns.contains(&20) && columns.contains(&29) && columns.len() < 20);
    assert_eq!(page.app.state.cell, None);
    // The next click chooses again.
    page.send(Message::Map(MapEvent::Press(at(12, 22))));
    page.send(Message::Map(MapEvent::Click(at(12, 22))));
    assert_eq!(page.app.state.cell.map(|cell| cell.query), Some(12));
}

#[test]
fn keys_and_buttons_zoom_and_escape_shows_all_again() {
    let mut page = large();
    page.send(Message::Map(MapEvent::ZoomAt(4.0, at(35, 3))));
    let [rows, columns] = shown(&page).expect("zoomed in");
    assert!(rows.contains(&35) && columns.contains(&3));
    let said = page.said.last().expect("announced").clone();
    assert!(said.contains(&rows.end.to_string()), "{said}");
    // What is chosen elsewhere comes into sight.
    page.send(Message::ChooseRow(0));
    assert!(shown(&page).is_some_and(|[rows, _]| rows.contains(&0)));
    page.send(Message::Map(MapEvent::Release));
    assert!(shown(&page).is_none());
    page.send(Message::Zoom(ZoomAction::Frame));
    assert!(page.app.is_framing());
    page.send(Message::Map(MapEvent::Release));
    assert!(!page.app.is_framing());
    page.send(Message::Zoom(ZoomAction::FullScreen));
    assert_eq!(page.effects.last(), Some(&Effect::ToggleFullScreen));
}

#[test]
fn another_map_is_shown_whole_and_paper_shows_all() {
    let mut page = large();
    page.send(Message::Map(MapEvent::ZoomAt(4.0, at(20, 20))));
    page.app.environment.is_printing = true;
    assert!(shown(&page).is_none());
    page.app.environment.is_printing = false;
    assert!(shown(&page).is_some());
    page.set(Field::Text, text("a b c"));
    page.compute_all();
    assert!(shown(&page).is_none() && !page.app.is_zoomable());
}
