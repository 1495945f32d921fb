//! The worker: receives messages, runs requests in slices, answers.
//!
//! A message is `{ kind, id, … }`; an answer is `{ id, result }` or `{ id, error }`. `{ ready, lock }` is sent once, `{ status }` whenever
//! something about WebGPU changes. Between slices the worker handles its messages, so that an abort or a small run of the page never waits for
//! the end of a long one. Runs on the GPU are scheduled separately ([`gpu`]).

wasm_chunks::chunk!("more": read_file);

mod cell_array;
mod compare_backends;
mod cpu;
mod gpu;
mod half_result;
mod half_weights;
mod models;
mod platform;
mod queued_run;
mod second_worker;
mod train;
mod unread_calls;

use std::cell::RefCell;
use std::collections::HashMap;

use js_sys::{Array, Object};
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessagePort, Worker};

use super::benchmark;
use super::file_reader;
use super::full_trace;
use super::js_object::{get, number, object, text};
use super::js_tree::request;
use super::learned_layer;
use super::message::{Command, InMessage as _};
use super::page_result;
use super::response::{self, ComputedRun, Response};
use super::state_message;
use super::worker_lock;
use crate::api::{self, CheckedLayer};
use app::Refusal;
use app::state::imported::{cache, serialize};
use app::state::learned;
use app::state::request_builder::{self, RequestCache};
use attention::{Code, Error};
use engine::runs::{Effect, Requested as _, Runs};
use engine::{
    BackendChoice, Cause, GpuStatus, Reason, Requester, Route, RunCost, RunInfo, RunResult, Sample,
    Workload,
};
use gpu::WaitingForGpu;
use queued_run::{InWorker, Purpose, QueuedRun};

/// How long runs may go on before messages are looked at again: less than a frame after a message, since others may follow, and
/// twice as long after each slice without one, since to look takes about a millisecond.
const SLICE_MS: f64 = 10.0;
const LONGEST_SLICE_MS: f64 = 24.0;

/// How long the window waits for a lock, which takes some milliseconds.
const LONGEST_LOCK_MS: f64 = 1_000.0;

thread_local! {
    static SERVICE: RefCell<Option<Service>> = const { RefCell::new(None) };
}

/// Starts the service, in a worker.
pub(super) fn start() {
    if with_service(|_| ()).is_some() {
        // Who hears that it is ready also hears by which lock its end is noticed: in between it could vanish without a word.
        worker_lock::hold(platform::sleep(LONGEST_LOCK_MS), |lock| {
            let ready = object([("ready", true.into()), ("lock", lock.into())]);
            with_service(|service| service.post(&ready, None));
        });
        gpu::begin_soon();
    }
}

/// Takes a message; `worker.js` hands over every one after the first.
#[wasm_bindgen]
pub fn receive(message: &JsValue) {
    with_service(|service| service.receive(message));
}

/// `None` outside a worker, where there is no service. Never borrowed across an `await`.
fn with_service<T>(act: impl FnOnce(&mut Service) -> T) -> Option<T> {
    SERVICE.with_borrow_mut(|service| {
        if service.is_none() {
            *service = Service::new();
        }
        service.as_mut().map(act)
    })
}

/// A layer, and the message that it came with until the second worker has it too.
struct StoredLayer {
    layer: CheckedLayer,
    message: Option<JsValue>,
}

struct Service {
    scope: DedicatedWorkerGlobalScope,
    layers: HashMap<u32, StoredLayer>,
    /// Inputs shared between the requests of pages.
    requests: RequestCache,
    runs: Runs<InWorker>,
    /// The status last sent to the window.
    notified: GpuStatus,
    /// The second worker, until it fails.
    second: Option<Worker>,
    /// A message to ourselves that comes after those already waiting; timers would be held back by 4 ms.
    wake_port: MessagePort,
    is_slice_due: bool,
    slice_ms: f64,
}

impl Service {
    fn new() -> Option<Self> {
        let scope = platform::scope()?;
        let channel = MessageChannel::new().ok()?;
        let on_wake = Closure::<dyn Fn()>::new(|| {
            with_service(|service| {
                service.is_slice_due = false;
                service.slice();
            });
        });
        channel
            .port1()
            .set_onmessage(Some(on_wake.into_js_value().unchecked_ref()));
        Some(Self {
            scope,
            layers: HashMap::new(),
            requests: RequestCache::default(),
            runs: Runs::default(),
            notified: GpuStatus::default(),
            second: None,
            wake_port: channel.port2(),
            is_slice_due: false,
            slice_ms: SLICE_MS,
        })
    }

