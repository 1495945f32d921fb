//! Event listeners that are removed when they are dropped.

use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, UnwrapThrowExt as _};
use web_sys::{Event, EventTarget};

/// A listener; dropping it removes it.
pub(super) struct Listener {
    target: EventTarget,
    event: &'static str,
    call: Closure<dyn FnMut(Event)>,
    is_capturing: bool,
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
        // Fails only for a callback that is no function.
        target
            .add_event_listener_with_callback_and_bool(
                event,
                call.as_ref().unchecked_ref(),
                is_capturing,
            )
            .unwrap_throw();
        Self {
            target: target.clone(),
            event,
            call,
            is_capturing,
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // Fails only for a callback that is no function.
        let _ = self.target.remove_event_listener_with_callback_and_bool(
            self.event,
            self.call.as_ref().unchecked_ref(),
            self.is_capturing,
        );
    }
}
