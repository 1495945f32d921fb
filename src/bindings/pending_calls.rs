//! Calls that wait for an answer.

use js_sys::{Function, Object, Promise};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::error::to_error;
use super::js_object::set;
use super::message::Command;
use super::state_message;
use app::Refusal;
use app::state::State;
use engine::Lane;
use engine::calls::PageCall;

/// A promise and its ends.
#[derive(Clone)]
pub(super) struct Deferred {
    pub(super) promise: Promise,
    resolve: Function,
    reject: Function,
}

impl Deferred {
    pub(super) fn new() -> Self {
        let mut deferred = None;
        let promise = Promise::new(&mut |resolve, reject| deferred = Some((resolve, reject)));
        // The executor runs at once; a promise that never settles is what is left where it did not.
        let (resolve, reject) = deferred.unwrap_or_default();
        Self {
            promise,
            resolve,
            reject,
        }
    }

    pub(super) fn resolve(&self, value: &JsValue) {
        let _ = self.resolve.call1(&JsValue::UNDEFINED, value);
    }

    pub(super) fn reject(&self, refusal: &Refusal) {
        let _ = self.reject.call1(&JsValue::UNDEFINED, &to_error(refusal));
    }
}

/// Who waits for a call.
pub(super) struct Waiter {
    pub(super) deferred: Deferred,
    /// Dropped with the call, so that no listener outlives it.
    pub(super) _watch: Option<AbortWatch>,
}

impl From<Deferred> for Waiter {
    fn from(deferred: Deferred) -> Self {
        Self {
            deferred,
            _watch: None,
        }
    }
}

/// Message that requests a page's run.
pub(super) fn page_message(id: u32, page: &PageCall<Box<State>>) -> Object {
    let message = question(Command::Page, id, &page.state);
    set(&message, "page", &page.track.page.into());
    let is_side = page.track.lane == Lane::Side;
    set(&message, "is_side", &is_side.into());
    message
}

/// A message that holds nothing of a caller's.
pub(super) fn question(command: Command, id: u32, state: &State) -> Object {
    let message = command.message(id);
    set(&message, "state", &state_message::to_message(state).into());
    message
}

/// Listens to a signal until it is dropped.
pub(super) struct AbortWatch {
    signal: AbortSignal,
    listener: Closure<dyn Fn()>,
}

impl AbortWatch {
    pub(super) fn new(signal: AbortSignal, on_abort: impl Fn() + 'static) -> Self {
        let listener = Closure::<dyn Fn()>::new(on_abort);
        let _ = signal.add_event_listener_with_callback("abort", listener.as_ref().unchecked_ref());
        Self { signal, listener }
    }
}

impl Drop for AbortWatch {
    fn drop(&mut self) {
        let _ = self
            .signal
            .remove_event_listener_with_callback("abort", self.listener.as_ref().unchecked_ref());
    }
}
