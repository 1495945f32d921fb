//! A GPU that was opened, checked and timed.

wasm_chunks::chunk!("gpu": VerifiedGpu::open, VerifiedGpu::verify);

use std::cell::RefCell;
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;

use super::device_lifecycle::DeviceTraits;
use super::{Backend, Failure, GpuJob, Reason, RunResult, latency_model, probe};
use attention::Request;
use gpu::{Destinations, Gpu, Tier};

/// Names of software adapters, as drivers and browsers report them.
const SOFTWARE: [&str; 5] = [
    "swiftshader",
    "llvmpipe",
    "lavapipe",
    "softpipe",
    "basic render",
];

/// A device that passed the check. Clones share it.
#[derive(Clone)]
pub struct VerifiedGpu {
    pub(super) gpu: Gpu,
    name: Option<String>,
    is_software: bool,
    terms: DeviceTraits,
    /// Whether it computes models right, once that was asked.
    pub(super) models: Rc<RefCell<Option<Result<(), Reason>>>>,
}

impl VerifiedGpu {
    /// Opens the device, then continues as [`verify`](Self::verify).
    ///
    /// # Errors
    /// Why there is no reliable device.
    pub async fn open(said: Option<String>, clock: impl Fn() -> f64) -> Result<Self, Reason> {
        Self::verify(Gpu::open().await?, said, clock).await
    }

    /// Checks a device against the reference and measures it with `clock`, in milliseconds. `said`
    /// is the adapter's name if the browser reports it elsewhere.
    ///
    /// # Errors
    /// Why it cannot be trusted; it is then destroyed.
    pub async fn verify(
        gpu: Gpu,
        said: Option<String>,
        clock: impl Fn() -> f64,
    ) -> Result<Self, Reason> {
        let name = Some(gpu.adapter().name.clone()).filter(|name| !name.is_empty());
        let name = name.or(said);
        let is_software = gpu.adapter().is_software || name.as_deref().is_some_and(is_of_software);
        let gpu = if is_software && !gpu.adapter().is_software {
            gpu.with_tier(Tier::Software)
        } else {
            gpu
        };
        let checked = async {
            probe::check(&gpu).await?;
            latency_model::measure(&gpu, &clock).await
        };
        match checked.await {
            Ok(pace) => Ok(Self {
                gpu: gpu.with_pace(pace.ms_per_flop(Backend::WebGpu)),
                name,
                is_software,
                terms: DeviceTraits { pace, is_software },
                models: Rc::default(),
            }),
            Err(reason) => {
                gpu.destroy();
                Err(reason)
            }
        }
    }

    /// The adapter's name, if it is known.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether the adapter is software that runs on the CPU.
    pub fn is_software(&self) -> bool {
        self.is_software
    }

    /// Returns the properties that decide the choice of a backend.
    pub fn terms(&self) -> DeviceTraits {
        self.terms.clone()
    }

    /// Prepares a run whose scores and weights go to `destinations`.
    ///
    /// # Errors
    /// As [`GpuJob::new`].
    pub fn job(
        &self,
        request: Arc<Request>,
        destinations: Destinations,
    ) -> Result<GpuJob, Failure> {
        GpuJob::with_destinations(&self.gpu, request, destinations)
    }

    /// Waits until the device is lost, without keeping it alive.
    pub fn until_lost(&self) -> impl Future<Output = String> + 'static {
        self.gpu.until_lost()
    }

    /// Destroys the device; its running work fails as lost.
    pub fn destroy(&self) {
        self.gpu.destroy();
    }

    /// Runs `request` to its end.
    ///
    /// # Errors
    /// As [`GpuJob`].
    pub async fn run(&self, request: Arc<Request>) -> Result<RunResult, Failure> {
        let mut job = self.job(request, Destinations::default())?;
        while job.advance().await? {}
        job.finish()
    }
}

fn is_of_software(name: &str) -> bool {
    let name = name.to_lowercase();
    SOFTWARE.iter().any(|software| name.contains(software))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn software_adapters_are_known_by_name() {
        for name in [
            "google swiftshader",
            "llvmpipe (LLVM 19)",
            "Microsoft Basic Render Driver",
        ] {
            assert!(is_of_software(name), "{name}");
        }
        for name in ["nvidia ampere", "apple metal-3", ""] {
            assert!(!is_of_software(name), "{name}");
        }
    }
}
