//! The client in the window: owns the worker, posts calls, resolves each with its answer; the shortest it computes itself.

mod calls;
mod data;
mod local_calls;
mod page_requests;
mod watch;

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::{Rc, Weak};

use js_sys::{Object, Promise};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, MessageEvent, Worker};

use super::error::{Refusal, is_unloaded};
use super::js_object::{get, number, object};
use super::listeners::Listeners;
use super::panics;
use super::pending_calls::{Deferred, Page, Pending, Purpose, question};
use super::{spawn, status};
use crate::api::CheckedLayer;
use app::state::State;
use data::Data;
use engine::GpuStatus;
use engine::{Lane, LocalLimit};
use watch::Alarm;

/// Workers that may die before the GPU is suspected.
const MOST_DEATHS: u32 = 2;

/// A handle on the worker; clones share it.
#[derive(Clone)]
pub struct Client {
    inner: Rc<Inner>,
    /// The page that asks.
    page: u32,
}

/// The worker, or why there is none.
enum WorkerState {
    Starting(Worker),
    Running(Worker),
    Broken(String),
}

struct Inner {
    state: RefCell<WorkerState>,
    /// Timeout of starting the worker.
    alarm: RefCell<Option<Alarm>>,
    pending: RefCell<HashMap<u32, Pending>>,
    next_id: Cell<u32>,
    pages: Cell<u32>,
    /// Layers whose weights the current worker has.
    layers: RefCell<HashSet<u32>>,
    /// Numbers that are with the present worker.
    data: Data,
    ready: Deferred,
    local_limit: RefCell<LocalLimit>,
    /// Whether a run of a page was posted.
    has_posted: Cell<bool>,
    /// Small layers, of which short calls are computed in the window.
    local_layers: RefCell<HashMap<u32, CheckedLayer>>,
    /// Workers that have died.
    deaths: Cell<u32>,
    listeners: Listeners,
    on_message: Closure<dyn Fn(MessageEvent)>,
    on_error: Closure<dyn Fn(Event)>,
    own: Weak<Self>,
}

