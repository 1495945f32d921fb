//! Calls that wait for an answer.

use js_sys::{Function, Object, Promise};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::error::Refusal;
use super::js_object::{object, set};
use super::state_message;
use app::state::State;
use engine::{Lane, PageLane};

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
        let _ = self.reject.call1(&JsValue::UNDEFINED, &refusal.to_error());
    }
}

/// A call that was posted.
pub(super) struct Pending {
    pub(super) deferred: Deferred,
    pub(super) purpose: Purpose,
    /// The page that made the call; `None` for a caller of the API.
    pub(super) page: Option<u32>,
    /// Dropped with the call, so that no listener outlives it.
    pub(super) _watch: Option<AbortWatch>,
}

impl Pending {
    /// Whether it is what the map waits for.
    pub(super) fn is_main(&self) -> bool {
        matches!(&self.purpose, Purpose::Page(page) if page.track.lane == Lane::Main)
    }
}

/// Purpose of a call.
pub(super) enum Purpose {
    /// An object that goes to the caller as it comes.
    Result,
    /// A layer, known by the number of the call.
    Layer,
    /// A run of the page. If the worker dies the run is requested once more: it may not have been
    /// the cause.
    Page(Page),
}

/// A run requested by the page.
pub(super) struct Page {
    /// The state.
    pub(super) state: Box<State>,
    /// Its page and lane.
    pub(super) track: PageLane,
    /// Whether a worker has already died with it.
    pub(super) is_second_try: bool,
}

impl Page {
    /// Message that requests it.
    pub(super) fn message(&self, id: u32) -> Object {
        let message = question("page", id, Some(&self.state));
        set(&message, "page", &self.track.page.into());
        let is_side = self.track.lane == Lane::Side;
        set(&message, "is_side", &is_side.into());
        message
    }

    /// The run once more, after the death of its worker; its lane where it is given up. A run at the side is given up
    /// beside one in the main lane, which it may have killed.
    pub(super) fn again(self, has_main: bool) -> Result<Self, Lane> {
        let is_given_up = self.is_second_try || (has_main && self.track.lane == Lane::Side);
        if is_given_up {
            Err(self.track.lane)
        } else {
            Ok(Self {
                is_second_try: true,
                ..self
            })
        }
    }
}

/// A message that holds nothing of a caller's.
pub(super) fn question(kind: &str, id: u32, state: Option<&State>) -> Object {
    object([
        ("kind", kind.into()),
        ("id", id.into()),
        ("state", state.map(state_message::to_message).into()),
    ])
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
