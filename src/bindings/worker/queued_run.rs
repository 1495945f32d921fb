//! A run in the queue of the worker, on either backend.

use std::sync::Arc;

use js_sys::Float32Array;
use wasm_bindgen::JsValue;

use super::platform;
use super::weights_array::WeightsArray;
use super::weights_stream::WeightsStream;
use app::state::learned::LearnedLayer;
use attention::cpu::Share;
use attention::plan::RowSink;
use attention::{Error, Outputs, Request};
use engine::{
    Attempt, BackendChoice, Failure, GpuJob, Job, PageLane, Reason, Requester, RunCost, RunResult,
    VerifiedGpu, WorkerChoice, Workload, memory_of,
};

/// Run as it was requested.
pub(super) struct QueuedRun {
    pub(super) request: Arc<Request>,
    pub(super) choice: BackendChoice,
    pub(super) purpose: Purpose,
    pub(super) elapsed_ms: f64,
    /// The message that it came with, where a second worker could compute half of its heads.
    pub(super) message: Option<JsValue>,
}

/// Purpose of a run.
pub(super) enum Purpose {
    Call {
        has_batch: bool,
    },
    Measure,
    /// The second half of a run of the worker that started this one, by the number that it has there.
    Half {
        id: u32,
    },
    Page {
        cost: RunCost,
        track: PageLane,
        head: usize,
        /// The layer of a learned model that it is computed with, if the window lacks it.
        learned: Option<Arc<LearnedLayer>>,
    },
}

/// A run on the CPU, and why it is there. Its memory is allocated when it starts.
pub(super) struct CpuRun {
    pub(super) queued: QueuedRun,
    pub(super) share: Share,
    started: Option<Started>,
    reason: Reason,
}

/// A run that has its memory.
struct Started {
    job: Job,
    weights: Option<WeightsArray>,
    started_ms: f64,
}

impl Started {
    fn new(queued: &QueuedRun, share: Share) -> Result<Self, Error> {
        let (request, sizes) = (&queued.request, queued.request.sizes());
        let wanted = request.call().want.weights;
        let (weights, sink): (_, Option<Box<dyn RowSink>>) = match queued.purpose {
            _ if !wanted => (None, None),
            Purpose::Half { id } => (None, Some(Box::new(WeightsStream::new(id, sizes)))),
            // Also where a half is computed here: the other heads are written there too.
            _ => {
                let weights = WeightsArray::new(sizes)?;
                (Some(weights.clone()), Some(Box::new(weights)))
            }
        };
        let job = Job::for_sink(request.clone(), share, sink)?;
        Ok(Self {
            job,
            weights,
            started_ms: platform::now(),
        })
    }
}

/// Remains of a finished run on the CPU.
pub(super) struct Ended {
    pub(super) queued: QueuedRun,
    pub(super) result: Result<RunResult, Error>,
    /// The weights, if they were wanted: the result has none.
    pub(super) weights: Option<Float32Array>,
    pub(super) reason: Reason,
    pub(super) started_ms: f64,
    /// The heads that it has computed.
    pub(super) share: Share,
}

/// A run on the device. Its memory is allocated when it starts.
pub(super) struct GpuRun {
    pub(super) queued: QueuedRun,
    job: Option<GpuJob>,
    /// Attempt of the device that it started on, which may be lost before its next turn.
    pub(super) attempt: Attempt,
}

/// Does steps and tiles of `job`, at least one, until `end`; `false` when everything is done.
pub(super) fn advance_until(job: &mut Job, end: f64) -> bool {
    let mut goes_on = job.advance();
    while goes_on && platform::now() < end {
        goes_on = job.advance();
    }
    goes_on
}

impl QueuedRun {
    pub(super) fn new(request: Request, choice: BackendChoice, purpose: Purpose) -> Self {
        Self {
            request: Arc::new(request),
            choice,
            purpose,
            elapsed_ms: 0.0,
            message: None,
        }
    }

