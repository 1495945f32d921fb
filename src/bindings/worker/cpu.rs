//! The worker's CPU runs: they take turns in slices, between which messages are handled.

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::queued_run::{CpuRun, QueuedRun};
use super::second_worker::SecondWorker;
use super::{LONGEST_SLICE_MS, Service, platform, with_service};
use crate::bindings::load_chunk;
use crate::bindings::response::ComputedRun;
use attention::Error;
use attention::cpu::Share;
use engine::{Entry, Reason, RunInfo, Workers};

/// Starts the second worker once its code has loaded; no run waits for that.
async fn start_second() {
    let is_loaded = platform::cores() > 1 && load_chunk("more").await;
    with_service(|service| {
        // A chunk that has not come may come later; a worker that cannot be started will not.
        service.is_second_requested = is_loaded;
        if is_loaded {
            service.second = SecondWorker::start();
        }
    });
}

impl Service {
    /// Lets a run take its turns on the processor.
    pub(super) fn on_cpu(&mut self, id: u32, queued: QueuedRun, reason: Reason) {
        let (track, bytes) = (queued.track(), queued.bytes());
        let run = CpuRun::new(queued, reason);
        self.turns.add(Entry::new(id, track, bytes, run));
    }

    /// Whether no run is on the CPU.
    pub(super) fn is_idle(&self) -> bool {
        let is_shared = self.second.as_ref().is_some_and(SecondWorker::is_busy);
        self.turns.is_empty() && !is_shared
    }

    /// Lets runs go on until the slice is over, and posts itself the message for the next one where some are left.
    pub(super) fn slice(&mut self) {
        let end = platform::now() + self.slice_ms;
        self.slice_ms = (2.0 * self.slice_ms).min(LONGEST_SLICE_MS);
        while platform::now() < end {
            self.read_calls();
            let Some(entry) = self.turns.take() else {
                break;
            };
            self.turn(entry, end);
        }
        self.schedule_slice();
    }

    /// Sees to it that runs on the processor go on, and calls are read.
    pub(super) fn schedule_slice(&mut self) {
        if !self.is_slice_due && (!self.turns.is_empty() || self.can_read()) {
            self.is_slice_due = self.wake_port.post_message(&JsValue::NULL).is_ok();
        }
    }

    /// Drops the half of a run that the second worker computes, if it does.
    pub(super) fn cancel_half(&mut self, id: u32) {
        if let Some(second) = &mut self.second {
            second.cancel(id);
        }
    }

    fn turn(&mut self, mut entry: Entry<CpuRun>, end: f64) {
        if self.second.is_some() {
            self.share(&mut entry);
        }
        match entry.run.advance(end) {
            Ok(true) => drop(self.turns.add(entry)),
            Ok(false) => self.finish_on_cpu(entry.id, entry.run),
            Err(error) => self.lacks_memory(entry, &error),
        }
    }

    /// There is less memory than there should be: where no other call is under way there may be enough. A run that was to be shared is
    /// started once more, whole, so that a refusal says the same as without a second worker.
    fn lacks_memory(&mut self, mut entry: Entry<CpuRun>, error: &Error) {
        if entry.run.share == Share::FirstHalf {
            self.cancel_half(entry.id);
            entry.run.share = Share::All;
            self.turns.add(entry);
        } else if entry.track.is_none() && self.turns.has_started() {
            self.turns.add(entry.alone());
        } else {
            self.refuse(entry.id, &error.clone().into());
        }
    }

    fn finish_on_cpu(&mut self, id: u32, run: CpuRun) {
        let Some(ended) = run.finish() else { return };
        if ended.share == Share::FirstHalf {
            return self.first_half_ended(id, ended);
        }
        let result = match ended.result {
            Ok(result) => result,
            Err(error) => return self.refuse(id, &error.into()),
        };
        let ran = RunInfo::on_cpu(ended.reason);
        let computed = ComputedRun {
            result: &result,
            weights: ended.weights,
        };
        self.finished(id, &ended.queued, computed, &ran);
        if ended.queued.message.is_some() {
            self.learn_alone(&ended.queued, platform::now() - ended.started_ms);
        }
    }

    /// A long run was computed by this worker alone: after the first of these a second one is started.
    fn learn_alone(&mut self, run: &QueuedRun, ms: f64) {
        match &mut self.second {
            Some(second) => second.learn(run.load().flops, Workers::One, ms),
            None if !self.is_second_requested => {
                self.is_second_requested = true;
                spawn_local(start_second());
            }
            None => {}
        }
    }
}
