//! The client in the window: owns the worker, posts calls, resolves each with its answer; the shortest it computes itself.

mod calls;
mod data;
mod local_calls;
mod opened_model;
mod page_requests;
mod watch;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use js_sys::{Object, Promise};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, MessageEvent, Worker};

use super::error::{from_message, is_unloaded};
use super::js_object::{get, number, set};
use super::listeners::Listeners;
use super::message::{Command, InMessage as _};
use super::panics;
use super::pending_calls::{Deferred, Waiter, page_message};
use super::spawn;
use crate::api::CheckedLayer;
use app::Refusal;
use app::state::State;
use data::Data;
use engine::calls::{Call, Calls, Effect, PageCall, Purpose, Rejection};
use engine::{GpuStatus, LocalLimit};
pub use opened_model::OpenedModel;
use watch::Alarm;

/// A handle on the worker; clones share it.
#[derive(Clone)]
pub struct Client {
    inner: Rc<ClientState>,
    /// The page that asks.
    page: u32,
}

/// What the worker of a page's run gets.
type PageState = Box<State>;

struct ClientState {
    calls: RefCell<Calls<Waiter, PageState>>,
    worker: RefCell<Option<Worker>>,
    /// Timeout of starting the worker.
    alarm: RefCell<Option<Alarm>>,
    /// Numbers that are with the present worker.
    data: Data,
    ready: Deferred,
    local_limit: RefCell<LocalLimit>,
    /// Small layers, of which short calls are computed in the window.
    local_layers: RefCell<HashMap<u32, CheckedLayer>>,
    listeners: Listeners,
    on_message: Closure<dyn Fn(MessageEvent)>,
    on_error: Closure<dyn Fn(Event)>,
    own: Weak<Self>,
}

impl Client {
    /// Starts the worker.
    pub(super) fn start() -> Self {
        let inner = Rc::new_cyclic(|inner: &Weak<ClientState>| {
            let (hears, errs) = (inner.clone(), inner.clone());
            ClientState {
                calls: RefCell::default(),
                worker: RefCell::default(),
                alarm: RefCell::default(),
                data: Data::default(),
                ready: Deferred::new(),
                local_limit: RefCell::default(),
                local_layers: RefCell::default(),
                listeners: Listeners::default(),
                on_message: Closure::new(move |event: MessageEvent| {
                    hears
                        .upgrade()
                        .iter()
                        .for_each(|inner| inner.heard(&event.data()));
                }),
                on_error: Closure::new(move |event: Event| {
                    event.prevent_default();
                    errs.upgrade()
                        .iter()
                        .for_each(|inner| inner.stopped(&spawn::cause(&event)));
                }),
                own: inner.clone(),
            }
        });
        inner.spawn();
        Self { inner, page: 0 }
    }

    /// Resolves when the first worker can compute.
    pub(super) fn ready(&self) -> Promise {
        self.inner.ready.promise.clone()
    }

    /// Requests the list of backends.
    pub(super) fn backends(&self) -> Promise {
        let (deferred, id) = (Deferred::new(), self.inner.new_id());
        let message = Command::Backends.message(id);
        let call = Call {
            waiter: deferred.clone().into(),
            purpose: Purpose::Result,
            page: None,
        };
        self.inner.ask(id, (&message, None), call);
        deferred.promise
    }

    /// Frees a layer. Its running calls continue.
    pub(super) fn free(&self, layer: u32) {
        self.inner.local_layers.borrow_mut().remove(&layer);
        let effects = self.inner.calls.borrow_mut().free(layer);
        self.inner.carry_out(effects, "");
    }
}

impl ClientState {
    fn new_id(&self) -> u32 {
        self.calls.borrow_mut().new_id()
    }

    fn spawn(&self) {
        match spawn::worker(
            self.on_message.as_ref().unchecked_ref(),
            self.on_error.as_ref().unchecked_ref(),
        ) {
            Ok(worker) => {
                self.worker.replace(Some(worker));
                self.await_answer();
            }
            Err(cause) => {
                let effects = self.calls.borrow_mut().not_started(&cause);
                self.carry_out(effects, &cause);
            }
        }
    }

    /// The worker, or the refusal where there is none.
    fn worker(&self) -> Result<Worker, Refusal> {
        if let Some(cause) = self.calls.borrow().broken() {
            return Err(Refusal::stopped(cause));
        }
        let worker = self.worker.borrow().clone();
        worker.ok_or_else(|| Refusal::stopped("it was not started"))
    }

