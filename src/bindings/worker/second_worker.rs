//! A second worker, started by the first: it computes half of the heads of long runs, in its own
//! memory.
//!
//! It gets the message that the run came with and answers with its half, which the first worker joins to its own. It is started after
//! the first long run. Whatever goes wrong with either half, the first worker computes the whole run.

use std::collections::{HashMap, HashSet};

use js_sys::{Array, ArrayBuffer, Object};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, MessageEvent, Worker};

use super::half_result;
use super::queued_run::{CpuRun, Ended, Purpose, QueuedRun};
use super::unread_calls::checked;
use super::weights_stream::copy_head;
use super::{Service, StoredLayer, platform, with_service};
use crate::bindings::js_object::{get, number, object, set, text};
use crate::bindings::response::ComputedRun;
use crate::bindings::{spawn, state_message, worker_lock};
use attention::cpu::Share;
use attention::{Error, Request};
use engine::{BackendChoice, Entry, PageLane, Reason, RunInfo, WorkerChoice, Workers};

/// Depth of typed arrays in a message: `of.request.weights.w_q.data`.
const DEEPEST: usize = 5;

/// The second worker, and the measured time that it saves.
pub(super) struct SecondWorker {
    state: State,
    choice: WorkerChoice,
    /// Layers that it has.
    layers: HashSet<u32>,
    shared: Option<SharedRun>,
}

enum State {
    Starting(Worker),
    Ready(Worker),
    /// It has failed, while it started or later; there is no second attempt.
    Broken,
}

/// A run of which both workers compute one half of the heads.
struct SharedRun {
    id: u32,
    /// The first worker's half, once it has ended.
    first: Option<Ended>,
    second: SecondHalf,
    /// Heads whose weights have arrived from the second worker.
    heads: usize,
}

enum SecondHalf {
    Running,
    /// The message with its results.
    Answered(JsValue),
    Failed,
}

impl SecondWorker {
    /// Whether a run is shared with it at present.
    pub(super) fn is_busy(&self) -> bool {
        self.shared.is_some()
    }

    /// Whether a run that is about to start is to be shared.
    fn is_chosen_for(&mut self, run: &QueuedRun) -> bool {
        let is_free = matches!(self.state, State::Ready(_)) && !self.is_busy();
        let flops = run.load().flops;
        is_free && run.message.is_some() && self.choice.choose(flops) == Workers::Two
    }

    /// Drops the half of a cancelled run.
    pub(super) fn cancel(&mut self, id: u32) {
        if self.shared.take_if(|shared| shared.id == id).is_some() {
            self.notify("abort", id);
        }
    }

    /// Drops a page's run of which the first half has ended; its number.
    pub(super) fn drop_from(&mut self, track: PageLane) -> Option<u32> {
        let shared = self.shared.as_ref()?;
        let is_there = shared.first.as_ref()?.queued.track() == Some(track);
        let id = is_there.then_some(shared.id)?;
        self.cancel(id);
        Some(id)
    }

    /// Frees a layer there too.
    pub(super) fn free(&mut self, layer: u32) {
        if self.layers.remove(&layer) {
            self.notify("free", layer);
        }
    }

    /// Starts it; `None` where the browser has no workers of workers, or this one's script cannot be used again.
    pub(super) fn start() -> Option<Self> {
        Some(Self {
            state: State::Starting(start()?),
            choice: WorkerChoice::default(),
            layers: HashSet::new(),
            shared: None,
        })
    }

    /// A run has taken `ms`.
    pub(super) fn learn(&mut self, flops: u64, workers: Workers, ms: f64) {
        self.choice.learn(flops, workers, ms);
    }

    /// Posts a message of ours, whose numbers move with it: they were read. Whether it has gone.
    fn post(&self, message: &JsValue) -> bool {
        let numbers = Array::new();
        find_buffers(message, &numbers, DEEPEST);
        match &self.state {
            State::Starting(worker) | State::Ready(worker) => {
                let posted = worker.post_message_with_transfer(message, &numbers);
                posted.is_ok()
            }
            State::Broken => false,
        }
    }

    fn notify(&self, kind: &str, id: u32) {
        self.post(&object([("kind", kind.into()), ("id", id.into())]));
    }

