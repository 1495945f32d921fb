//! A run in the queue of the worker, on either backend.

use std::sync::Arc;

use js_sys::Float32Array;
use wasm_bindgen::JsValue;

use super::cell_array::CellArray;
use super::gpu::WaitingForGpu;
use super::half_weights::{HalfWeights, SentWeights};
use super::platform;
use super::unread_calls::UnreadCall;
use attention::cpu::Share;
use attention::plan::RowSink;
use attention::{Error, Outputs, Request};
use engine::learned::LearnedLayer;
use engine::runs::{Advanced, CpuRun, GpuRun, Requested, RunTypes};
use engine::{
    BackendChoice, Destinations, Entry, Failure, GpuJob, Job, PageLane, Reason, ResultWriter,
    RunCost, RunResult, VerifiedGpu, WorkerChoice, Workload, memory_of,
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

/// Runs of the worker, as the engine knows them.
pub(super) struct InWorker;

impl RunTypes for InWorker {
    type Call = UnreadCall;
    type Run = QueuedRun;
    type Question = WaitingForGpu;
    type CpuJob = Started;
    type GpuJob = DeviceJob;
    type Ended = Ended;
    type Half = JsValue;
    type Graphics = VerifiedGpu;
}

/// A run on the processor that has its memory.
pub(super) struct Started {
    job: Job,
    weights: Option<RunWeights>,
    started_ms: f64,
}

/// Where the weights of a run on the processor are written.
pub(super) enum RunWeights {
    /// By this worker alone.
    Whole(CellArray),
    /// Those of the first half, beside which the second worker's come.
    Half(HalfWeights),
}

impl RunWeights {
    /// The weights of all heads, once they are there.
    pub(super) fn into_whole(self) -> Option<Float32Array> {
        match self {
            Self::Whole(cells) => Some(cells.into_data()),
            Self::Half(half) => half.into_whole(),
        }
    }
}

/// A run on the device that has its memory.
pub(super) struct DeviceJob {
    pub(super) job: GpuJob,
    /// Where its weights are written, if they are wanted.
    pub(super) weights: Option<CellArray>,
    /// Where the scores of all heads are.
    pub(super) scores: Option<CellArray>,
    /// The adapter's name.
    pub(super) adapter: Option<String>,
}

impl Started {
    fn new(queued: &QueuedRun, share: Share) -> Result<Self, Error> {
        let (request, sizes) = (&queued.request, queued.request.sizes());
        let wanted = request.call().want.weights;
        let (weights, sink): (_, Option<Box<dyn RowSink>>) = match queued.purpose {
            _ if !wanted => (None, None),
            Purpose::Half { id } => (None, Some(Box::new(SentWeights::new(id, sizes)?))),
            _ if share == Share::FirstHalf => {
                let weights = HalfWeights::new(sizes)?;
                let sink = Box::new(weights.clone());
                (Some(RunWeights::Half(weights)), Some(sink))
            }
            _ => {
                let weights = CellArray::new("weights", sizes)?;
                let sink = Box::new(weights.clone());
                (Some(RunWeights::Whole(weights)), Some(sink))
            }
        };
        let job = Job::for_sink(request.clone(), share, sink)?;
        Ok(Self {
            job,
            weights,
            started_ms: platform::now(),
        })
    }

    /// Where its weights are written, if they are wanted.
    pub(super) fn weights(&self) -> Option<&RunWeights> {
        self.weights.as_ref()
    }
}

impl DeviceJob {
    fn new(queued: &QueuedRun, graphics: &VerifiedGpu) -> Result<Self, Failure> {
        let (request, want) = (&queued.request, queued.request.call().want);
        let scores_of = match queued.purpose {
            Purpose::Page { head, .. } => Some(head),
            _ => None,
        };
        let array = |field, wanted: bool| {
            let array = wanted.then(|| CellArray::new(field, request.sizes()));
            array.transpose().map_err(Failure::Request)
        };
        let weights = array("weights", want.weights)?;
        let scores = array("scores", want.scores && scores_of.is_none())?;
        let destinations = Destinations {
            scores: writer(scores.as_ref()),
            weights: writer(weights.as_ref()),
            scores_of,
        };
        Ok(Self {
            job: graphics.job(request.clone(), destinations)?,
            weights,
            scores,
            adapter: graphics.name().map(str::to_owned),
        })
    }
}

fn writer(array: Option<&CellArray>) -> Option<Box<dyn ResultWriter>> {
    Some(Box::new(array?.clone()))
}

/// Remains of a finished run on the CPU.
pub(super) struct Ended {
    pub(super) queued: QueuedRun,
    pub(super) result: Result<RunResult, Error>,
    /// The weights, if they were wanted: the result has none.
    pub(super) weights: Option<RunWeights>,
    pub(super) reason: Reason,
    pub(super) started_ms: f64,
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
}

impl Requested for QueuedRun {
    fn choice(&self) -> BackendChoice {
        self.choice
    }

    fn track(&self) -> Option<PageLane> {
        match self.purpose {
            Purpose::Page { track, .. } => Some(track),
            Purpose::Call { .. } | Purpose::Measure | Purpose::Half { .. } => None,
        }
    }

    fn load(&self) -> Workload {
        Workload::from_request(&self.request)
    }

    fn bytes(&self) -> u64 {
        memory_of(self.request.sizes(), &self.request.call().want)
    }

    fn input_bytes(&self) -> u64 {
        memory_of(self.request.sizes(), &Outputs::NOTHING)
    }

    fn share(&self) -> Share {
        match self.purpose {
            Purpose::Half { .. } => Share::SecondHalf,
            _ => Share::All,
        }
    }

    fn is_shareable(&self) -> bool {
        self.message.is_some()
    }

    fn keep_whole(&mut self) {
        self.message = None;
    }

    fn makes_weights(&self) -> bool {
        self.request.call().want.weights
    }
}

/// Continues a run on the processor until `end`.
pub(super) fn advance(mut entry: Entry<CpuRun<InWorker>>, end: f64) -> Advanced<InWorker> {
    let start = platform::now();
    let CpuRun {
        run, share, job, ..
    } = &mut entry.run;
    let started = job.take().map_or_else(|| Started::new(run, *share), Ok);
    let mut started = match started {
        Ok(started) => started,
        Err(error) => return Advanced::NoMemory(entry, error),
    };
    let goes_on = advance_until(&mut started.job, end);
    run.elapsed_ms += platform::now() - start;
    if goes_on {
        *job = Some(started);
        return Advanced::GoesOn(entry);
    }
    let CpuRun {
        run, reason, share, ..
    } = entry.run;
    let ended = Ended {
        queued: run,
        result: started.job.finish(),
        weights: started.weights,
        reason,
        started_ms: started.started_ms,
    };
    Advanced::Ended(entry.id, share, ended)
}

/// Does the next submission of a run on the device; `false` when everything is done.
pub(super) async fn submit(
    run: &mut GpuRun<InWorker>,
    graphics: &VerifiedGpu,
) -> Result<bool, Failure> {
    let own = match &mut run.job {
        Some(own) => own,
        none => none.insert(DeviceJob::new(&run.run, graphics)?),
    };
    own.job.advance().await
}
