//! Shows the help of a control when its question mark is pressed or focused by keyboard, or its
//! name is long-pressed.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, FocusEvent, HtmlElement, PointerEvent};

use crate::browser::dom::Root;
use crate::browser::event_listener::Listener;

/// How long a finger rests on a name, in milliseconds.
const HELD_MS: f64 = 500.0;

/// Elements with one question mark each.
const WITH_HELP: &str = "[data-control], .row, .with-help, fieldset";

/// Listens for keyboard and fingers.
pub(in crate::browser) fn listen(root: &Root) -> Vec<Listener> {
    let own = root.clone();
    let focused = Listener::new(root.element(), "focusin", move |event| {
        if let Some((text, other)) = text_at_focus(&own, &event, ".help:focus-visible")
            && !contains(&text, other.as_ref())
        {
            // Refused where it is open already.
            let _ = text.show_popover();
        }
    });
    let own = root.clone();
    let left = Listener::new(root.element(), "focusout", move |event| {
        if let Some((text, Some(other))) = text_at_focus(&own, &event, ".help")
            && !contains(&text, Some(&other))
        {
            // Refused where it is closed already.
            let _ = text.hide_popover();
        }
    });
    let mut listeners = Vec::from(held(root));
    listeners.extend([focused, left]);
    listeners
}

/// Control name under a finger, and the time of the touch.
type Held = Rc<RefCell<Option<(HtmlElement, f64)>>>;

/// Shows the text when the finger is taken away: before, that would close it again.
fn held(root: &Root) -> [Listener; 4] {
    let held: Held = Rc::default();
    let (own, down) = (root.clone(), Rc::clone(&held));
    let pressed = Listener::new(root.element(), "pointerdown", move |event| {
        down.replace(text_of_name(&own, &event).map(|text| (text, event.time_stamp())));
    });
    let up = Rc::clone(&held);
    let released = Listener::new(root.element(), "pointerup", move |event| {
        if let Some((text, since)) = up.take()
            && event.time_stamp() - since >= HELD_MS
        {
            // Refused where it is open already.
            let _ = text.show_popover();
        }
    });
    let ends = ["pointercancel", "pointermove"].map(|name| {
        let held = Rc::clone(&held);
        Listener::new(root.element(), name, move |_| drop(held.take()))
    });
    let [cancelled, moved] = ends;
    [pressed, released, cancelled, moved]
}

/// The text of the question mark that gets or loses the focus, and what loses or gets it.
fn text_at_focus(root: &Root, event: &Event, mark: &str) -> Option<(HtmlElement, Option<Element>)> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let other = event.dyn_ref::<FocusEvent>()?.related_target();
    let is_mark = target.matches(mark).ok()?;
    let text = is_mark.then(|| text_of(root, &target))??;
    Some((text, other.and_then(|other| other.dyn_into().ok())))
}

/// Help text for the control name under a finger.
fn text_of_name(root: &Root, event: &Event) -> Option<HtmlElement> {
    let is_finger = event.dyn_ref::<PointerEvent>()?.pointer_type() == "touch";
    let target: Element = event.target()?.dyn_into().ok()?;
    let name = target.closest("label").ok()??;
    let around = name.closest(WITH_HELP).ok()??;
    let mark = around.query_selector(".help").ok()??;
    is_finger.then(|| text_of(root, &mark))?
}

fn text_of(root: &Root, mark: &Element) -> Option<HtmlElement> {
    let id = mark.get_attribute("popovertarget")?;
    root.find(&format!("#{id}")).ok()
}

fn contains(text: &HtmlElement, other: Option<&Element>) -> bool {
    text.contains(other.map(AsRef::as_ref))
}
