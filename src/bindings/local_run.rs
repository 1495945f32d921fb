//! Short runs of the page, computed in the window while the worker starts. Once it is ready a
//! window would gain nothing by them: the worker computes while the controls are updated.

use attention::Error;

use app::state::{Origin, State, learned, request_builder, steps};
use engine::{BackendChoice, LocalLimit, PageRun, Reason, RunCost, RunInfo, run};

/// A run that is to be done in the window.
pub(super) struct LocalRun {
    state: State,
    cost: RunCost,
    ran: RunInfo,
}

impl LocalRun {
    /// `None` if `state` is left to the worker: it takes long, the user chose WebGPU, data were
    /// imported, or a model has to be trained.
    pub(super) fn new(state: &State, limit: &LocalLimit) -> Option<Self> {
        let reason = reason(state.backend)?;
        let has_to_learn = state.origin == Origin::Learned && learned::cached_for(state).is_none();
        if state.imported.is_some() || has_to_learn {
            return None;
        }
        let cost = RunCost::from_config(&steps::config(state));
        let is_short = limit.includes(cost.flops as u64);
        is_short.then(|| Self {
            state: state.clone(),
            cost,
            ran: RunInfo::on_cpu(reason),
        })
    }

    /// Computes it.
    ///
    /// # Errors
    /// As in the worker.
    pub(super) fn compute(self) -> Result<PageRun, Error> {
        let request = request_builder::request(&self.state)?;
        let start = now();
        let result = run(request, BackendChoice::Cpu)?;
        let ms = now() - start;
        Ok(PageRun::from_result(
            result,
            self.state.head,
            self.cost,
            self.ran,
            ms,
        ))
    }
}

/// Why the run is not on WebGPU, of which nothing is known yet; `None` where it has to be.
fn reason(choice: BackendChoice) -> Option<Reason> {
    match choice {
        BackendChoice::WebGpu => None,
        BackendChoice::Cpu => Some(Reason::Chosen),
        BackendChoice::Auto => Some(Reason::Checking),
    }
}

/// Milliseconds since the page began.
pub(super) fn now() -> f64 {
    let performance = web_sys::window().and_then(|window| window.performance());
    performance.map_or(0.0, |performance| performance.now())
}
