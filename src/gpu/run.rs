//! Follows a plan on the device.

use std::sync::Arc;

use super::{Fault, Gpu};
use crate::attention::{Request, Trace};
use crate::plan::RowSink;

/// A run in progress: the asynchronous twin of `cpu::Run`.
pub struct Run {
    request: Arc<Request>,
}

impl Run {
    /// Prepares a run.
    ///
    /// # Errors
    /// [`Fault::TooLarge`] where a tensor that cannot be split is beyond the device's limits.
    pub fn new(gpu: &Gpu, request: Arc<Request>) -> Result<Self, Fault> {
        let _ = (gpu, request);
        Err(Fault::TooLarge("not yet".to_owned()))
    }

    /// One submission and what it gives back; `false` when everything is done.
    ///
    /// # Errors
    /// A [`Fault`]; the run cannot go on after it.
    pub async fn advance(&mut self, sink: &mut dyn RowSink) -> Result<bool, Fault> {
        let _ = sink;
        Ok(false)
    }

    /// The results, once [`advance`](Self::advance) has returned `false`.
    pub fn finish(self) -> Trace<f32> {
        Trace {
            q: None,
            k: None,
            v: None,
            scores: None,
            weights: None,
            context: None,
            output: None,
            empty_rows: self.request.empty_rows(),
        }
    }
}
