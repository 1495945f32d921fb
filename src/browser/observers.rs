//! Resize and visibility observers.

use js_sys::Array;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, ResizeObserver};

use super::dom::Root;
use app::state::Panel;

/// Watches how large an element is.
pub(super) struct ResizeWatcher {
    observer: ResizeObserver,
    _call: Closure<dyn FnMut()>,
}

impl ResizeWatcher {
    /// Calls `call` whenever the size is another one, and once at first.
    pub(super) fn new(element: &Element, call: impl FnMut() + 'static) -> Option<Self> {
        let call = Closure::<dyn FnMut()>::new(call);
        let observer = ResizeObserver::new(call.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(Self {
            observer,
            _call: call,
        })
    }
}

impl Drop for ResizeWatcher {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Watches which panels are in sight.
pub(super) struct VisibilityWatcher {
    observer: IntersectionObserver,
    _call: Closure<dyn FnMut(Array)>,
}

impl VisibilityWatcher {
    /// Calls `call` with the panels whose visibility has changed, and with all of them at first.
    pub(super) fn new(root: &Root, call: impl Fn(Vec<(Panel, bool)>) + 'static) -> Option<Self> {
        let body = |panel: Panel| {
            let body = root.find::<Element>(&format!("#{}-body", panel.name()));
            Some((panel, body.ok()?))
        };
        let bodies: Vec<(Panel, Element)> = Panel::ALL.into_iter().filter_map(body).collect();
        let watched = bodies.clone();
        let call = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
            let entry = |entry: JsValue| {
                let entry: IntersectionObserverEntry = entry.unchecked_into();
                let target = entry.target();
                let (panel, _) = bodies.iter().find(|(_, body)| *body == target)?;
                Some((*panel, entry.is_intersecting()))
            };
            let seen: Vec<(Panel, bool)> = entries.iter().filter_map(entry).collect();
            call(seen);
        });
        let observer = IntersectionObserver::new(call.as_ref().unchecked_ref()).ok()?;
        for (_, body) in &watched {
            observer.observe(body);
        }
        Some(Self {
            observer,
            _call: call,
        })
    }
}

impl Drop for VisibilityWatcher {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
