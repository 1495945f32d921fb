//! Arrow keys that move the focus among buttons.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent};

use crate::browser::dom::Root;
use crate::browser::event_listener::Listener;

/// Where a key leads from a button at an index, of so many.
type Target = fn(&str, usize, usize) -> Option<usize>;

/// Listens to keys on the buttons inside `list`.
pub(super) fn listen(list: &Element, target: Target) -> Listener {
    let own = list.clone();
    Listener::new(list, "keydown", move |event| {
        if let Some(button) = led_to(&own, &event, target) {
            event.prevent_default();
            // Fails only for elements that cannot have the focus.
            let _ = button.focus();
        }
    })
}

fn led_to(list: &Element, event: &Event, target: Target) -> Option<HtmlElement> {
    let press: &KeyboardEvent = event.dyn_ref()?;
    if press.alt_key() || press.ctrl_key() || press.meta_key() {
        return None;
    }
    let mut buttons: Vec<HtmlElement> = Root::new(list.clone()).all("button");
    let focused = |button: &HtmlElement| button.matches(":focus") == Ok(true);
    let at = buttons.iter().position(focused)?;
    let to = target(&press.key(), at, buttons.len())?;
    (to < buttons.len()).then(|| buttons.swap_remove(to))
}
