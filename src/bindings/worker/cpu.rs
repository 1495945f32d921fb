//! The worker's processor: runs take turns on it in slices, between which messages are looked at.

use wasm_bindgen::JsValue;

use super::queued_run::{CpuRun, QueuedRun};
use super::second_worker::SecondWorker;
use super::{LONGEST_SLICE_MS, Service, platform};
use crate::bindings::response::ComputedRun;
use crate::engine::{Entry, Reason, RunInfo};
use attention::Error;
use attention::cpu::Share;

impl Service {
    /// Lets a run take its turns on the processor.
    pub(super) fn on_cpu(&mut self, id: u32, asked: QueuedRun, reason: Reason) {
        let (track, bytes) = (asked.track(), asked.bytes());
        let run = CpuRun::new(asked, reason);
        self.turns.add(Entry::new(id, track, bytes, run));
    }

    /// Whether nothing is under way on the processor.
    pub(super) fn is_idle(&self) -> bool {
        let is_shared = self.second.as_ref().is_some_and(SecondWorker::is_busy);
        self.turns.is_empty() && !is_shared
    }

    /// Lets runs go on until the slice is over, and rings for the next one where some are left.
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
        if !self.is_rung && (!self.turns.is_empty() || self.can_read()) {
            self.is_rung = self.bell.post_message(&JsValue::NULL).is_ok();
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

    /// There is less memory than there should be: where no other call is under way there may be enough.
    fn lacks_memory(&mut self, mut entry: Entry<CpuRun>, error: &Error) {
        self.cancel_half(entry.id);
        if entry.track.is_none() && self.turns.has_begun() {
            entry.run.share = Share::All;
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
        if ended.asked.message.is_some() {
            self.learn_alone(&ended.asked);
        }
        let ran = RunInfo::on_cpu(ended.reason);
        let computed = ComputedRun {
            result: &result,
            weights: ended.weights,
        };
        self.finished(id, &ended.asked, computed, &ran);
    }
}
