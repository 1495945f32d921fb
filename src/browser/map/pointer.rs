//! Pointer and keyboard events of the map.

wasm_chunks::chunk!("more": fingers);

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{
    Event, HtmlElement, KeyboardEvent, MouseEvent, PointerEvent, TouchEvent, WheelEvent,
};

use crate::browser::dom::{self, Root};
use crate::browser::event_listener::Listener;
use app::message::MapEvent;
use app::scene::hit::Move;

/// Something that was done on a map, in CSS pixels from its upper left corner.
type OnMap = MapEvent<(f64, f64)>;

/// Zoom factor of a key or a step of the wheel.
const ZOOM: f64 = 1.25;
/// Ratio by which two fingers have to spread before they zoom.
const PINCH: f64 = 1.1;
/// Set on a map that can be zoomed into.
pub(super) const ZOOMABLE: &str = "data-zoomable";

/// Calls `done` with the events on `element`. Only keys with a meaning here are prevented, and
/// thereby kept from a surrounding page (`element.js`); wheel and touch scroll as everywhere.
pub(crate) fn listen(element: &HtmlElement, done: impl Fn(OnMap) + 'static) -> Vec<Listener> {
    let done = Rc::new(done);
    let pointer = |event, heeds: fn(&Event) -> bool, action: fn((f64, f64)) -> OnMap| {
        let (own, done) = (element.clone(), Rc::clone(&done));
        Listener::new(element, event, move |event| {
            if let Some(place) = position_on(&own, &event).filter(|_| heeds(&event)) {
                done(action(place));
            }
        })
    };
    let mut listeners = vec![
        pointer("pointermove", is_first, MapEvent::Over),
        pointer("click", |_| true, MapEvent::Click),
        pointer("pointerdown", is_plain_press, MapEvent::Press),
        pointer("pointerdown", is_shift_press, MapEvent::Frame),
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
    let own = element.clone();
    listeners.push(Listener::new(element, "keydown", move |event| {
        let zoom = || zoom_key(&event).filter(|_| own.has_attribute(ZOOMABLE));
        // The keys of a button on the map are its own.
        let is_own = event.target().as_ref() == Some(own.as_ref());
        let action = key(&own, &event).or_else(zoom);
        if let Some(action) = action.filter(|_| is_own) {
            event.prevent_default();
            done(action);
        }
    }));
    listeners
}

/// Whether an event is of the first finger on the screen, or of a mouse or pen: a second finger
/// does not paint.
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

fn is_plain_press(event: &Event) -> bool {
    is_main_press(event) && !has_shift(event)
}

fn is_shift_press(event: &Event) -> bool {
    is_main_press(event) && has_shift(event)
}

fn has_shift(event: &Event) -> bool {
    event
        .dyn_ref::<MouseEvent>()
        .is_some_and(MouseEvent::shift_key)
}

/// Calls `done` with zoom gestures on the map `element`: the wheel with Ctrl, as touch pads report
/// a pinch, two fingers on a touch screen, a double click, and the overview of `root`.
pub(crate) fn listen_zoom(
    root: &Root,
    element: &HtmlElement,
    done: impl Fn(OnMap) + 'static,
) -> Vec<Listener> {
    let done = Rc::new(done);
    let (own, wheel) = (element.clone(), Rc::clone(&done));
    let wheel = move |event: Event| {
        let turned = event
            .dyn_ref::<WheelEvent>()
            .filter(|turned| turned.ctrl_key());
        let delta = turned.map_or(0.0, WheelEvent::delta_y);
        if let Some(place) = position_on(&own, &event)
            && delta != 0.0
            && own.has_attribute(ZOOMABLE)
        {
            event.prevent_default();
            wheel(MapEvent::ZoomAt(
                if delta < 0.0 { ZOOM } else { 1.0 / ZOOM },
                place,
            ));
        }
    };
    let apart = Rc::new(Cell::new(0.0));
    let (own, begun) = (element.clone(), Rc::clone(&apart));
    let begin = move |event: Event| {
        if let Some((distance, ..)) = fingers(&own, &event) {
            event.prevent_default();
            begun.set(distance);
        }
    };
    let (own, pinched) = (element.clone(), Rc::clone(&done));
    let pinch = move |event: Event| {
        let Some((distance, x, y)) = fingers(&own, &event) else {
            return;
        };
        event.prevent_default();
        let factor = distance / apart.get();
        if !(1.0 / PINCH..PINCH).contains(&factor) {
            apart.set(distance);
            pinched(MapEvent::ZoomAt(factor, (x, y)));
        }
    };
    let mut listeners = super::overview::listen(root, &done);
    listeners.extend([
        Listener::new(element, "wheel", wheel),
        Listener::new(element, "touchstart", begin),
        Listener::new(element, "touchmove", pinch),
        Listener::new(element, "dblclick", move |_| done(MapEvent::Whole)),
    ]);
    listeners
}

/// How far two fingers are apart on a map that can be zoomed into, and the place between them.
fn fingers(element: &HtmlElement, event: &Event) -> Option<(f64, f64, f64)> {
    let touches = event.dyn_ref::<TouchEvent>()?.touches();
    if touches.length() != 2 || !element.has_attribute(ZOOMABLE) {
        return None;
    }
    let (one, other) = (touches.get(0)?, touches.get(1)?);
    let [one, other] =
        [one, other].map(|finger| (f64::from(finger.client_x()), f64::from(finger.client_y())));
    let between = ((one.0 + other.0) / 2.0, (one.1 + other.1) / 2.0);
    let (x, y) = dom::place_in(element, between);
    let apart = (other.0 - one.0).hypot(other.1 - one.1).max(1.0);
    Some((apart, x, y))
}

/// While the map is painted on or a frame is drawn, a pointer that is down belongs to it wherever it goes.
fn hold(element: &HtmlElement, event: &Event) {
    if let Some(pointer) = event.dyn_ref::<PointerEvent>()
        && (element.has_attribute("data-painting")
            || element.has_attribute("data-framing")
            || has_shift(event))
    {
        // Refused only for a pointer that is gone already.
        let _ = element.set_pointer_capture(pointer.pointer_id());
    }
}

/// Where on the element a pointer event happened.
fn position_on(element: &HtmlElement, event: &Event) -> Option<(f64, f64)> {
    let event: &MouseEvent = event.dyn_ref()?;
    let at = (f64::from(event.client_x()), f64::from(event.client_y()));
    Some(dom::place_in(element, at))
}

fn key(element: &HtmlElement, event: &Event) -> Option<OnMap> {
    let event: &KeyboardEvent = event.dyn_ref()?;
    if event.alt_key() || event.meta_key() || dom::is_for_page_around(element, &event.key()) {
        return None;
    }
    match event.key().as_str() {
        "Enter" => Some(MapEvent::Lock),
        " " => Some(MapEvent::Space),
        "Escape" => Some(MapEvent::Release),
        name => Move::from_key(name, event.ctrl_key()).map(MapEvent::Step),
    }
}

fn zoom_key(event: &Event) -> Option<OnMap> {
    let event: &KeyboardEvent = event.dyn_ref()?;
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    Some(match event.key().as_str() {
        "+" | "=" => MapEvent::Zoom(ZOOM),
        "-" | "\u{2212}" => MapEvent::Zoom(1.0 / ZOOM),
        "0" => MapEvent::Whole,
        _ => return None,
    })
}
