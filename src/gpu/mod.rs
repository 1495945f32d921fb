//! The same plan as on the processor, executed by WGSL compute shaders through wgpu. Nothing else names wgpu.
//!
//! One shader file stands beside each kernel of `cpu` and has its name. Rows of every matrix on the device are padded
//! with zeros to a multiple of four numbers, so that everything is read and written as vectors of four.

mod batch;
mod context;
mod fault;
mod inputs;
mod kernels;
mod mask;
pub mod params;
mod pool;
mod product;
mod results;
mod run;
mod signal;
mod tensor;
mod tier;
mod tiles;
mod weights;
mod wide;

pub use context::Gpu;
pub use fault::{Absence, Fault};
pub use kernels::{Access, Kernel, Shader};
pub use run::Run;
pub use tier::{Adapter, Tier};

use crate::attention::{Code, Config, Error, Position};

/// Refuses what the shaders do not know yet.
pub fn takes(config: &Config) -> Result<(), Error> {
    let knows = matches!(config.position, Position::None | Position::Sinusoidal);
    if knows && !config.mask_after && config.temperature == 1.0 {
        return Ok(());
    }
    let rule =
        "rotary positions, ALiBi, a temperature and a mask after the softmax run on the processor";
    Err(Error::new(
        Code::BackendUnavailable,
        "backend",
        "\"webgpu\"",
        rule,
    ))
}
