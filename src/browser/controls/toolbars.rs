//! Toolbars, each a single stop for Tab: arrow keys lead from one control to the next. Of radios the chosen one is reached, and up and
//! down choose another, as in the pattern of ARIA.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent};

use super::Control;
use crate::browser::dom::{self, Root};
use crate::browser::event_listener::Listener;
use app::present::roving;
use app::state::State;

const CONTROLS: &str = "button, select, input";

/// Elements that cannot be focused: hidden, disabled, or the openers of menus that lie open in a frame.
const AWAY: &str = "[hidden], [hidden] *, [data-absent], [data-absent] *, :disabled, [data-layout=\"embed\"] .with-menu > button";

/// Elements that are no part of the toolbar: in a popover, but in a menu only where it is one.
const INSIDE: &str = "[popover]:not(.menu) *, .menu:not([data-layout=\"embed\"] *) *";

/// Marks views that manage their own Tab stop.
const OWN_STOP: &str = "data-own-stop";

/// Every toolbar of the page.
pub(super) struct Toolbars {
    toolbars: Vec<Element>,
    _listeners: Vec<Listener>,
}

impl Toolbars {
    pub(super) fn new(root: &Root) -> Self {
        let toolbars: Vec<Element> = root.all("[role=toolbar]");
        let listeners = toolbars.iter().flat_map(|toolbar| {
            let [focused, pressed] = [(); 2].map(|()| toolbar.clone());
            [
                Listener::new(toolbar, "focusin", move |event| {
                    let target = event.target().and_then(|target| target.dyn_into().ok());
                    stop_at(&focused, target.as_ref());
                }),
                Listener::new(toolbar, "keydown", move |event| step(&pressed, &event)),
            ]
        });
        Self {
            _listeners: listeners.collect(),
            toolbars,
        }
    }
}

impl Control for Toolbars {
    fn update(&mut self, _: &State) {
        for toolbar in &self.toolbars {
            stop_at(toolbar, None);
        }
    }
}

/// The controls that arrow keys lead to.
fn reached(toolbar: &Element) -> Vec<HtmlElement> {
    let mut all: Vec<HtmlElement> = Root::new(toolbar.clone()).all(CONTROLS);
    all.retain(|control| {
        let is = |selector| control.matches(selector) == Ok(true);
        !is(AWAY) && !is(INSIDE) && (!is("[type=radio]") || is(":checked"))
    });
    all
}

/// Lets Tab stop at a control, or else where it stopped before, or else at the first: radios last, as the compact page hides some.
fn stop_at(toolbar: &Element, control: Option<&HtmlElement>) {
    if toolbar.has_attribute(OWN_STOP) {
        return;
    }
    let reached = reached(toolbar);
    let is_stop = |own: &&HtmlElement| own.get_attribute("tabindex").as_deref() == Some("0");
    let is_first = |own: &&HtmlElement| own.matches("[type=radio]") != Ok(true);
    let stop = (control.and_then(|control| reached.iter().find(|own| *own == control)))
        .or_else(|| reached.iter().find(is_stop))
        .or_else(|| reached.iter().find(is_first))
        .or(reached.first());
    for own in Root::new(toolbar.clone()).all::<HtmlElement>(CONTROLS) {
        let wanted = if Some(&own) == stop { "0" } else { "-1" };
        let is_inside = own.matches(INSIDE) == Ok(true);
        if !is_inside && own.get_attribute("tabindex").as_deref() != Some(wanted) {
            dom::set(&own, "tabindex", wanted);
        }
    }
}

fn step(toolbar: &Element, event: &Event) {
    let Some(press) = event.dyn_ref::<KeyboardEvent>() else {
        return;
    };
    if press.alt_key() || press.ctrl_key() || press.meta_key() || press.shift_key() {
        return;
    }
    let mut reached = reached(toolbar);
    // Hidden by the style sheet, which reduced motion does to some.
    reached.retain(|own| own.offset_parent().is_some());
    let focused = |own: &HtmlElement| own.matches(":focus") == Ok(true);
    let Some(at) = reached.iter().position(focused) else {
        return;
    };
    let key = press.key();
    // Up and down choose among these, and so do the ends of a menu.
    let has_own = reached[at].matches("select, input") == Ok(true);
    if has_own && !matches!(key.as_str(), "ArrowLeft" | "ArrowRight") {
        return;
    }
    let is_upright = matches!(key.as_str(), "ArrowUp" | "ArrowDown");
    let keys = if is_upright {
        ["ArrowUp", "ArrowDown"]
    } else {
        ["ArrowLeft", "ArrowRight"]
    };
    if let Some(to) = roving::target(&key, keys, at, reached.len()) {
        event.prevent_default();
        // Fails only for elements that cannot have the focus.
        let _ = reached[to].focus();
    }
}