    /// It has come up.
    fn came_up(&mut self) {
        if let State::Starting(worker) = &self.state {
            self.state = State::Ready(worker.clone());
        }
    }

    /// The second worker has failed: the first one computes its half.
    fn stopped(&mut self) {
        if let State::Starting(worker) | State::Ready(worker) = &self.state {
            worker.set_onmessage(None);
            worker.set_onerror(None);
            worker.terminate();
        }
        self.state = State::Broken;
        if let Some(shared) = &mut self.shared {
            shared.second = SecondHalf::Failed;
        }
    }

    /// The shared run, where both halves have ended.
    fn take_ended(&mut self) -> Option<(SharedRun, Ended)> {
        let is_running = |shared: &SharedRun| matches!(shared.second, SecondHalf::Running);
        let mut shared = self
            .shared
            .take_if(|shared| shared.first.is_some() && !is_running(shared))?;
        let first = shared.first.take()?;
        Some((shared, first))
    }
}

/// Lists the buffers of the typed arrays in a message.
fn find_buffers(value: &JsValue, found: &Array, depth: usize) {
    if let Ok(buffer) = get(value, "buffer").dyn_into::<ArrayBuffer>() {
        if !found.includes(&buffer, 0) {
            found.push(&buffer);
        }
    } else if depth > 0 && value.is_object() && !Array::is_array(value) {
        let inner = Object::values(value.unchecked_ref());
        inner
            .iter()
            .for_each(|value| find_buffers(&value, found, depth - 1));
    }
}

fn start() -> Option<Worker> {
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(|event: MessageEvent| {
        with_service(|service| service.second_answered(&event.data()));
    });
    let on_error = Closure::<dyn Fn(Event)>::new(|event: Event| {
        event.prevent_default();
        with_service(Service::second_stopped);
    });
    let [on_message, on_error] = [on_message.into_js_value(), on_error.into_js_value()];
    let worker = spawn::second_worker(on_message.unchecked_ref(), on_error.unchecked_ref())?;
    // It computes on the processor alone.
    let message = object([
        ("kind", "disable_auto_gpu".into()),
        ("cause", "a second worker".into()),
    ]);
    worker.post_message(&message).ok()?;
    Some(worker)
}

/// Sees to it that the second worker has the layer that a message names; `false` where it cannot get it.
fn share_layer(
    second: &mut SecondWorker,
    layers: &mut HashMap<u32, StoredLayer>,
    message: &JsValue,
) -> bool {
    let Some(id) = get(message, "layer").as_f64().map(|id| id as u32) else {
        return true;
    };
    if second.layers.contains(&id) {
        return true;
    }
    let layer = layers.get_mut(&id);
    let message = layer.and_then(|layer| layer.message.take());
    let is_posted = message.is_some_and(|message| {
        set(message.unchecked_ref(), "is_copy", &true.into());
        second.post(&message)
    });
    is_posted && second.layers.insert(id)
}

/// How many heads the second worker computes, in all entries of the batch.
fn heads_of_half(request: &Request) -> usize {
    let sizes = Share::SecondHalf.sizes(request);
    sizes.batch * sizes.heads
}

impl Service {
    /// Shares a run that is about to start with the second worker, where nothing else waits and that was measured to be faster.
    pub(super) fn share(&mut self, entry: &mut Entry<CpuRun>) {
        let is_next = !entry.run.has_started() && self.turns.is_empty();
        let Some(second) = self.second.as_mut().filter(|_| is_next) else {
            return;
        };
        if !second.is_chosen_for(&entry.run.queued) {
            return;
        }
        let Some(message) = entry.run.queued.message.take() else {
            return;
        };
        let half = object([
            ("kind", "half".into()),
            ("id", entry.id.into()),
            ("of", message.clone()),
        ]);
        let has_layer = share_layer(second, &mut self.layers, &message);
        if has_layer && second.post(&half) {
            entry.run.share = Share::FirstHalf;
            second.shared = Some(SharedRun {
                id: entry.id,
                first: None,
                second: SecondHalf::Running,
                heads: 0,
            });
        }
    }

