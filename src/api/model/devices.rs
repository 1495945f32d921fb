//! Where the passes of a model are computed.

use std::cell::Cell;
use std::ops::AsyncFnOnce;

use super::Fields;
use super::options;
use app::js_tree::JsTree;
use attention::{Code, Error};
use engine::{Backend, BackendChoice, DeviceModel, Failure, Sample, VerifiedGpu, Workload};
use model::Model;

/// The devices that there are besides the processor, and a clock.
pub trait Devices {
    /// The device that a pass goes to; nothing where that is the processor.
    ///
    /// # Errors
    /// Why WebGPU is not there, where it was asked for.
    fn device(&self, choice: BackendChoice, load: Workload) -> Result<Option<VerifiedGpu>, Error>;

    /// A pass has ended.
    fn learn(&self, backend: Backend, pass: Sample);

    /// A pass has failed on the device.
    fn failed(&self, failure: &Failure, load: Workload);

    /// Milliseconds since any moment.
    fn now_ms(&self) -> f64;
}

/// A model's numbers on a device, as long as those of the host are the same.
#[derive(Default)]
pub(super) struct OnDevice {
    model: Option<DeviceModel>,
    /// Whether a device has refused a pass with these numbers.
    is_refused: bool,
}

impl OnDevice {
    /// The numbers of the host have changed.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The model on a device; it is to be returned after a pass.
    async fn take_model(
        &mut self,
        device: &VerifiedGpu,
        model: &Model,
    ) -> Result<DeviceModel, Failure> {
        match self.model.take() {
            Some(own) if !own.is_lost() => Ok(own),
            _ => device.upload(model).await,
        }
    }

    /// Keeps a model for the next pass, unless it has taken steps that were not read back.
    fn return_model(&mut self, own: DeviceModel) {
        self.model = Some(own).filter(|own| !own.is_dirty());
    }
}

/// Where a pass is to be computed, and how large it is.
pub(super) struct Placement<'a> {
    pub(super) devices: &'a dyn Devices,
    pub(super) choice: BackendChoice,
    /// Of one pass.
    pub(super) load: Workload,
    /// How many there were.
    pub(super) passes: Cell<u32>,
}

impl<'a> Placement<'a> {
    /// One pass.
    pub(super) fn new(devices: &'a dyn Devices, choice: BackendChoice, load: Workload) -> Self {
        Self {
            devices,
            choice,
            load,
            passes: Cell::new(1),
        }
    }

    /// The result of a pass on the device that it goes to; nothing where the processor is to compute it.
    ///
    /// # Errors
    /// Why WebGPU cannot do it, where it was asked for.
    pub(super) async fn on_device<T>(
        &self,
        on_device: &mut OnDevice,
        model: &Model,
        pass: impl AsyncFnOnce(&mut DeviceModel) -> Result<T, Failure>,
    ) -> Result<Option<T>, Error> {
        let requires_webgpu = self.choice == BackendChoice::WebGpu;
        if on_device.is_refused && !requires_webgpu {
            return Ok(None);
        }
        let Some(device) = self.devices.device(self.choice, self.load)? else {
            return Ok(None);
        };
        let found = async {
            let mut own = on_device.take_model(&device, model).await?;
            // Passes after the first find the numbers there.
            let start = self.devices.now_ms();
            let found = pass(&mut own).await;
            if found.is_ok() {
                self.learn(Backend::WebGpu, start);
            }
            on_device.return_model(own);
            found
        };
        let found = found.await;
        on_device.is_refused = matches!(found, Err(Failure::Request(_)));
        match found {
            Ok(found) => Ok(Some(found)),
            Err(failure) => {
                self.devices.failed(&failure, self.load);
                if requires_webgpu {
                    Err(failure.into_refusal())
                } else {
                    Ok(None)
                }
            }
        }
    }

    /// The result of a pass on the processor.
    pub(super) fn on_processor<T>(
        &self,
        pass: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        let start = self.devices.now_ms();
        let found = pass()?;
        self.learn(Backend::Cpu, start);
        Ok(found)
    }

    fn learn(&self, backend: Backend, start_ms: f64) {
        let ms = (self.devices.now_ms() - start_ms) / f64::from(self.passes.get().max(1));
        let load = self.load;
        self.devices.learn(backend, Sample { load, ms });
    }
}

/// The backend that is asked for, where one is.
pub(super) fn choice(fields: &mut Fields) -> Result<Option<BackendChoice>, Error> {
    let is_given = fields.has("backend");
    let choice = options::backend(fields)?;
    Ok(is_given.then_some(choice))
}

/// Refuses WebGPU for what only the processor computes.
pub(super) fn processor_only(fields: &mut Fields, what: &str) -> Result<(), Error> {
    match choice(fields)? {
        Some(BackendChoice::WebGpu) => Err(only_on_processor(what)),
        _ => Ok(()),
    }
}

pub(super) fn only_on_processor(what: &str) -> Error {
    let rule = format!("{what} is computed on the processor; ask for \"auto\" or \"cpu\"");
    let value = JsTree::text("webgpu").describe();
    Error::new(Code::BackendUnavailable, "backend", value, rule)
}

/// Where an answer was computed, as a field of it.
pub(super) fn backend_entry(backend: Backend) -> (&'static str, JsTree) {
    ("backend", JsTree::text(backend.name()))
}
