//! What pointer and keyboard do on the map.

use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Event, HtmlElement, KeyboardEvent, MouseEvent, PointerEvent};

use crate::ui::listen::Listener;
use crate::view::hit::Move;

/// Something that was done on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deed {
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
pub fn listen(element: &HtmlElement, done: impl Fn(Deed) + 'static) -> Vec<Listener> {
    let done = Rc::new(done);
    let pointer = |event, deed: fn(f64, f64) -> Deed| {
        let (own, done) = (element.clone(), Rc::clone(&done));
        Listener::new(element, event, move |event| {
            if let Some((x, y)) = place(&own, &event) {
                done(deed(x, y));
            }
        })
    };
    let mut listeners = vec![
        pointer("pointermove", Deed::Over),
        pointer("click", Deed::Click),
        pointer("pointerdown", Deed::Press),
    ];
    listeners.extend(["pointerup", "pointercancel"].map(|event| {
        let done = Rc::clone(&done);
        Listener::new(element, event, move |_| done(Deed::Lift))
    }));
    let own = element.clone();
    listeners.push(Listener::new(element, "pointerdown", move |event| {
        hold(&own, &event)
    }));
    let away = Rc::clone(&done);
    listeners.push(Listener::new(element, "pointerleave", move |_| {
        away(Deed::Away)
    }));
    listeners.push(Listener::new(element, "keydown", move |event| {
        if let Some(deed) = key(&event) {
            event.prevent_default();
            done(deed);
        }
    }));
    listeners
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
fn place(element: &HtmlElement, event: &Event) -> Option<(f64, f64)> {
    let event: &MouseEvent = event.dyn_ref()?;
    let corner = element.get_bounding_client_rect();
    Some((
        f64::from(event.client_x()) - corner.left(),
        f64::from(event.client_y()) - corner.top(),
    ))
}

fn key(event: &Event) -> Option<Deed> {
    let event: &KeyboardEvent = event.dyn_ref()?;
    if event.alt_key() || event.meta_key() {
        return None;
    }
    match event.key().as_str() {
        "Enter" => Some(Deed::Lock),
        " " => Some(Deed::Space),
        "Escape" => Some(Deed::Release),
        name => Move::from_key(name, event.ctrl_key()).map(Deed::Step),
    }
}
