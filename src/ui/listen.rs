//! Event listeners that end with their owner.

use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, UnwrapThrowExt as _};
use web_sys::{Event, EventTarget};

/// A listener; dropping it removes it.
pub struct Listener {
    target: EventTarget,
    event: &'static str,
    call: Closure<dyn FnMut(Event)>,
}

impl Listener {
    /// Calls `call` for each `event` that reaches `target`.
    pub fn new(
        target: &EventTarget,
        event: &'static str,
        call: impl FnMut(Event) + 'static,
    ) -> Self {
        let call = Closure::<dyn FnMut(Event)>::new(call);
        // Fails only for a callback that is no function.
        target
            .add_event_listener_with_callback(event, call.as_ref().unchecked_ref())
            .unwrap_throw();
        Self {
            target: target.clone(),
            event,
            call,
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // Fails only for a callback that is no function.
        let _ = self
            .target
            .remove_event_listener_with_callback(self.event, self.call.as_ref().unchecked_ref());
    }
}
