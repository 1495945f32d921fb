//! Runs a request on a backend and reports which one it was.
//!
//! A [`Job`] runs step by step, so that its driver (a worker, a test) can stop it or run something more urgent in between; a
//! [`GpuJob`] is the same on a GPU, where every step is awaited. [`VerifiedGpu`] is a GPU that passed the [`probe`] and was timed
//! ([`LatencyModel`]); [`Device`] decides when to open one, what to do when it is lost, and which run goes where, with the
//! [`Reason`].

mod backend;
mod backend_diff;
pub mod calls;
mod device_lifecycle;
mod device_models;
mod fallback_reason;
pub mod fit_run;
mod gpu_job;
mod gpu_status;
mod halves;
mod job;
mod latency_model;
pub mod learned;
mod local_limit;
mod memory;
pub mod model_file;
mod page_run;
pub mod probe;
mod run_queue;
pub mod runs;
pub mod schedule;
pub mod training_run;
pub mod variant;
mod verified_gpu;
mod worker_choice;

pub use backend::{Backend, BackendChoice};
pub use backend_diff::{Difference, differ};
pub use device_lifecycle::{Attempt, Cause, Device, DeviceTraits, Pause, Requester, Route};
pub use device_models::{DeviceModel, Pass, PassResults};
pub use fallback_reason::Reason;
pub use gpu_job::{Failure, GpuJob};
pub use gpu_status::{GpuState, GpuStatus};
pub use job::{Job, RunResult, run};
pub use latency_model::{LatencyModel, Sample, Workload};
pub use local_limit::LocalLimit;
pub use memory::{memory_of, numbers_in};
pub use page_run::{HeadMatrices, HeadSlices, PageRun, RunCost, RunInfo, pack_stats, unpack_stats};
pub use run_queue::{BUDGET, Entry, Lane, PageLane, RunQueue};
pub use verified_gpu::VerifiedGpu;
pub use worker_choice::{WorkerChoice, Workers};

/// Where scores and weights of a run on a GPU go.
pub use gpu::{Destinations, MappedNumbers, Piece, ResultWriter};