    fn receive(&mut self, message: &JsValue) {
        self.slice_ms = SLICE_MS;
        let id = number(message, "id") as u32;
        let command = Command::of(message);
        let taken = command.map_or(Ok(()), |command| self.obey(command, id, message));
        if let Err(error) = taken {
            self.refuse(id, &error.into());
        }
        if !self.is_slice_due {
            self.slice();
        }
    }

    fn obey(&mut self, command: Command, id: u32, message: &JsValue) -> Result<(), Error> {
        match command {
            Command::Abort => self.act(|runs| runs.cancel(id)),
            Command::Backends => self.backends(id),
            Command::Compare => self.compare(id, message)?,
            Command::Compute => self.keep_call(id, message, None),
            Command::Data => keep_data(message),
            Command::DisableAutoGpu => self.disable_auto_gpu(text(message, "cause")),
            Command::Free => self.free(id),
            Command::Half => self.half(id, &get(message, "of"))?,
            Command::Layer => self.layer(id, message)?,
            Command::LayerCompute => {
                let layer = self.layer_of(message)?;
                self.keep_call(id, message, Some(layer));
            }
            Command::Leave => drop(self.runs.device.page_turns(id, BackendChoice::Auto)),
            Command::Measure => {
                let (request, choice) = benchmark::request(message)?;
                self.start_run(id, QueuedRun::new(request, choice, Purpose::Measure));
            }
            Command::Model | Command::ModelCall => models::answer(id, message.clone()),
            Command::Page => self.page(id, message)?,
            Command::Read => read_file(id, message.clone()),
            Command::Trace => {
                // Takes turns with the calls of others, never in the way of the map.
                let (request, choice) = full_trace::request(message)?;
                let purpose = Purpose::Call { has_batch: false };
                self.start_run(id, QueuedRun::new(request, choice, purpose));
            }
            Command::Train => train::answer(id, message),
        }
        Ok(())
    }

    /// Frees a layer or a model.
    fn free(&mut self, id: u32) {
        self.layers.remove(&id);
        models::free(id);
        let second = self.runs.second();
        if second.is_some_and(|second| second.free_layer(id)) {
            self.tell_second(Command::Free, id);
        }
    }

    /// The layer that a message names.
    fn layer_of(&self, message: &JsValue) -> Result<CheckedLayer, Error> {
        let id = number(message, "layer") as u32;
        let rule = "this layer was freed; make a new one";
        let freed = || Error::new(Code::Freed, "layer", id, rule);
        let layer = self.layers.get(&id).ok_or_else(freed)?;
        Ok(layer.layer.clone())
    }

    fn layer(&mut self, id: u32, message: &JsValue) -> Result<(), Error> {
        let layer = api::layer(request(&get(message, "request"))?)?;
        let device = &self.runs.device;
        let nothing = Workload::default();
        let route = device.route(layer.backend, Requester::Caller, nothing);
        match route.map_err(|reason| reason.refusal())? {
            Route::Wait => self.act(|runs| runs.ask(id, WaitingForGpu::Layer(layer))),
            Route::Cpu(_) | Route::WebGpu => self.keep(id, layer, Some(message)),
        }
        Ok(())
    }

    fn keep(&mut self, id: u32, layer: CheckedLayer, message: Option<&JsValue>) {
        // Only where a second worker may compute with it, which that one's own copy is for already.
        let is_shared = layer.backend != BackendChoice::WebGpu && layer.layer.has_halves();
        let message = message.filter(|message| {
            let is_copy = get(message, "is_copy").is_truthy();
            !is_copy && is_shared && platform::cores() > 1
        });
        let message = message.cloned();
        self.layers.insert(id, StoredLayer { layer, message });
        self.answer(id, &id.into());
    }

    fn page(&mut self, id: u32, message: &JsValue) -> Result<(), Error> {
        let state = state_message::from_message(message)?;
        let (choice, head) = (state.backend, state.head);
        let request = match request_builder::finished(&state) {
            Some(weights) => Err(RunResult::of_weights(weights)),
            None => Ok(self.requests.request(&state)?),
        };
        let has_layer = get(message, learned_layer::NAME).is_truthy();
        let track = page_result::track(message);
        let device = &mut self.runs.device;
        if device.page_turns(track.page, choice) && device.is_settled() {
            self.try_for_gpu(Cause::Asked);
        }
        self.act(|runs| runs.replace(track));
        let request = match request {
            Ok(request) => request,
            Err(given) => {
                self.answer_imported(id, &given, head);
                return Ok(());
            }
        };
        let purpose = Purpose::Page {
            cost: RunCost::from_request(&request),
            track,
            head,
            learned: learned::cached_for(&state).filter(|_| !has_layer),
        };
        let queued = QueuedRun::new(request, choice, purpose);
        let queued = if state.imported.is_none() {
            queued.with_message(message)
        } else {
            queued
        };
        self.start_run(id, queued);
        Ok(())
    }

