//! One run on a GPU, driven step by step like a [`Job`](super::Job).

wasm_chunks::chunk!("gpu");

use std::sync::Arc;

use super::job::{Measures, check_range};
use super::{Backend, Reason, RunResult};
use attention::analysis::HeadStats;
use attention::{Error, Request, Sizes, Trace};
use gpu::{Destinations, Gpu, GpuError, OpenError, Run};

/// A run in progress on a GPU.
pub struct GpuJob {
    run: Run,
    measures: Measures,
    sizes: Sizes,
}

/// Why a run on a GPU came to no result.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The device did not do it; the request itself is in order and can be computed elsewhere.
    Device(Reason),
    /// The numbers of the request are too many or too large.
    Request(Error),
}

impl GpuJob {
    /// Prepares a run of `request`.
    ///
    /// # Errors
    /// Requests that exceed the device's limits, and failed allocations.
    pub fn new(gpu: &Gpu, request: Arc<Request>) -> Result<Self, Failure> {
        Self::with_destinations(gpu, request, Destinations::default())
    }

    /// [`new`](Self::new) with scores and weights that go elsewhere than to the result.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_destinations(
        gpu: &Gpu,
        request: Arc<Request>,
        destinations: Destinations,
    ) -> Result<Self, Failure> {
        let sizes = *request.sizes();
        let measures = Measures::for_request(&request);
        Ok(Self {
            run: Run::with_destinations(gpu, request, destinations)?,
            measures,
            sizes,
        })
    }

    /// Takes the results of one submission while the next is on its way; `false` when everything is done.
    ///
    /// # Errors
    /// Why the run cannot go on.
    pub async fn advance(&mut self) -> Result<bool, Failure> {
        let measures = &mut self.measures;
        Ok(self.run.advance(&mut |row| measures.measured(row)).await?)
    }

    /// The results, once [`advance`](Self::advance) has returned `false`.
    ///
    /// # Errors
    /// [`NotFinite`](attention::Code::NotFinite) if numbers left the range of 32 bit.
    pub fn finish(self) -> Result<RunResult, Failure> {
        let beyond = self.run.beyond_range();
        let trace = self.run.finish();
        // The device has looked at scores and weights.
        let of_large = || match beyond {
            Some((field, value)) => Err(Error::beyond_range(field, value)),
            None => Ok(()),
        };
        check_range(&trace, of_large).map_err(Failure::Request)?;
        Ok(RunResult {
            trace,
            stats: self.measures.finish(),
            backend: Backend::WebGpu,
            sizes: self.sizes,
        })
    }

    /// The results and the measures as they are, finite or not.
    pub(super) fn into_results(self) -> (Trace<f32>, Option<Vec<Vec<HeadStats>>>) {
        (self.run.finish(), self.measures.finish())
    }
}

impl Failure {
    /// Why a run that was finished elsewhere was not finished here.
    pub fn into_reason(self) -> Reason {
        match self {
            Self::Device(reason) => reason,
            Self::Request(error) => Reason::Rejected {
                detail: error.to_string(),
            },
        }
    }

    /// Error of a call that requires WebGPU.
    pub fn into_refusal(self) -> Error {
        match self {
            Self::Device(reason) => reason.refusal(),
            Self::Request(error) => error,
        }
    }

    /// Reason to give up the device, if it is lost or unreliable.
    pub fn ends_device(&self) -> Option<&Reason> {
        match self {
            Self::Device(reason) if reason.is_of_the_device() => Some(reason),
            _ => None,
        }
    }
}

impl From<GpuError> for Failure {
    fn from(fault: GpuError) -> Self {
        Self::Device(match fault {
            GpuError::Lost(detail) => Reason::Lost { detail },
            GpuError::OutOfMemory(_) => Reason::OutOfMemory,
            GpuError::Invalid(detail) => Reason::Rejected { detail },
            GpuError::TooLarge(detail) => Reason::TooLarge { detail },
            GpuError::Refused(error) => return Self::Request(error),
        })
    }
}

impl From<Failure> for Reason {
    fn from(failure: Failure) -> Self {
        failure.into_reason()
    }
}

impl From<OpenError> for Reason {
    fn from(absence: OpenError) -> Self {
        match absence {
            OpenError::NoAdapter => Self::NoAdapter,
            OpenError::NoDevice(detail) => Self::NoDevice { detail },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use attention::Code;

    #[test]
    fn faults_of_the_device_and_of_the_request_are_told_apart() {
        let lost = Failure::from(GpuError::Lost("gone".to_owned()));
        assert!(lost.ends_device().is_some());
        assert_eq!(lost.into_refusal().code, Code::BackendUnavailable);
        let large = Failure::from(GpuError::TooLarge("q".to_owned()));
        assert_eq!(large.ends_device(), None);
        assert_eq!(large.into_reason().code(), "too_large");
        let error = Error::new(Code::NotFinite, "output", f32::INFINITY, "must be finite");
        let refused = Failure::Request(error.clone());
        assert_eq!(refused.ends_device(), None);
        assert_eq!(refused.clone().into_refusal(), error);
        assert!(refused.into_reason().to_string().contains("must be finite"));
    }
}
