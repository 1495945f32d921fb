//! The second worker's messages: it gets that of a run, computes half of the heads in its own memory, and answers with them.
//! [`Runs`] decides which runs these are.

wasm_chunks::chunk!("more");

use js_sys::{Array, ArrayBuffer, Object};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, MessageEvent, Worker};

use super::half_result;
use super::half_weights::forget_spare;
use super::queued_run::{Ended, InWorker, Purpose, QueuedRun, RunWeights};
use super::unread_calls::checked;
use super::{Service, platform, with_service};
use crate::bindings::js_object::{get, number, set};
use crate::bindings::message::Command;
use crate::bindings::response::ComputedRun;
use crate::bindings::{spawn, state_message, worker_lock};
use attention::Error;
use engine::runs::{CpuRun, Requested as _, Runs};
use engine::{BackendChoice, Entry, Reason, RunInfo, Workers};

/// Depth of typed arrays in a message: `of.request.weights.w_q.data`.
const DEEPEST: usize = 5;

/// Lists the buffers of the typed arrays in a message. A text or a number is not asked for a field: the error that is made to say that it has
/// none takes longer than all the rest.
fn find_buffers(value: &JsValue, found: &Array, depth: usize) {
    if !value.is_object() || Array::is_array(value) {
        return;
    }
    if let Ok(buffer) = get(value, "buffer").dyn_into::<ArrayBuffer>() {
        if !found.includes(&buffer, 0) {
            found.push(&buffer);
        }
    } else if depth > 0 {
        let inner = Object::values(value.unchecked_ref());
        inner
            .iter()
            .for_each(|value| find_buffers(&value, found, depth - 1));
    }
}

/// Starts it; `None` where the browser has no workers of workers, or this one's script cannot be used again.
pub(super) fn start() -> Option<Worker> {
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
    let message = Command::DisableAutoGpu.message(0);
    set(&message, "cause", &"a second worker".into());
    worker.post_message(&message).ok()?;
    Some(worker)
}

impl Service {
    /// Sends the second worker its half of a run that is about to start, where it is to compute it. A function of its own, as [`join`](Self::join).
    #[inline(never)]
    pub(super) fn share(&mut self, entry: &mut Entry<CpuRun<InWorker>>) {
        if !self.runs.is_to_share(entry) {
            return;
        }
        let Some(message) = entry.run.run.message.take() else {
            return;
        };
        let half = Command::Half.message(entry.id);
        set(&half, "of", &message);
        if self.share_layer(&message) && self.post_to_second(&half) {
            self.runs.share(entry);
        }
    }

    /// Sees to it that the second worker has the layer that a message names; `false` where it cannot get it.
    fn share_layer(&mut self, message: &JsValue) -> bool {
        let Some(id) = get(message, "layer").as_f64().map(|id| id as u32) else {
            return true;
        };
        let mut has_layer = self.runs.second().is_some_and(|own| own.has_layer(id));
        if !has_layer {
            let layer = self.layers.get_mut(&id);
            let message = layer.and_then(|layer| layer.message.take());
            has_layer = message.is_some_and(|message| {
                set(message.unchecked_ref(), "is_copy", &true.into());
                self.post_to_second(&message)
            });
            let second = self.runs.second().filter(|_| has_layer);
            second.into_iter().for_each(|second| second.add_layer(id));
        }
        has_layer
    }

    /// Posts a message of ours, whose numbers move with it: they were read. Whether it has gone.
    fn post_to_second(&self, message: &JsValue) -> bool {
        let numbers = Array::new();
        find_buffers(message, &numbers, DEEPEST);
        self.second.as_ref().is_some_and(|worker| {
            let posted = worker.post_message_with_transfer(message, &numbers);
            posted.is_ok()
        })
    }

    pub(super) fn tell_second(&self, command: Command, id: u32) {
        self.post_to_second(&command.message(id));
    }

    fn second_answered(&mut self, message: &JsValue) {
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
            return self.runs.second_came_up();
        }
        let id = number(message, "id") as u32;
        if !get(message, "weights").is_undefined() {
            return self.take_weights(id, message);
        }
        let half = Some(get(message, "result")).filter(JsValue::is_object);
        self.act(|runs| runs.second_half_ended(id, half));
        self.schedule_slice();
    }

    /// Takes the weights of the second half, in the array that those of the first go to as well.
    fn take_weights(&mut self, id: u32, message: &JsValue) {
        let is_shared = self.runs.second().is_some_and(|own| own.has_half_of(id));
        let running = self.runs.on_cpu(id).and_then(|run| run.job.as_ref());
        let own = match self.runs.first_half(id) {
            Some(ended) => ended.weights.as_ref(),
            None => running.and_then(|started| started.weights()),
        };
        if let Some(RunWeights::Half(own)) = own.filter(|_| is_shared)
            && own.move_to(message)
        {
            self.runs.weights_came(id);
        }
    }

    fn second_stopped(&mut self) {
        if let Some(worker) = self.second.take() {
            worker.set_onmessage(None);
            worker.set_onerror(None);
            worker.terminate();
        }
        self.forget_second();
        self.act(Runs::second_stopped);
        self.schedule_slice();
    }

    /// Lets go of what is kept for a second worker, where there will be none.
    pub(super) fn forget_second(&mut self) {
        let layers = self.layers.values_mut();
        layers.for_each(|layer| layer.message = None);
        forget_spare();
    }

    /// Answers a run from both halves; where one is not there, this worker starts the whole run. A function of its own, which goes with
    /// the second worker's code.
    #[inline(never)]
    pub(super) fn join(&mut self, id: u32, first: Ended, half: Option<JsValue>) {
        let Ended {
            mut queued,
            result,
            weights,
            reason,
            started_ms,
        } = first;
        let is_first_done = result.is_ok();
        let joined = match (result, &half) {
            (Ok(first), Some(half)) => half_result::join(&queued.request, first, half).ok(),
            _ => None,
        };
        let ms = platform::now() - started_ms;
        if let Some(second) = self.runs.second().filter(|_| is_first_done) {
            // Where the other half has failed, one worker is faster.
            let ms = if joined.is_some() { ms } else { f64::INFINITY };
            second.ran(queued.load().flops, Workers::Two, ms);
        }
        match joined {
            Some(result) => {
                queued.elapsed_ms = ms;
                let ran = RunInfo::on_cpu(reason);
                let run = ComputedRun {
                    result: &result,
                    weights: weights.and_then(RunWeights::into_whole),
                    scores: None,
                    output: half.and_then(|half| half_result::output(&half)),
                };
                self.finished(id, &queued, run, &ran);
            }
            None => {
                queued.elapsed_ms = 0.0;
                self.runs.start_on_cpu(id, queued, reason);
            }
        }
    }

    /// The second worker's side: computes its half of a run of the first.
    pub(super) fn half(&mut self, id: u32, message: &JsValue) -> Result<(), Error> {
        let request = match Command::of(message) {
            Some(Command::Page) => self
                .requests
                .request(&state_message::from_message(message)?)?,
            Some(Command::LayerCompute) => {
                checked(message, Some(&self.layer_of(message)?))?.request
            }
            _ => checked(message, None)?.request,
        };
        let queued = QueuedRun::new(request, BackendChoice::Cpu, Purpose::Half { id });
        self.runs.start_on_cpu(id, queued, Reason::Chosen);
        Ok(())
    }
}
