//! The worker's GPU: opened when idle, reopened after a loss, driven turn by turn. A turn waits for one submission of a run, whose
//! next one is on its way by then; a run that is dropped leaves at most that one to the device.
//!
//! Nothing is awaited while the service is borrowed, since messages may need it. Results come back with the number of the attempt
//! that they belong to.

wasm_chunks::chunk!("gpu": drive, finish_on_gpu, lost);

use std::future::Future;
use std::pin::Pin;

use js_sys::{Array, Function};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::cell_array::CellArray;
use super::queued_run::{DeviceJob, InWorker, QueuedRun, submit};
use super::{Service, platform, with_service};
use crate::api::CheckedLayer;
use crate::bindings::js_object::object;
use crate::bindings::load_chunk;
use crate::bindings::message::InMessage as _;
use crate::bindings::response::ComputedRun;
use engine::runs::{GpuRun, Next, Runs};
use engine::{
    Attempt, Backend, Cause, Device, Entry, GpuState, GpuStatus, MappedNumbers, Piece, Reason,
    ResultWriter, RunInfo, VerifiedGpu,
};

/// A browser that has not answered by then will not.
const LONGEST_ATTEMPT_MS: f64 = 60_000.0;

/// How long the page is left alone at first, at most ten times over while something is being computed.
const FIRST_REST_MS: f64 = 300.0;

/// Questions that wait until the GPU is checked.
pub(super) enum WaitingForGpu {
    Layer(CheckedLayer),
    Backends,
    /// Calls of models go on when this function is called.
    Model(Function),
}

fn status(device: &Device<VerifiedGpu>) -> GpuStatus {
    let graphics = device.ready();
    let reason = device.absence();
    GpuStatus {
        state: match (graphics, reason) {
            (Some(_), _) => GpuState::Ready,
            (None, None) => GpuState::Checking,
            (None, Some(_)) if device.is_waiting() => GpuState::Lost,
            (None, Some(_)) => GpuState::Absent,
        },
        adapter: graphics.and_then(VerifiedGpu::name).map(str::to_owned),
        is_software: graphics.is_some_and(VerifiedGpu::is_software),
        reason: reason.cloned(),
    }
}

/// The answer to `backends()`.
fn backends(device: &Device<VerifiedGpu>) -> JsValue {
    let status = status(device);
    let reason = status.reason.map_or(JsValue::NULL, |reason| {
        let message = reason.to_string().into();
        object([("code", reason.code().into()), ("message", message)]).into()
    });
    let webgpu = object([
        ("available", (status.state == GpuState::Ready).into()),
        ("adapter", status.adapter.to_js(&Array::new())),
        ("is_software", status.is_software.into()),
        ("reason", reason),
    ]);
    object([("cpu", true.into()), ("webgpu", webgpu.into())]).into()
}

/// Makes the first attempt when the page has had its first picture, or has nothing to do.
pub(super) fn begin_soon() {
    spawn_local(async {
        for _ in 0..10 {
            platform::sleep(FIRST_REST_MS).await;
            if with_service(|service| service.runs.is_idle()) != Some(false) {
                break;
            }
        }
        with_service(|service| service.try_for_gpu(Cause::Idle));
    });
}

async fn open(attempt: Attempt) {
    let found = match platform::absence() {
        Some(reason) => Err(reason),
        None => match platform::adapter_name().await {
            Err(reason) => Err(reason),
            Ok(_) if !load_chunk("gpu").await => {
                let detail = "its code could not be loaded".to_owned();
                Err(Reason::NoDevice { detail })
            }
            Ok(said) => opened(said).await,
        },
    };
    with_service(|service| service.tried(attempt, found));
}

/// A future of its own, which a visitor without an adapter need not load.
fn opened(said: Option<String>) -> Pin<Box<dyn Future<Output = Result<VerifiedGpu, Reason>>>> {
    Box::pin(VerifiedGpu::open(said, platform::now))
}

async fn give_up(attempt: Attempt) {
    platform::sleep(LONGEST_ATTEMPT_MS).await;
    let detail = "no answer within a minute".to_owned();
    with_service(|service| service.tried(attempt, Err(Reason::NoDevice { detail })));
}

/// Reports the loss of a device, also between two runs.
async fn watch(attempt: Attempt, lost: impl Future<Output = String>) {
    let detail = lost.await;
    with_service(|service| service.lost(attempt, Reason::Lost { detail }));
}

/// Lets the runs on the device go on until none is left.
pub(super) async fn drive() {
    while let Some((mut entry, graphics)) = with_service(Service::next_on_gpu).flatten() {
        let start = platform::now();
        let goes_on = submit(&mut entry.run, &graphics).await;
        entry.run.run.elapsed_ms += platform::now() - start;
        with_service(|service| {
            service.act(|runs| runs.advanced_on_gpu(entry, goes_on));
            service.schedule_slice();
        });
    }
}

