//! Event listeners that are removed when they are dropped.

use js_sys::Function;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Event, EventTarget};

#[wasm_bindgen]
extern "C" {
    /// Defined in `js/chunks.js`, which withholds events from code that could not be loaded.
    /// Returns a function that removes the listener.
    #[wasm_bindgen(js_name = listen)]
    fn listen(target: &EventTarget, event: &str, is_capturing: bool, call: &Function) -> Function;
}

/// A listener; dropping it removes it.
pub(super) struct Listener {
    stop: Function,
    _call: Closure<dyn FnMut(Event)>,
}

impl Listener {
    /// Calls `call` for each `event` that reaches `target`.
    pub(super) fn new(
        target: &EventTarget,
        event: &'static str,
        call: impl FnMut(Event) + 'static,
    ) -> Self {
        Self::with(target, event, false, call)
    }

    /// Calls `call` for each `event` on its way to anything inside `target`, also for events that do not bubble.
    pub(super) fn capturing(
        target: &EventTarget,
        event: &'static str,
        call: impl FnMut(Event) + 'static,
    ) -> Self {
        Self::with(target, event, true, call)
    }

    fn with(
        target: &EventTarget,
        event: &'static str,
        is_capturing: bool,
        call: impl FnMut(Event) + 'static,
    ) -> Self {
        let call = Closure::<dyn FnMut(Event)>::new(call);
        Self {
            stop: listen(target, event, is_capturing, call.as_ref().unchecked_ref()),
            _call: call,
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // Nothing in it can fail.
        let _ = self.stop.call0(&JsValue::UNDEFINED);
    }
}
