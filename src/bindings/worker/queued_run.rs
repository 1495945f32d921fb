//! A run as the worker keeps it, on either backend.

use std::sync::Arc;

use super::platform;
use crate::bindings::page_result::Cost;
use crate::engine::{
    Asker, Attempt, BackendChoice, Failure, GpuJob, Graphics, Job, Load, Reason, Track,
};
use attention::Request;

/// What was asked for, whatever becomes of it.
pub(super) struct Asked {
    pub(super) request: Arc<Request>,
    pub(super) choice: BackendChoice,
    pub(super) purpose: Purpose,
    pub(super) elapsed_ms: f64,
}

/// What a run was asked for.
pub(super) enum Purpose {
    Call {
        has_batch: bool,
    },
    Measure,
    Page {
        cost: Cost,
        track: Track,
        head: usize,
    },
}

/// A run on the processor, and why it is there.
pub(super) struct OnCpu {
    pub(super) asked: Asked,
    pub(super) job: Job,
    pub(super) reason: Reason,
}

/// A run on the device. Its memory there is taken when its turn comes.
pub(super) struct OnGpu {
    pub(super) asked: Asked,
    job: Option<GpuJob>,
    /// Whose device it began on: that one may be gone before its next turn.
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

impl Asked {
    pub(super) fn new(request: Request, choice: BackendChoice, purpose: Purpose) -> Self {
        Self {
            request: Arc::new(request),
            choice,
            purpose,
            elapsed_ms: 0.0,
        }
    }

    pub(super) fn asker(&self) -> Asker {
        match self.purpose {
            Purpose::Page { .. } => Asker::Page,
            Purpose::Call { .. } | Purpose::Measure => Asker::Caller,
        }
    }

    pub(super) fn load(&self) -> Load {
        Load::of(&self.request)
    }

    /// The lane where a newer run replaces it, if a page asked for it.
    pub(super) fn track(&self) -> Option<Track> {
        match self.purpose {
            Purpose::Page { track, .. } => Some(track),
            Purpose::Call { .. } | Purpose::Measure => None,
        }
    }

    /// Whether nothing but WebGPU will do: the page has to show something, a caller has not.
    pub(super) fn insists(&self) -> bool {
        self.choice == BackendChoice::WebGpu && self.asker() == Asker::Caller
    }
}

impl OnGpu {
    pub(super) fn new(asked: Asked, attempt: Attempt) -> Self {
        Self {
            asked,
            job: None,
            attempt,
        }
    }

    /// The device of `attempt` is there; a run that has begun stays on its own.
    pub(super) fn is_on(&mut self, attempt: Attempt) {
        if self.job.is_none() {
            self.attempt = attempt;
        }
    }

    /// Does the next submission; `false` when everything is done.
    pub(super) async fn advance(&mut self, graphics: &Graphics) -> Result<bool, Failure> {
        let job = match &mut self.job {
            Some(job) => job,
            none => none.insert(graphics.job(self.asked.request.clone())?),
        };
        job.advance().await
    }

    /// What was asked for, and the run itself where it has begun.
    pub(super) fn into_parts(self) -> (Asked, Option<GpuJob>) {
        (self.asked, self.job)
    }
}