    /// Keeps the message that the run came with, if it is long and has halves.
    pub(super) fn with_message(self, message: &JsValue) -> Self {
        let has_halves = Share::has_halves(self.request.sizes());
        let is_shared = has_halves && WorkerChoice::is_long(self.load().flops);
        Self {
            message: is_shared.then(|| message.clone()),
            ..self
        }
    }

    pub(super) fn requester(&self) -> Requester {
        match self.purpose {
            Purpose::Page { .. } => Requester::Page,
            Purpose::Call { .. } | Purpose::Measure | Purpose::Half { .. } => Requester::Caller,
        }
    }

    /// Memory that it takes once it has started.
    pub(super) fn bytes(&self) -> u64 {
        memory_of(self.request.sizes(), &self.request.call().want)
    }

    /// Memory that it takes before.
    pub(super) fn input_bytes(&self) -> u64 {
        memory_of(self.request.sizes(), &Outputs::NOTHING)
    }

    pub(super) fn load(&self) -> Workload {
        Workload::from_request(&self.request)
    }

    /// Lane in which a newer run replaces it, if a page requested it.
    pub(super) fn track(&self) -> Option<PageLane> {
        match self.purpose {
            Purpose::Page { track, .. } => Some(track),
            Purpose::Call { .. } | Purpose::Measure | Purpose::Half { .. } => None,
        }
    }

    /// Whether nothing but WebGPU will do: the page has to show something, a caller has not.
    pub(super) fn requires_webgpu(&self) -> bool {
        self.choice == BackendChoice::WebGpu && self.requester() == Requester::Caller
    }
}

impl CpuRun {
    pub(super) fn new(queued: QueuedRun, reason: Reason) -> Self {
        let share = match queued.purpose {
            Purpose::Half { .. } => Share::SecondHalf,
            _ => Share::All,
        };
        Self {
            queued,
            share,
            started: None,
            reason,
        }
    }

    pub(super) fn has_started(&self) -> bool {
        self.started.is_some()
    }

    /// Continues until `end`; `false` when everything is done.
    ///
    /// # Errors
    /// There is no memory for it at present.
    pub(super) fn advance(&mut self, end: f64) -> Result<bool, Error> {
        let start = platform::now();
        let started = match &mut self.started {
            Some(started) => started,
            none => none.insert(Started::new(&self.queued, self.share)?),
        };
        let goes_on = advance_until(&mut started.job, end);
        self.queued.elapsed_ms += platform::now() - start;
        Ok(goes_on)
    }

    /// Where its weights are written, if they are wanted and it has started.
    pub(super) fn weights(&self) -> Option<&Float32Array> {
        let weights = self.started.as_ref()?.weights.as_ref()?;
        Some(weights.data())
    }

    /// Finishes the run; `None` if it has not started.
    pub(super) fn finish(self) -> Option<Ended> {
        let Started {
            job,
            weights,
            started_ms,
        } = self.started?;
        Some(Ended {
            queued: self.queued,
            result: job.finish(),
            weights: weights.map(WeightsArray::into_data),
            reason: self.reason,
            started_ms,
            share: self.share,
        })
    }
}

impl GpuRun {
    pub(super) fn new(queued: QueuedRun, attempt: Attempt) -> Self {
        Self {
            queued,
            job: None,
            attempt,
        }
    }

    /// Notes that the device of `attempt` is ready; a run that has started stays on its own.
    pub(super) fn is_on(&mut self, attempt: Attempt) {
        if self.job.is_none() {
            self.attempt = attempt;
        }
    }

    /// Does the next submission; `false` when everything is done.
    pub(super) async fn advance(&mut self, graphics: &VerifiedGpu) -> Result<bool, Failure> {
        let job = match &mut self.job {
            Some(job) => job,
            none => none.insert(graphics.job(self.queued.request.clone())?),
        };
        job.advance().await
    }

    /// Splits into the request, and the job if it has started.
    pub(super) fn into_parts(self) -> (QueuedRun, Option<GpuJob>) {
        (self.queued, self.job)
    }
}
