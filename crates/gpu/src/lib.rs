//! The same plan as on the processor, executed by WGSL compute shaders through wgpu. Nothing else names wgpu.
//!
//! One shader file stands beside each kernel of `cpu` and has its name. Rows of every matrix on the device are padded
//! with zeros to a multiple of four numbers, so that everything is read and written as vectors of four.

mod batch;
mod context;
mod double_f32;
mod error;
mod inputs;
mod kernels;
mod mask;
mod matmul_layout;
mod oneshot;
mod pool;
mod results;
mod run;
mod tensor;
mod tier;
mod tiles;
pub mod uniforms;
mod weights;

pub use context::Gpu;
pub use error::{GpuError, OpenError};
pub use kernels::{Access, Kernel, Shader};
pub use run::Run;
pub use tier::{Adapter, Tier};
