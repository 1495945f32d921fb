//! The worker's GPU: opened when idle, reopened after a loss, driven turn by turn. A turn waits for one submission of a run, whose
//! next one is on its way by then; a run that is dropped leaves at most that one to the device.
//!
//! Nothing is awaited while the service is borrowed, since messages may need it. Results come back with the number of the attempt
//! that they belong to.

use std::future::Future;
use std::pin::Pin;

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::queued_run::{GpuRun, QueuedRun};
use super::{Service, platform, with_service};
use crate::api::CheckedLayer;
use crate::bindings::js_object::object;
use crate::bindings::load_chunk;
use crate::bindings::status::{self, maybe};
use engine::{
    Attempt, Backend, Cause, Device, Entry, Failure, PageLane, Reason, RunInfo, RunQueue,
    VerifiedGpu, Workload,
};
use engine::{GpuState, GpuStatus};

/// A browser that has not answered by then will not.
const LONGEST_ATTEMPT_MS: f64 = 60_000.0;

/// How long the page is left alone at first, at most ten times over while something is being computed.
const FIRST_REST_MS: f64 = 300.0;

#[derive(Default)]
pub(super) struct Gpu {
    pub(super) device: Device<VerifiedGpu>,
    turns: RunQueue<GpuRun>,
    /// The run whose results are pending.
    current: Option<Current>,
    is_driven: bool,
    held: Vec<(u32, WaitingForGpu)>,
    /// The status last sent to the window.
    notified: GpuStatus,
}

struct Current {
    id: u32,
    track: Option<PageLane>,
    /// Nobody wants it any more.
    is_dropped: bool,
}

/// Requests that wait for the GPU to be opened.
pub(super) enum WaitingForGpu {
    Run(QueuedRun),
    Layer(CheckedLayer),
    Question,
}

impl Gpu {
    /// Memory of the inputs of all that wait for the device.
    pub(super) fn input_bytes(&self) -> u64 {
        let runs = self.turns.iter().map(|entry| &entry.run.queued);
        let held = self.held.iter().filter_map(|(_, held)| match held {
            WaitingForGpu::Run(queued) => Some(queued),
            WaitingForGpu::Layer(_) | WaitingForGpu::Question => None,
        });
        runs.chain(held).map(QueuedRun::input_bytes).sum()
    }

    /// Drops what its caller knows as `id`.
    pub(super) fn cancel(&mut self, id: u32) {
        self.turns.cancel(id);
        self.held.retain(|(held, _)| *held != id);
        if let Some(current) = self.current.as_mut().filter(|current| current.id == id) {
            current.is_dropped = true;
        }
    }

    /// Drops a page's run in a lane, wherever it is; its number.
    pub(super) fn drop_from(&mut self, track: PageLane) -> Option<u32> {
        if let Some(entry) = self.turns.take_from(track) {
            return Some(entry.id);
        }
        let is_there = |run: &&mut Current| run.track == Some(track);
        let current = self.current.as_mut().filter(is_there)?;
        let was_dropped = std::mem::replace(&mut current.is_dropped, true);
        (!was_dropped).then_some(current.id)
    }

    fn status(&self) -> GpuStatus {
        let graphics = self.device.ready();
        let reason = self.device.absence();
        GpuStatus {
            state: match (graphics, reason) {
                (Some(_), _) => GpuState::Ready,
                (None, None) => GpuState::Checking,
                (None, Some(_)) if self.device.is_waiting() => GpuState::Lost,
                (None, Some(_)) => GpuState::Absent,
            },
            adapter: graphics.and_then(VerifiedGpu::name).map(str::to_owned),
            is_software: graphics.is_some_and(VerifiedGpu::is_software),
            reason: reason.cloned(),
        }
    }

    /// The answer to `backends()`.
    fn backends(&self) -> JsValue {
        let status = self.status();
        let reason = status.reason.map_or(JsValue::NULL, |reason| {
            let message = reason.to_string().into();
            object([("code", reason.code().into()), ("message", message)]).into()
        });
        let webgpu = object([
            ("available", (status.state == GpuState::Ready).into()),
            ("adapter", maybe(status.adapter.as_deref())),
            ("is_software", status.is_software.into()),
            ("reason", reason),
        ]);
        object([("cpu", true.into()), ("webgpu", webgpu.into())]).into()
    }
}

