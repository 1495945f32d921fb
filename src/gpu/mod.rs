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