impl Client {
    /// Starts the worker.
    pub(super) fn start() -> Self {
        let inner = Rc::new_cyclic(|inner: &Weak<Inner>| {
            let (hears, errs) = (inner.clone(), inner.clone());
            Inner {
                state: RefCell::new(WorkerState::Broken("it was not started".to_owned())),
                alarm: RefCell::default(),
                pending: RefCell::default(),
                next_id: Cell::new(1),
                pages: Cell::new(0),
                layers: RefCell::default(),
                data: Data::default(),
                ready: Deferred::new(),
                local_limit: RefCell::default(),
                has_posted: Cell::new(false),
                local_layers: RefCell::default(),
                deaths: Cell::new(0),
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
        let deferred = Deferred::new();
        let id = self.inner.new_id();
        let message = question("backends", id, None);
        self.inner.ask(
            (None, id),
            (&message, None),
            Purpose::Result,
            deferred.clone(),
        );
        deferred.promise
    }

    /// Frees a layer. Its running calls continue.
    pub(super) fn free(&self, layer: u32) {
        self.inner.local_layers.borrow_mut().remove(&layer);
        if self.inner.layers.borrow_mut().remove(&layer) {
            self.inner.notify("free", layer);
        }
    }
}

impl Inner {
    fn new_id(&self) -> u32 {
        self.next_id.replace(self.next_id.get().wrapping_add(1))
    }

    fn spawn(&self) {
        match spawn::worker(
            self.on_message.as_ref().unchecked_ref(),
            self.on_error.as_ref().unchecked_ref(),
        ) {
            Ok(worker) => {
                self.state.replace(WorkerState::Starting(worker));
                self.await_answer();
            }
            Err(cause) => self.broke(cause),
        }
    }

    /// The worker, or the refusal where there is none.
    fn worker(&self) -> Result<Worker, Refusal> {
        match &*self.state.borrow() {
            WorkerState::Starting(worker) | WorkerState::Running(worker) => Ok(worker.clone()),
            WorkerState::Broken(cause) => Err(Refusal::stopped(cause)),
        }
    }

    fn post_page(&self, id: u32, page: Page, deferred: Deferred) {
        let (whose, message) = (Some(page.track.page), page.message(id));
        let state = page.state.clone();
        let question = (&message, Some(&*state));
        self.ask((whose, id), question, Purpose::Page(page), deferred);
    }

    /// Posts a question of a page, or of a caller, that holds nothing of a caller's, with the numbers that its state names.
    fn ask(
        &self,
        (page, id): (Option<u32>, u32),
        (message, state): (&Object, Option<&State>),
        purpose: Purpose,
        deferred: Deferred,
    ) {
        if let (Ok(worker), Some(state)) = (self.worker(), state) {
            self.data.send(&worker, state, message);
        }
        let refused = match self.worker() {
            Ok(worker) => worker
                .post_message(message)
                .err()
                .map(|_| Refusal::not_copied()),
            Err(refusal) => Some(refusal),
        };
        match refused {
            Some(refusal) => deferred.reject(&refusal),
            None => self.wait(
                id,
                Pending {
                    deferred,
                    purpose,
                    page,
                    _watch: None,
                },
            ),
        }
    }

    fn wait(&self, id: u32, pending: Pending) {
        self.pending.borrow_mut().insert(id, pending);
    }

    fn settled(&self, id: u32) -> Option<Pending> {
        self.pending.borrow_mut().remove(&id)
    }

    /// Sends a message about call or layer `id` that has no answer.
    fn notify(&self, kind: &str, id: u32) {
        if let Ok(worker) = self.worker() {
            let _ = worker.post_message(&object([("kind", kind.into()), ("id", id.into())]));
        }
    }

    fn abort(&self, id: u32) {
        let Some(pending) = self.settled(id) else {
            return;
        };
        self.local_layers.borrow_mut().remove(&id);
        self.notify("abort", id);
        if matches!(pending.purpose, Purpose::Layer) {
            self.notify("free", id);
        }
        pending.deferred.reject(&Refusal::aborted());
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
        if let Some(status) = status::from_message(&get(message, "status")) {
            return self.listeners.notify(status);
        }
        let id = number(message, "id") as u32;
        let Some(pending) = self.settled(id) else {
            return;
        };
        let error = get(message, "error");
        if error.is_object() {
            self.local_layers.borrow_mut().remove(&id);
            return pending.deferred.reject(&Refusal::from_message(error));
        }
        if matches!(pending.purpose, Purpose::Layer) {
            self.layers.borrow_mut().insert(id);
        }
        pending.deferred.resolve(&get(message, "result"));
    }

    fn started(&self, lock: Option<String>) {
        if let Ok(worker) = self.worker() {
            self.state.replace(WorkerState::Running(worker));
            self.alarm.take();
            lock.iter().for_each(|lock| self.await_end(lock));
            self.ready.resolve(&JsValue::UNDEFINED);
        }
    }

    /// A worker that has run before is replaced; one that never came up will not come up the next time either.
    fn stopped(&self, cause: &str) {
        // An allocation that fails says no more than this; panics say more, and before.
        let of_memory = cause
            .contains("unreachable")
            .then(|| format!("{cause}, as where there is no more memory"));
        let cause = of_memory.as_deref().unwrap_or(cause);
        let has_run = matches!(&*self.state.borrow(), WorkerState::Running(_));
        self.alarm.take();
        if let Ok(worker) = self.worker() {
            worker.set_onmessage(None);
            worker.set_onerror(None);
            worker.terminate();
        }
        self.layers.borrow_mut().clear();
        self.local_layers.borrow_mut().clear();
        self.data.forget();
        if has_run {
            self.replace(cause)
        } else {
            self.broke(cause.to_owned())
        }
        let pending = self.pending.take();
        let has_main = pending.values().any(Pending::is_main);
        for (id, pending) in pending {
            self.lost(id, pending, cause, has_main);
        }
        // Only now: whoever hears of it may ask for something new.
        if has_run {
            self.listeners.notify(GpuStatus::default());
        }
    }

    /// The GPU may be the cause of the crashes: after a worker's second death it is used only on
    /// explicit request.
    fn replace(&self, cause: &str) {
        self.spawn();
        if is_unloaded(cause) {
            return;
        }
        self.deaths.set(self.deaths.get().saturating_add(1));
        if self.deaths.get() >= MOST_DEATHS {
            let message = object([("kind", "disable_auto_gpu".into()), ("cause", cause.into())]);
            // A worker that cannot be told has not come up, which is heard of elsewhere.
            let _ = self.worker().map(|worker| worker.post_message(&message));
        }
    }

    /// Settles a call whose worker has died.
    fn lost(&self, id: u32, pending: Pending, cause: &str, has_main: bool) {
        match pending.purpose {
            Purpose::Page(page) => match page.again(has_main) {
                Ok(page) => self.post_page(id, page, pending.deferred),
                Err(lane) => {
                    // Of code that could not be loaded the page says so itself, and goes on.
                    if lane == Lane::Main && !is_unloaded(cause) {
                        panics::show(cause);
                    }
                    pending.deferred.reject(&Refusal::stopped(cause));
                }
            },
            _ => pending.deferred.reject(&Refusal::stopped(cause)),
        }
    }

    fn broke(&self, cause: String) {
        panics::show(&cause);
        self.ready.reject(&Refusal::stopped(&cause));
        self.state.replace(WorkerState::Broken(cause));
    }
}