    fn post_page(&self, id: u32, page: PageCall<PageState>, waiter: Waiter) {
        let (message, state) = (page_message(id, &page), page.state.clone());
        let call = Call {
            waiter,
            page: Some(page.track.page),
            purpose: Purpose::Page(page),
        };
        self.ask(id, (&message, Some(&*state)), call);
    }

    /// Posts a question of a page, or of a caller, that holds nothing of a caller's, with the numbers that its state names.
    fn ask(
        &self,
        id: u32,
        (message, state): (&Object, Option<&State>),
        call: Call<Waiter, PageState>,
    ) {
        let posted = self.worker().and_then(|worker| {
            state
                .iter()
                .for_each(|state| self.data.send(&worker, state, message));
            let posted = worker.post_message(message);
            posted.map_err(|_| Refusal::not_copied())
        });
        match posted {
            Ok(()) => self.calls.borrow_mut().posted(id, call),
            Err(refusal) => call.waiter.deferred.reject(&refusal),
        }
    }

    /// Sends a message about call or layer `id` that has no answer.
    fn notify(&self, command: Command, id: u32) {
        if let Ok(worker) = self.worker() {
            let _ = worker.post_message(&command.message(id));
        }
    }

    fn abort(&self, id: u32) {
        let effects = self.calls.borrow_mut().abort(id);
        self.carry_out(effects, "");
    }

    /// `cause` is that of a worker's end.
    fn carry_out(&self, effects: Vec<Effect<Waiter, PageState>>, cause: &str) {
        for effect in effects {
            match effect {
                Effect::Spawn => self.spawn(),
                Effect::DisableAutoGpu => {
                    let message = Command::DisableAutoGpu.message(0);
                    set(&message, "cause", &cause.into());
                    // A worker that cannot be told has not come up, which is heard of elsewhere.
                    let _ = self.worker().map(|worker| worker.post_message(&message));
                }
                Effect::Abort(id) => {
                    self.local_layers.borrow_mut().remove(&id);
                    self.notify(Command::Abort, id);
                }
                Effect::Free(layer) => self.notify(Command::Free, layer),
                Effect::Resend(id, waiter, page) => self.post_page(id, page, waiter),
                Effect::Reject(waiter, rejection) => waiter.deferred.reject(&match rejection {
                    Rejection::Aborted => Refusal::aborted(),
                    Rejection::Stopped => Refusal::stopped(cause),
                }),
                Effect::Fail => panics::show(cause),
                Effect::NeverReady => self.ready.reject(&Refusal::stopped(cause)),
                Effect::ForgetGpu => self.listeners.notify(GpuStatus::default()),
            }
        }
    }

    fn heard(&self, message: &JsValue) {
        self.local_limit.borrow_mut().reset_spent();
        if let Some(cause) = ["failed", "died"]
            .iter()
            .find_map(|name| get(message, name).as_string())
        {
            return self.stopped(&cause);
        }
        if get(message, "ready").is_truthy() {
            return self.started(get(message, "lock").as_string());
        }
        if let Some(status) = GpuStatus::from_js(&get(message, "status")) {
            return self.listeners.notify(status);
        }
        let (id, error) = (number(message, "id") as u32, get(message, "error"));
        let waiter = self.calls.borrow_mut().answered(id, error.is_object());
        let Some(waiter) = waiter else {
            return;
        };
        if error.is_object() {
            self.local_layers.borrow_mut().remove(&id);
            waiter.deferred.reject(&from_message(error));
        } else {
            waiter.deferred.resolve(&get(message, "result"));
        }
    }

    fn started(&self, lock: Option<String>) {
        if self.calls.borrow_mut().started() {
            self.alarm.take();
            lock.iter().for_each(|lock| self.await_end(lock));
            self.ready.resolve(&JsValue::UNDEFINED);
        }
    }

    fn stopped(&self, cause: &str) {
        // An allocation that fails says no more than this; panics say more, and before.
        let of_memory = cause
            .contains("unreachable")
            .then(|| format!("{cause}, as where there is no more memory"));
        let cause = of_memory.as_deref().unwrap_or(cause);
        self.alarm.take();
        if let Some(worker) = self.worker.take() {
            worker.set_onmessage(None);
            worker.set_onerror(None);
            worker.terminate();
        }
        self.local_layers.borrow_mut().clear();
        self.data.forget();
        let effects = self.calls.borrow_mut().stopped(cause, is_unloaded(cause));
        self.carry_out(effects, cause);
    }
}
