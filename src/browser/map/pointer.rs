//! Pointer and keyboard events of the map.

use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Event, HtmlElement, KeyboardEvent, MouseEvent, PointerEvent};

use crate::browser::event_listener::Listener;
use crate::scene::hit::Move;

/// Something that was done on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MapEvent {
    /// The pointer is here, in CSS pixels from the upper left corner.
    Over(f64, f64),
    /// The pointer is elsewhere.
    Away,
    /// A click or a tap here.
    Click(f64, f64),
    /// A step with the keyboard.
    Step(Move),
    /// The pointer is pressed down here.
    Press(f64, f64),
    /// It is let go, wherever that is.
    Lift,
    /// Enter.
    Lock,
    /// The space bar.
    Space,
    /// Escape.
    Release,
}

/// Tells `done` what is done on `element`. Only keys that mean something here are kept from the page; wheel and
/// touch scroll as everywhere.
pub(crate) fn listen(element: &HtmlElement, done: impl Fn(MapEvent) + 'static) -> Vec<Listener> {
    let done = Rc::new(done);
    let pointer = |event, heeds: fn(&Event) -> bool, deed: fn(f64, f64) -> MapEvent| {
        let (own, done) = (element.clone(), Rc::clone(&done));
        Listener::new(element, event, move |event| {
            if let Some((x, y)) = position_on(&own, &event).filter(|_| heeds(&event)) {
                done(deed(x, y));
            }
        })
    };
    let mut listeners = vec![
        pointer("pointermove", is_first, MapEvent::Over),
        pointer("click", |_| true, MapEvent::Click),
        pointer("pointerdown", is_main_press, MapEvent::Press),
    ];
    listeners.extend(["pointerup", "pointercancel"].map(|event| {
        let done = Rc::clone(&done);
        Listener::new(element, event, move |event| {
            if is_first(&event) {
                done(MapEvent::Lift);
            }
        })
    }));
    let own = element.clone();
    listeners.push(Listener::new(element, "pointerdown", move |event| {
        hold(&own, &event)
    }));
    let away = Rc::clone(&done);
    listeners.push(Listener::new(element, "pointerleave", move |_| {
        away(MapEvent::Away)
    }));
    listeners.push(Listener::new(element, "keydown", move |event| {
        if let Some(deed) = key(&event) {
            event.prevent_default();
            done(deed);
        }
    }));
    listeners
}

/// Whether it is of the first finger on the screen, or of a mouse or pen: a second finger has no stroke of its own.
fn is_first(event: &Event) -> bool {
    event
        .dyn_ref::<PointerEvent>()
        .is_some_and(PointerEvent::is_primary)
}

/// Whether it is a press of the button that clicks: the others open menus.
fn is_main_press(event: &Event) -> bool {
    is_first(event)
        && event
            .dyn_ref::<MouseEvent>()
            .is_some_and(|press| press.button() == 0)
}

/// While the map is painted on, a pointer that is down belongs to it wherever it goes.
fn hold(element: &HtmlElement, event: &Event) {
    if let Some(pointer) = event.dyn_ref::<PointerEvent>()
        && element.has_attribute("data-painting")
    {
        // Refused only for a pointer that is gone already.
        let _ = element.set_pointer_capture(pointer.pointer_id());
    }
}

/// Where on the element a pointer event happened.
fn position_on(element: &HtmlElement, event: &Event) -> Option<(f64, f64)> {
    let event: &MouseEvent = event.dyn_ref()?;
    let corner = element.get_bounding_client_rect();
    Some((
        f64::from(event.client_x()) - corner.left(),
        f64::from(event.client_y()) - corner.top(),
    ))
}

fn key(event: &Event) -> Option<MapEvent> {
    let event: &KeyboardEvent = event.dyn_ref()?;
    if event.alt_key() || event.meta_key() {
        return None;
    }
    match event.key().as_str() {
        "Enter" => Some(MapEvent::Lock),
        " " => Some(MapEvent::Space),
        "Escape" => Some(MapEvent::Release),
        name => Move::from_key(name, event.ctrl_key()).map(MapEvent::Step),
    }
}
