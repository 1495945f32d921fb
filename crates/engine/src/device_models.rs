//! Models on a GPU that passed the check, once kernels of models have passed one of their own.

wasm_chunks::chunk!("gpu_models");

use super::{Failure, Reason, VerifiedGpu, probe};
use model::Model;

pub use gpu::{DeviceModel, Pass, PassResults};

impl VerifiedGpu {
    /// Uploads the numbers of a model. The first model of a device waits for the check.
    ///
    /// # Errors
    /// As [`DeviceModel::upload`]; [`ProbeFailed`](super::Reason::ProbeFailed) where the device computes models wrong.
    pub async fn upload(&self, model: &Model) -> Result<DeviceModel, Failure> {
        let known = self.models.borrow().clone();
        let verdict = match known {
            Some(verdict) => verdict,
            None => {
                let verdict = probe::check_models(&self.gpu).await;
                // What a device lacks at the moment, such as memory, says nothing of the next time.
                if matches!(verdict, Ok(()) | Err(Reason::ProbeFailed { .. })) {
                    self.models.borrow_mut().get_or_insert(verdict.clone());
                }
                verdict
            }
        };
        verdict.map_err(Failure::Device)?;
        Ok(DeviceModel::upload(&self.gpu, model).await?)
    }
}