/// Makes the first attempt when the page has had its first picture, or has nothing to do.
pub(super) fn begin_soon() {
    spawn_local(async {
        for _ in 0..10 {
            platform::sleep(FIRST_REST_MS).await;
            if with_service(|service| service.is_idle()) != Some(false) {
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
async fn drive() {
    while let Some((mut entry, graphics)) = with_service(Service::next_on_gpu).flatten() {
        let start = platform::now();
        let goes_on = entry.run.advance(&graphics).await;
        entry.run.queued.elapsed_ms += platform::now() - start;
        with_service(|service| service.advanced(entry, &graphics, goes_on));
    }
}

impl Service {
    pub(super) fn try_for_gpu(&mut self, cause: Cause) {
        let Some(attempt) = self.gpu.device.attempt(cause) else {
            return;
        };
        self.post_status();
        spawn_local(open(attempt));
        spawn_local(give_up(attempt));
    }

    /// Workers before this one have died; as far as we know of `detail`, of the GPU. It is then used only by hand.
    pub(super) fn disable_auto_gpu(&mut self, detail: String) {
        if let Some(attempt) = self.gpu.device.attempt(Cause::Idle) {
            self.tried(attempt, Err(Reason::Rejected { detail }));
        }
    }

    /// Queues a request for an attempt, and starts one if none is pending.
    pub(super) fn hold(&mut self, id: u32, held: WaitingForGpu) {
        self.gpu.held.push((id, held));
        self.try_for_gpu(Cause::Asked);
    }

    /// Answers `backends()`, when the check is over.
    pub(super) fn backends(&mut self, id: u32) {
        if self.gpu.device.is_settled() {
            self.answer(id, &self.gpu.backends())
        } else {
            self.hold(id, WaitingForGpu::Question)
        }
    }

    fn tried(&mut self, attempt: Attempt, found: Result<VerifiedGpu, Reason>) {
        let device = &mut self.gpu.device;
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
        if !is_news {
            return;
        }
        self.post_status();
        for (id, held) in std::mem::take(&mut self.gpu.held) {
            self.release(id, held);
        }
        self.schedule_slice();
    }

    fn release(&mut self, id: u32, held: WaitingForGpu) {
        if let WaitingForGpu::Question = held {
            return self.answer(id, &self.gpu.backends());
        }
        if let Some(reason) = self.gpu.device.absence() {
            let refusal = reason.refusal().into();
            return self.refuse(id, &refusal);
        }
        match held {
            WaitingForGpu::Run(queued) => self.on_gpu(id, queued),
            WaitingForGpu::Layer(layer) => self.keep(id, layer, None),
            WaitingForGpu::Question => {}
        }
    }

    /// The device of `attempt` is lost, or given up.
    pub(super) fn lost(&mut self, attempt: Attempt, reason: Reason) {
        let lost = self.gpu.device.lost(attempt, reason, platform::now());
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
        let status = self.gpu.status();
        if self.gpu.notified != status {
            self.post(&object([("status", status::to_message(&status))]), None);
            self.gpu.notified = status;
        }
    }

    /// Lets a run take its turns on the device.
    pub(super) fn on_gpu(&mut self, id: u32, mut queued: QueuedRun) {
        // Halves are for runs that start on the processor.
        queued.message = None;
        let run = GpuRun::new(queued, self.gpu.device.present());
        let (track, bytes) = (run.queued.track(), run.queued.bytes());
        self.gpu.turns.add(Entry::new(id, track, bytes, run));
        if !self.gpu.is_driven {
            self.gpu.is_driven = true;
            spawn_local(drive());
        }
    }

    /// The run to continue. If the device is lost, all of them move to the CPU.
    fn next_on_gpu(&mut self) -> Option<(Entry<GpuRun>, VerifiedGpu)> {
        while let Some(mut entry) = self.gpu.turns.take() {
            if let Some(graphics) = self.gpu.device.ready().cloned() {
                entry.run.is_on(self.gpu.device.present());
                self.gpu.current = Some(Current {
                    id: entry.id,
                    track: entry.track,
                    is_dropped: false,
                });
                return Some((entry, graphics));
            }
            let reason = self.gpu.device.absence().cloned();
            let (queued, _) = entry.run.into_parts();
            let reason = reason.unwrap_or(Reason::Checking);
            self.go_elsewhere(entry.id, queued, Failure::Device(reason));
        }
        self.gpu.is_driven = false;
        None
    }

    fn advanced(
        &mut self,
        entry: Entry<GpuRun>,
        graphics: &VerifiedGpu,
        goes_on: Result<bool, Failure>,
    ) {
        let is_dropped = self.gpu.current.take().is_none_or(|run| run.is_dropped);
        if let Err(failure) = &goes_on {
            self.failed(entry.run.attempt, failure, entry.run.queued.load());
        }
        match goes_on {
            _ if is_dropped => {}
            Ok(true) => drop(self.gpu.turns.add(entry)),
            Ok(false) => self.finish_on_gpu(entry.id, entry.run, graphics),
            Err(failure) => {
                let (queued, _) = entry.run.into_parts();
                self.go_elsewhere(entry.id, queued, failure);
            }
        }
        self.schedule_slice();
    }

    /// A run of `load` has failed on the device of `attempt`.
    pub(super) fn failed(&mut self, attempt: Attempt, failure: &Failure, load: Workload) {
        let Some(reason) = failure.ends_device() else {
            return;
        };
        if *reason == Reason::OutOfMemory {
            self.gpu.device.record_out_of_memory(load);
        }
        self.lost(attempt, reason.clone());
    }

    fn finish_on_gpu(&mut self, id: u32, run: GpuRun, graphics: &VerifiedGpu) {
        let (queued, job) = run.into_parts();
        let Some(job) = job else { return };
        match job.finish() {
            Ok(outcome) => {
                let ran = RunInfo {
                    backend: Backend::WebGpu,
                    adapter: graphics.name().map(str::to_owned),
                    reason: None,
                };
                self.finished(id, &queued, (&outcome).into(), &ran);
            }
            // The processor has the last word on whether numbers leave the range of 32 bits.
            Err(failure) => self.go_elsewhere(id, queued, failure),
        }
    }

    /// The same request on the processor, from its start; refused where only WebGPU will do.
    fn go_elsewhere(&mut self, id: u32, queued: QueuedRun, failure: Failure) {
        if queued.requires_webgpu() {
            self.refuse(id, &failure.into_refusal().into())
        } else {
            self.on_cpu(id, queued, failure.into_reason())
        }
        self.schedule_slice();
    }
}
