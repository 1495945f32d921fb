//! Sends `change` for every committed input in every browser.
//!
//! Firefox sends `change` only if the value differs from that of the last `change`, whatever scripts wrote since: a value that was
//! refused, reset and typed again would be missed. The missing event is sent here, for all fields at once.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, EventInit, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent};

use super::dom::Root;
use super::event_listener::Listener;

/// A field, and what stood in it when it was last typed into.
type Typed = Rc<RefCell<Option<(Element, String)>>>;

/// Makes every field inside `root` that was typed into tell once that it was finished: when it is left, and where it
/// has one line, with Enter.
pub(super) fn listen(root: &Root) -> [Listener; 4] {
    let typed = Typed::default();
    let on = |event, act: fn(&Typed, &Event)| {
        let typed = Rc::clone(&typed);
        Listener::new(root.element(), event, move |event| act(&typed, &event))
    };
    [
        on("input", |typed, event| {
            typed.replace(target(event));
        }),
        on("change", |typed, _| {
            typed.take();
        }),
        on("focusout", finish),
        on("keyup", |typed, event| {
            let key = event.dyn_ref().map(KeyboardEvent::key);
            let is_line = target(event).is_some_and(|(field, _)| field.tag_name() == "INPUT");
            if key.as_deref() == Some("Enter") && is_line {
                finish(typed, event);
            }
        }),
    ]
}

/// Dispatches `change` for a typed field, unless it was dispatched already or the field's value has
/// since been replaced.
fn finish(typed: &Typed, event: &Event) {
    let (was, is) = (typed.take(), target(event));
    let Some((field, _)) = is.filter(|is| was.as_ref() == Some(is)) else {
        return;
    };
    let bubbling = EventInit::new();
    bubbling.set_bubbles(true);
    if let Ok(change) = Event::new_with_event_init_dict("change", &bubbling) {
        // Fails only for an event that is under way already.
        let _ = field.dispatch_event(&change);
    }
}

/// The field of an event, and its text; empty for letters in a number field.
fn target(event: &Event) -> Option<(Element, String)> {
    let element: Element = event.target()?.dyn_into().ok()?;
    let value = match element.dyn_ref::<HtmlInputElement>() {
        Some(input) if input.type_() == "number" => input.value(),
        Some(_) => return None,
        None => element.dyn_ref::<HtmlTextAreaElement>()?.value(),
    };
    Some((element, value))
}
