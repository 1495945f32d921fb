//! Events on a grid of cells that are painted (`data-paint-cell`).

wasm_chunks::chunk!("more");

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, KeyboardEvent, PointerEvent};

use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use app::Message;
use app::present::painted_grid::{GRID_KEYS, GridCell, GridEvent};
use app::present::panel::PanelEvent;
use app::state::Panel;

/// Attribute with the number of a cell.
const CELL: &str = "data-paint-cell";

/// Translates a DOM event on a grid into a grid event.
type Read = fn(&Event) -> Option<GridEvent>;

/// Listens to pointer, keys and focus on the grid inside `body`.
pub(super) fn listen_to_grid(body: &Element, panel: Panel, sender: &Sender) -> Vec<Listener> {
    let events: [(_, Read); 6] = [
        ("pointerdown", press),
        ("pointermove", drag),
        ("pointerup", |_| Some(GridEvent::Release)),
        ("pointercancel", |_| Some(GridEvent::Cancel)),
        ("keydown", key),
        ("focusin", |event| cell_of(event).map(GridEvent::Focus)),
    ];
    let listen = |(event, read): (_, Read)| {
        let sender = sender.clone();
        Listener::new(body, event, move |event| {
            if let Some(event) = grid_of(&event).and_then(|_| read(&event)) {
                sender.send(Message::Panel(panel, PanelEvent::Paint(event)));
            }
        })
    };
    events.into_iter().map(listen).collect()
}

/// The grid that an event is on.
fn grid_of(event: &Event) -> Option<Element> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest("[role=grid]").ok()?
}

fn press(event: &Event) -> Option<GridEvent> {
    let press = event.dyn_ref::<PointerEvent>()?;
    let cell = cell_of(event).filter(|_| press.is_primary() && press.button() == 0)?;
    // Refused only for a pointer that is gone; the stroke then ends at the edge.
    let _ = grid_of(event)?.set_pointer_capture(press.pointer_id());
    Some(GridEvent::Press(cell))
}

fn drag(event: &Event) -> Option<GridEvent> {
    let place = event.dyn_ref::<PointerEvent>()?;
    let is_pressed = place.is_primary() && place.buttons() != 0;
    let place = (f64::from(place.client_x()), f64::from(place.client_y()));
    let grid = grid_of(event).filter(|_| is_pressed)?;
    cell_at(&grid, place).map(GridEvent::Drag)
}

fn key(event: &Event) -> Option<GridEvent> {
    let press = event.dyn_ref::<KeyboardEvent>()?;
    if press.alt_key() || press.ctrl_key() || press.meta_key() || press.shift_key() {
        return None;
    }
    let (cell, pressed) = (cell_of(event)?, press.key());
    let key = GRID_KEYS.into_iter().find(|key| *key == pressed)?;
    event.prevent_default();
    Some(GridEvent::Key(cell, key))
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
