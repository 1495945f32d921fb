//! Events on a grid of cells that are painted (`data-paint-cell`).

use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, PointerEvent};

use crate::browser::event_listener::Listener;
use crate::browser::view::View;
use app::present::painted_grid::{GridCell, GridChange, GridEvent};

/// Attribute with the number of a cell.
const CELL: &str = "data-paint-cell";

/// Handles a grid event.
type Take = Rc<dyn Fn(GridEvent<'_>) -> GridChange>;

/// Translates a DOM event on a grid into a grid event.
type Handler = fn(&Element, &Event, &Take);

/// Listens to pointer, keys and focus on `grid`.
pub(super) fn listen_to_grid(
    grid: &Element,
    take: impl Fn(GridEvent<'_>) -> GridChange + 'static,
) -> Vec<Listener> {
    let take: Take = Rc::new(take);
    let handlers: [(_, Handler); 6] = [
        ("pointerdown", press),
        ("pointermove", drag),
        ("pointerup", release),
        ("pointercancel", cancel),
        ("keydown", key),
        ("focusin", focus),
    ];
    let listen = |(event, handle): (_, Handler)| {
        let (grid, take) = (grid.clone(), Rc::clone(&take));
        Listener::new(&grid.clone(), event, move |event| {
            handle(&grid, &event, &take)
        })
    };
    handlers.into_iter().map(listen).collect()
}

/// Puts the focus on a cell of a grid of `length` rows.
pub(super) fn focus_cell(grid: &View, (row, column): GridCell, length: usize) {
    let cells: Vec<HtmlElement> = grid.all("td[data-paint-cell]");
    if let Some(cell) = cells.get(row * length + column) {
        // Fails only for elements that cannot have the focus.
        let _ = cell.focus();
    }
}

fn press(grid: &Element, event: &Event, take: &Take) {
    let Some(press) = event.dyn_ref::<PointerEvent>() else {
        return;
    };
    let is_main = press.is_primary() && press.button() == 0;
    if let Some(cell) = cell_of(event).filter(|_| is_main) {
        // Refused only for a pointer that is gone; the stroke then ends at the edge.
        let _ = grid.set_pointer_capture(press.pointer_id());
        take(GridEvent::Press(cell));
    }
}

fn drag(grid: &Element, event: &Event, take: &Take) {
    let place = event.dyn_ref::<PointerEvent>();
    let pressed = place.filter(|place| place.is_primary() && place.buttons() != 0);
    let place = pressed.map(|place| (f64::from(place.client_x()), f64::from(place.client_y())));
    if let Some(cell) = place.and_then(|place| cell_at(grid, place)) {
        take(GridEvent::Drag(cell));
    }
}

fn release(_: &Element, _: &Event, take: &Take) {
    take(GridEvent::Release);
}

fn cancel(_: &Element, _: &Event, take: &Take) {
    take(GridEvent::Cancel);
}

fn key(_: &Element, event: &Event, take: &Take) {
    let Some(press) = event.dyn_ref::<KeyboardEvent>() else {
        return;
    };
    if press.alt_key() || press.ctrl_key() || press.meta_key() || press.shift_key() {
        return;
    }
    if let Some(cell) = cell_of(event)
        && take(GridEvent::Key(cell, &press.key())) != GridChange::Nothing
    {
        event.prevent_default();
    }
}

fn focus(_: &Element, event: &Event, take: &Take) {
    if let Some(cell) = cell_of(event) {
        take(GridEvent::Focus(cell));
    }
}

/// The number of the cell that an event is on.
fn cell_of(event: &Event) -> Option<usize> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let cell = target.closest(&format!("[{CELL}]")).ok()??;
    cell.get_attribute(CELL)?.parse().ok()
}

/// Cell at a point of the window: all cells have the size of the first. A captured pointer does not
/// report the element below it.
fn cell_at(grid: &Element, (x, y): (f64, f64)) -> Option<GridCell> {
    let cells = grid.query_selector_all(&format!("[{CELL}]")).ok()?;
    let n = f64::from(cells.length()).sqrt();
    let first: Element = cells.item(0)?.dyn_into().ok()?;
    let first = first.get_bounding_client_rect();
    let all = grid.get_bounding_client_rect();
    let at = |place: f64, low: f64, high: f64| {
        let share = (place - low) / (high - low);
        (0.0..1.0).contains(&share).then_some((share * n) as usize)
    };
    let row = at(y, first.top(), all.bottom())?;
    Some((row, at(x, first.left(), all.right())?))
}