impl ResultWriter for CellArray {
    fn write(&mut self, numbers: &MappedNumbers<'_>, pieces: &mut dyn Iterator<Item = Piece>) {
        let numbers = numbers.array();
        for Piece { from, to, length } in pieces {
            let piece = numbers.subarray(from as u32, (from + length) as u32);
            self.data().set(&piece, to as u32);
        }
    }
}

impl Service {
    pub(super) fn try_for_gpu(&mut self, cause: Cause) {
        self.act(|runs| runs.attempt(cause));
    }

    pub(super) fn open(&mut self, attempt: Attempt) {
        self.post_status();
        spawn_local(open(attempt));
        spawn_local(give_up(attempt));
    }

    /// Workers before this one have died; as far as we know of `detail`, of the GPU. It is then used only by hand.
    pub(super) fn disable_auto_gpu(&mut self, detail: String) {
        if let Some(attempt) = self.runs.device.attempt(Cause::Idle) {
            self.tried(attempt, Err(Reason::Rejected { detail }));
        }
    }

    /// Answers `backends()`, when the check is over.
    pub(super) fn backends(&mut self, id: u32) {
        if self.runs.device.is_settled() {
            self.settle(id, WaitingForGpu::Backends);
        } else {
            self.act(|runs| runs.ask(id, WaitingForGpu::Backends));
        }
    }

    /// Answers a question: it is decided whether there is a GPU.
    pub(super) fn settle(&mut self, id: u32, question: WaitingForGpu) {
        match (question, self.runs.device.absence()) {
            (WaitingForGpu::Backends, _) => self.answer(id, &backends(&self.runs.device)),
            (WaitingForGpu::Layer(_), Some(reason)) => self.refuse(id, &reason.refusal().into()),
            (WaitingForGpu::Layer(layer), None) => self.keep(id, layer, None),
            (WaitingForGpu::Model(go_on), _) => {
                // What it does comes in a task of its own.
                let _ = go_on.call0(&JsValue::NULL);
            }
        }
    }

    fn tried(&mut self, attempt: Attempt, found: Result<VerifiedGpu, Reason>) {
        let device = &mut self.runs.device;
        let is_news = match found {
            Err(reason) => device.failed(attempt, reason),
            Ok(graphics) => {
                let lost = graphics.until_lost();
                let (terms, now) = (graphics.terms(), platform::now());
                match device.opened(attempt, graphics, terms, now) {
                    Ok(()) => spawn_local(watch(attempt, lost)),
                    Err(graphics) => graphics.destroy(),
                }
                device.present() == attempt
            }
        };
        if is_news {
            self.post_status();
            self.act(Runs::settled);
            self.schedule_slice();
        }
    }

    /// The device of `attempt` is lost, or given up.
    pub(super) fn lost(&mut self, attempt: Attempt, reason: Reason) {
        let lost = self.runs.device.lost(attempt, reason, platform::now());
        let Some((graphics, pause)) = lost else {
            return;
        };
        graphics.destroy();
        self.post_status();
        spawn_local(async move {
            platform::sleep(pause.ms).await;
            with_service(|service| service.try_for_gpu(pause.cause));
        });
    }

    /// Posts the status to the window if it has changed.
    fn post_status(&mut self) {
        let status = status(&self.runs.device);
        if self.notified != status {
            self.post(&object([("status", status.to_js(&Array::new()))]), None);
            self.notified = status;
        }
    }

    fn next_on_gpu(&mut self) -> Option<(Entry<GpuRun<InWorker>>, VerifiedGpu)> {
        match self.runs.next_on_gpu() {
            Next::Submit(entry, graphics) => Some((entry, graphics)),
            Next::Rest(effects) => {
                self.carry_out(effects);
                self.schedule_slice();
                None
            }
        }
    }

    /// Answers a run that has ended on the device. A function of its own, which goes with the code for one.
    #[inline(never)]
    pub(super) fn finish_on_gpu(&mut self, id: u32, queued: QueuedRun, own: DeviceJob) {
        match own.job.finish() {
            Ok(outcome) => {
                let ran = RunInfo {
                    backend: Backend::WebGpu,
                    adapter: own.adapter,
                    reason: None,
                };
                let computed = ComputedRun {
                    result: &outcome,
                    weights: own.weights.map(CellArray::into_data),
                    scores: own.scores.map(CellArray::into_data),
                    output: None,
                };
                self.finished(id, &queued, computed, &ran);
            }
            // The processor has the last word on whether numbers leave the range of 32 bits.
            Err(failure) => self.act(|runs| runs.move_to_cpu(id, queued, failure)),
        }
    }
}