    /// The half of a shared run that the first worker computes has ended.
    pub(super) fn first_half_ended(&mut self, id: u32, ended: Ended) {
        let shared = self
            .second
            .as_mut()
            .and_then(|second| second.shared.as_mut());
        if let Some(shared) = shared.filter(|shared| shared.id == id) {
            shared.first = Some(ended);
        }
        self.join();
    }

    fn second_answered(&mut self, message: &JsValue) {
        let Some(second) = &mut self.second else {
            return;
        };
        let has_ended = |name: &&str| get(message, name).is_string();
        if ["failed", "died"].iter().any(has_ended) {
            return self.second_stopped();
        }
        if get(message, "ready").is_truthy() {
            let lock = get(message, "lock").as_string();
            lock.iter().for_each(|lock| {
                worker_lock::wait_for_end(lock, || {
                    with_service(Service::second_stopped);
                });
            });
            return second.came_up();
        }
        let id = number(message, "id") as u32;
        if !get(message, "weights").is_undefined() {
            return self.take_head(id, message);
        }
        let Some(shared) = second.shared.as_mut().filter(|shared| shared.id == id) else {
            return;
        };
        let answer = get(message, "result");
        shared.second = if answer.is_object() {
            SecondHalf::Answered(answer)
        } else {
            SecondHalf::Failed
        };
        self.join();
    }

    /// Stores the weights of a head from the second worker.
    fn take_head(&mut self, id: u32, message: &JsValue) {
        let shared = self
            .second
            .as_mut()
            .and_then(|second| second.shared.as_mut());
        let Some(shared) = shared.filter(|shared| shared.id == id) else {
            return;
        };
        let running = self.turns.iter().find(|entry| entry.id == id);
        let weights = match &shared.first {
            Some(ended) => ended.weights.as_ref(),
            None => running.and_then(|entry| entry.run.weights()),
        };
        let has_come = weights.is_some_and(|weights| copy_head(weights, message));
        shared.heads += usize::from(has_come);
    }

    fn second_stopped(&mut self) {
        self.second.iter_mut().for_each(SecondWorker::stopped);
        self.layers
            .values_mut()
            .for_each(|layer| layer.message = None);
        self.join();
    }

    /// Answers the shared run once both halves have ended; where one has failed, the first worker starts the whole run.
    fn join(&mut self) {
        let ended = self.second.as_mut().and_then(SecondWorker::take_ended);
        let Some((shared, first)) = ended else {
            return;
        };
        let Ended {
            mut queued,
            result,
            weights,
            reason,
            started_ms,
            ..
        } = first;
        let is_first_done = result.is_ok();
        let has_all = weights.is_none() || shared.heads == heads_of_half(&queued.request);
        let joined = match (result, &shared.second) {
            (Ok(first), SecondHalf::Answered(answer)) if has_all => {
                half_result::join(&queued.request, first, answer).ok()
            }
            _ => None,
        };
        let ms = platform::now() - started_ms;
        if let Some(second) = self.second.as_mut().filter(|_| is_first_done) {
            // Where the other half has failed, one worker is faster.
            let ms = if joined.is_some() { ms } else { f64::INFINITY };
            second.learn(queued.load().flops, Workers::Two, ms);
        }
        match joined {
            Some(result) => {
                queued.elapsed_ms = ms;
                let ran = RunInfo::on_cpu(reason);
                let run = ComputedRun {
                    result: &result,
                    weights,
                };
                self.finished(shared.id, &queued, run, &ran);
            }
            None => {
                queued.message = None;
                queued.elapsed_ms = 0.0;
                self.on_cpu(shared.id, queued, reason);
            }
        }
        self.schedule_slice();
    }

    /// The second worker's side: computes its half of a run of the first.
    pub(super) fn half(&mut self, id: u32, message: &JsValue) -> Result<(), Error> {
        let request = match text(message, "kind").as_str() {
            "page" => self
                .requests
                .request(&state_message::from_message(message)?)?,
            "layer_compute" => checked(message, Some(&self.layer_of(message)?))?.request,
            _ => checked(message, None)?.request,
        };
        let queued = QueuedRun::new(request, BackendChoice::Cpu, Purpose::Half { id });
        self.on_cpu(id, queued, Reason::Chosen);
        Ok(())
    }
}
