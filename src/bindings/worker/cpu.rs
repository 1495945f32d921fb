//! The worker's CPU runs: they take turns in slices, between which messages are handled.

wasm_chunks::chunk!("more": start_second);

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::queued_run::{Ended, RunWeights, advance};
use super::{LONGEST_SLICE_MS, Service, platform, second_worker, with_service};
use crate::bindings::load_chunk;
use crate::bindings::response::ComputedRun;
use engine::RunInfo;
use engine::runs::Requested as _;

/// Starts the second worker once its code has loaded; no run waits for that.
async fn start_second() {
    let is_loaded = platform::cores() > 1 && load_chunk("more").await;
    with_service(|service| {
        // A chunk that has not come may come later; a worker that cannot be started will not.
        if !is_loaded {
            return service.runs.second_not_loaded();
        }
        service.second = second_worker::start();
        if service.second.is_some() {
            service.runs.second_started();
        } else {
            service.forget_second();
        }
    });
}

impl Service {
    /// Lets runs go on until the slice is over, and posts itself the message for the next one where some are left.
    pub(super) fn slice(&mut self) {
        let end = platform::now() + self.slice_ms;
        self.slice_ms = (2.0 * self.slice_ms).min(LONGEST_SLICE_MS);
        while platform::now() < end {
            self.read_calls();
            let Some(mut entry) = self.runs.take_on_cpu() else {
                break;
            };
            if self.second.is_some() {
                self.share(&mut entry);
            }
            let advanced = advance(entry, end);
            self.act(|runs| runs.advanced_on_cpu(advanced));
        }
        self.schedule_slice();
    }

    /// Sees to it that runs on the processor go on, and calls are read.
    pub(super) fn schedule_slice(&mut self) {
        if !self.is_slice_due && self.runs.is_due() {
            self.is_slice_due = self.wake_port.post_message(&JsValue::NULL).is_ok();
        }
    }

    /// Answers a run that this worker has computed alone. After the first long one a second worker is started.
    pub(super) fn ended_on_cpu(&mut self, id: u32, ended: Ended) {
        let result = match ended.result {
            Ok(result) => result,
            Err(error) => return self.refuse(id, &error.into()),
        };
        let ran = RunInfo::on_cpu(ended.reason);
        let computed = ComputedRun {
            result: &result,
            weights: ended.weights.and_then(RunWeights::into_whole),
            scores: None,
            output: None,
        };
        self.finished(id, &ended.queued, computed, &ran);
        let ms = platform::now() - ended.started_ms;
        let queued = ended.queued;
        if queued.is_shareable() && self.runs.ran_alone(queued.load().flops, ms) {
            spawn_local(start_second());
        }
    }
}