    /// Answers with imported weights.
    fn answer_imported(&mut self, id: u32, given: &RunResult, head: usize) {
        let ran = RunInfo::on_cpu(Reason::Given);
        let Response { result, transfer } =
            page_result::answer(given.into(), &ran, (RunCost::NOTHING, head, None), 0.0);
        self.post(
            &object([("id", id.into()), ("result", result.into())]),
            Some(&transfer),
        );
        self.try_for_gpu(Cause::Idle);
    }

    fn start_run(&mut self, id: u32, queued: QueuedRun) {
        self.act(|runs| runs.start(id, queued));
    }

    /// Tells the runs what has happened, and carries out what follows.
    fn act(&mut self, event: impl FnOnce(&mut Runs<InWorker>) -> Vec<Effect<InWorker>>) {
        let effects = event(&mut self.runs);
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<Effect<InWorker>>) {
        for effect in effects {
            match effect {
                Effect::Open(attempt) => self.open(attempt),
                Effect::Drive => spawn_local(gpu::drive()),
                Effect::Lose(attempt, reason) => self.lost(attempt, reason),
                Effect::Settle(id, question) => self.settle(id, question),
                Effect::Replace(id) => self.refuse(id, &Refusal::replaced()),
                Effect::Refuse(id, error) => self.refuse(id, &error.into()),
                Effect::Answer(id, ended) => self.ended_on_cpu(id, ended),
                Effect::Finish(id, queued, job) => self.finish_on_gpu(id, queued, job),
                Effect::Join(id, first, half) => self.join(id, first, half),
                Effect::DropHalf(id) => self.tell_second(Command::Abort, id),
            }
        }
    }

    /// Answers a run. When the page has its first picture there is time to look for a GPU.
    fn finished(&mut self, id: u32, queued: &QueuedRun, computed: ComputedRun<'_>, ran: &RunInfo) {
        let run = Sample {
            load: queued.load(),
            ms: queued.elapsed_ms,
        };
        self.runs.device.learn(ran.backend, run);
        let Response { result, transfer } = match &queued.purpose {
            Purpose::Call { has_batch } => {
                response::answer(computed, *has_batch, queued.elapsed_ms)
            }
            Purpose::Measure => benchmark::answer(queued.elapsed_ms),
            Purpose::Half { .. } => half_result::answer(computed.result),
            Purpose::Page {
                cost,
                head,
                learned,
                ..
            } => {
                let own = (*cost, *head, learned.as_deref());
                page_result::answer(computed, ran, own, queued.elapsed_ms)
            }
        };
        self.post(
            &object([("id", id.into()), ("result", result.into())]),
            Some(&transfer),
        );
        if matches!(queued.purpose, Purpose::Page { .. }) {
            self.try_for_gpu(Cause::Idle);
        }
    }

    fn answer(&self, id: u32, result: &JsValue) {
        self.post(
            &object([("id", id.into()), ("result", result.clone())]),
            None,
        );
    }

    fn refuse(&self, id: u32, refusal: &Refusal) {
        self.post(
            &object([("id", id.into()), ("error", refusal.to_js(&Array::new()))]),
            None,
        );
    }

    /// Our own messages can always be cloned.
    fn post(&self, message: &Object, transfer: Option<&Array>) {
        let _ = match transfer {
            None => self.scope.post_message(message),
            Some(transfer) => self.scope.post_message_with_transfer(message, transfer),
        };
    }
}

/// Keeps numbers that later states name.
fn keep_data(message: &JsValue) {
    let bytes = get(message, "bytes").dyn_into::<js_sys::Uint8Array>();
    let bytes = bytes.map(|bytes| bytes.to_vec()).unwrap_or_default();
    // Only this page's own numbers come, which it has checked.
    if let Ok(imported) = serialize::unpack(&bytes, "") {
        cache::insert(&imported);
    }
}

/// Reads a file and answers; the service is free meanwhile.
fn read_file(id: u32, message: JsValue) {
    spawn_local(async move {
        let Response { result, transfer } = file_reader::answer(message).await;
        let message = object([("id", id.into()), ("result", result.into())]);
        with_service(|service| service.post(&message, Some(&transfer)));
    });
}
