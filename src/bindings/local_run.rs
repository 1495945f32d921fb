//! Short runs of the page, computed in the window.

use attention::Error;
use attention::complexity;
use attention::plan::Plan;

use super::status::{GpuState, GpuStatus};
use crate::engine::{Backend, BackendChoice, LocalLimit, PageRun, Reason, RunCost, RunInfo, run};
use crate::state::{State, request_builder, steps};

/// A run that is to be done in the window.
pub(super) struct LocalRun {
    state: State,
    ran: RunInfo,
}

impl LocalRun {
    /// `None` where `state` is for the worker: it takes long, somebody chose WebGPU, or numbers were imported.
    pub(super) fn new(state: &State, limit: LocalLimit, gpu: &GpuStatus) -> Option<Self> {
        let reason = reason(state.backend, gpu)?;
        if state.imported.is_some() {
            return None;
        }
        let plan = Plan::full(&steps::config(state));
        let is_short = limit.includes(complexity::total(&plan).flops);
        is_short.then(|| Self {
            state: state.clone(),
            ran: RunInfo {
                backend: Backend::Cpu,
                adapter: None,
                reason: Some(reason),
            },
        })
    }

    /// Computes it.
    ///
    /// # Errors
    /// As in the worker.
    pub(super) fn compute(self) -> Result<PageRun, Error> {
        let request = request_builder::request(&self.state)?;
        let cost = RunCost::from_request(&request);
        let start = now();
        let result = run(request, BackendChoice::Cpu)?;
        let ms = now() - start;
        Ok(PageRun::from_result(
            result,
            self.state.head,
            cost,
            self.ran,
            ms,
        ))
    }
}

/// Why the run is not on WebGPU; `None` where it has to be.
fn reason(choice: BackendChoice, gpu: &GpuStatus) -> Option<Reason> {
    match (choice, gpu.state) {
        (BackendChoice::WebGpu, _) => None,
        (BackendChoice::Cpu, _) => Some(Reason::Chosen),
        (BackendChoice::Auto, GpuState::Checking) => Some(Reason::Checking),
        (BackendChoice::Auto, GpuState::Ready) if gpu.is_software => Some(Reason::Slow),
        (BackendChoice::Auto, GpuState::Ready) => Some(Reason::Sooner),
        (BackendChoice::Auto, GpuState::Absent | GpuState::Lost) => gpu.reason.clone(),
    }
}

/// Milliseconds since the page began.
pub(super) fn now() -> f64 {
    let performance = web_sys::window().and_then(|window| window.performance());
    performance.map_or(0.0, |performance| performance.now())
}
