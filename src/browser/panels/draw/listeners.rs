//! What is done in the panel.

use std::rc::Weak;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, KeyboardEvent, PointerEvent};

use super::{Back, Inner, with};
use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::present::draw::lab::TargetCell;

/// Handles an event on the target.
type Handler = fn(&mut Inner, &Element, &Event);

/// What has the number of a cell.
const CELL: &str = "data-draw-cell";

pub(super) fn listen(
    root: &Root,
    inner: &Inner,
    back: &Back,
) -> Result<Vec<Listener>, MissingPart> {
    let changed = |target: &Element, event, change: fn(&mut Inner)| {
        let back = Weak::clone(back);
        Listener::new(target, event, move |_| with(&back, change))
    };
    let grid: Element = root.find("#draw-target")?;
    let mut listeners = vec![
        changed(&inner.pattern, "change", Inner::choose_pattern),
        changed(&inner.d_k, "change", Inner::read_options),
        changed(&inner.heads, "change", Inner::read_options),
        changed(&inner.positions, "change", Inner::read_options),
        changed(&inner.find, "click", Inner::find_or_pause),
        changed(&inner.sweep, "click", Inner::sweep_or_pause),
        changed(&inner.clear, "click", Inner::clear),
    ];
    for event in ["pointerup", "pointercancel"] {
        listeners.push(changed(&grid, event, Inner::end_stroke));
    }
    let handlers: [(_, Handler); 4] = [
        ("pointerdown", Inner::press),
        ("pointermove", Inner::drag),
        ("keydown", Inner::key),
        ("focusin", Inner::follow_focus),
    ];
    for (event, handle) in handlers {
        let (back, own) = (Weak::clone(back), grid.clone());
        listeners.push(Listener::new(&grid, event, move |event| {
            with(&back, |inner| handle(inner, &own, &event))
        }));
    }
    Ok(listeners)
}

impl Inner {
    fn clear(&mut self) {
        self.change(|lab| lab.clear());
    }

    fn end_stroke(&mut self) {
        if let Some(lab) = &mut self.lab {
            lab.end_stroke();
        }
    }

    fn press(&mut self, grid: &Element, event: &Event) {
        let Some(press) = event.dyn_ref::<PointerEvent>() else {
            return;
        };
        let is_main = press.is_primary() && press.button() == 0;
        if let Some(cell) = cell_of(event).filter(|_| is_main) {
            // Refused only for a pointer that is gone; the stroke then ends at the edge.
            let _ = grid.set_pointer_capture(press.pointer_id());
            self.change(|lab| {
                lab.set_cell(cell);
                lab.begin_stroke(lab.cell());
            });
        }
    }

    fn drag(&mut self, grid: &Element, event: &Event) {
        let place = event.dyn_ref::<PointerEvent>();
        let place = place.filter(|place| place.is_primary());
        let place = place.map(|place| (f64::from(place.client_x()), f64::from(place.client_y())));
        let Some((lab, place)) = self.lab.as_ref().zip(place) else {
            return;
        };
        let cell = cell_at(grid, place, lab.length());
        if let Some(cell) = cell.filter(|cell| lab.extends_stroke(*cell)) {
            self.change(|lab| lab.extend_stroke(cell));
        }
    }

    fn key(&mut self, _: &Element, event: &Event) {
        let Some(press) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        if press.alt_key() || press.ctrl_key() || press.meta_key() || press.shift_key() {
            return;
        }
        let key = press.key();
        let Some((lab, focused)) = self.lab.as_mut().zip(cell_of(event)) else {
            return;
        };
        lab.set_cell(focused);
        if matches!(key.as_str(), " " | "Enter") {
            let cell = lab.cell();
            self.change(|lab| {
                lab.begin_stroke(cell);
                lab.end_stroke();
            });
        } else if lab.move_by(&key) {
            self.draw();
            self.focus_cell();
        } else {
            return;
        }
        event.prevent_default();
    }

    fn follow_focus(&mut self, _: &Element, event: &Event) {
        if let Some((lab, cell)) = self.lab.as_mut().zip(cell_of(event)) {
            lab.set_cell(cell);
            self.draw();
        }
    }
}

/// The number of the cell that an event is on.
fn cell_of(event: &Event) -> Option<usize> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let cell = target.closest(&format!("[{CELL}]")).ok()??;
    cell.get_attribute(CELL)?.parse().ok()
}

/// The cell at a place in the window: all are as large as the first. A captured pointer says nothing of what is below it.
fn cell_at(grid: &Element, (x, y): (f64, f64), n: usize) -> Option<TargetCell> {
    let first = grid.query_selector(&format!("[{CELL}]")).ok()??;
    let first = first.get_bounding_client_rect();
    let all = grid.get_bounding_client_rect();
    let at = |place: f64, low: f64, high: f64| {
        let share = (place - low) / (high - low);
        (0.0..1.0)
            .contains(&share)
            .then_some((share * n as f64) as usize)
    };
    let row = at(y, first.top(), all.bottom())?;
    Some((row, at(x, first.left(), all.right())?))
}
