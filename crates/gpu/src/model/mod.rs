//! A model on the device: the steps of the `model` package, run forward and backward by kernels.
//!
//! Everything is of 32 bits. Where scores may be so large that their rounding counts, a pass is refused, and whoever asked computes it
//! elsewhere.

mod attention;
mod back;
mod layer_context;
mod learning;
mod numbers;
mod operations;
mod pass;
mod recorder;
mod shaders;

use crate::Gpu;
use model::{AttentionSlots, ModelConfig, ModelStep, TableSlots};
use recorder::Rows;

pub use back::DeviceGradients;
pub use pass::{Pass, PassResults};
pub(crate) use shaders::shader;

/// The numbers of a model on a device.
pub struct DeviceModel {
    gpu: Gpu,
    config: ModelConfig,
    steps: Vec<ModelStep>,
    attention: Vec<AttentionSlots>,
    tables: TableSlots,
    numbers: numbers::Numbers,
    /// Adam's moments of every tensor, once it has taken a step.
    moments: Option<[Vec<Rows>; 2]>,
    /// Whether it has taken a step that was not read back.
    is_dirty: bool,
}

impl DeviceModel {
    /// Whether its numbers have changed since they were uploaded or read back.
    pub fn is_dirty(&self) -> bool {
        self.is_dirty
    }

    /// Whether its device is lost, and it with that.
    pub fn is_lost(&self) -> bool {
        self.gpu.lost().is_some()
    }
}
