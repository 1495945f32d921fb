//! What a phone shows over the lower half of its window.

use super::*;
use crate::message::InspectorAction;
use crate::update::Sheet;

fn opened() -> Page {
    let mut page = Page::opened("v=1&text=the+cat+sat&weights=random&heads=2");
    page.compute_all();
    page
}

fn click(page: &mut Page, row: usize, column: usize) {
    page.send(Message::Map(MapEvent::Click(at(row, column))));
}

#[test]
fn a_cell_that_is_tapped_opens_its_arithmetic() {
    let mut page = opened();
    click(&mut page, 1, 2);
    assert_eq!(page.app.sheet, Some(Sheet::Row));
    click(&mut page, 0, 2);
    assert_eq!(page.app.sheet, Some(Sheet::Row));
    // The same one again releases it.
    click(&mut page, 0, 2);
    assert_eq!(page.app.sheet, None);
    click(&mut page, 1, 2);
    page.send(Message::Inspect(InspectorAction::Close));
    assert_eq!(page.app.sheet, None);
    page.send(Message::Map(MapEvent::Lock));
    assert_eq!(page.app.sheet, None, "a row alone is no cell");
}

#[test]
fn one_sheet_takes_the_place_of_another_and_the_map_that_of_all() {
    let mut page = opened();
    for sheet in [
        Some(Sheet::SetUp),
        Some(Sheet::Panels),
        Some(Sheet::Row),
        None,
    ] {
        page.send(Message::Sheet(sheet));
        assert_eq!(page.app.sheet, sheet);
        assert!(page.effects.contains(&Effect::FocusSheet(sheet)));
    }
    // The settings stay while a cell is released, since they are what is moved.
    click(&mut page, 1, 2);
    page.send(Message::Sheet(Some(Sheet::SetUp)));
    page.send(Message::Map(MapEvent::Release));
    page.set(Field::DK, Value::Number(3));
    assert_eq!(page.app.sheet, Some(Sheet::SetUp));
}

#[test]
fn a_panel_or_a_lesson_closes_the_sheet() {
    let mut page = opened();
    page.send(Message::Sheet(Some(Sheet::Panels)));
    let open = Action::Include(Field::Panels, Panel::Cost.name(), true);
    page.send(Message::Act(open, Change::Commit));
    assert_eq!(page.app.sheet, None);
    page.send(Message::Sheet(Some(Sheet::SetUp)));
    page.set(Field::Lesson, Value::Text("masks".to_owned()));
    assert_eq!(page.app.sheet, None);
    page.send(Message::Sheet(Some(Sheet::Row)));
    assert_eq!(
        page.app.sheet, None,
        "a lesson has the lower half for itself"
    );
}

#[test]
fn a_compact_page_has_no_sheets() {
    let mut page = Page::opened("embed&v=1&text=the+cat+sat&weights=random");
    page.compute_all();
    click(&mut page, 1, 2);
    assert_eq!(page.app.sheet, None);
}
