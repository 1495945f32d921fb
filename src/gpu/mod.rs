//! The same plan as on the processor, executed by WGSL compute shaders through wgpu. Nothing else names wgpu.
//!
//! One shader file stands beside each kernel of `cpu` and has its name. Rows of every matrix on the device are padded
//! with zeros to a multiple of four numbers, so that everything is read and written as vectors of four.

mod context;
mod fault;
mod run;
mod signal;
mod tier;

pub use context::Gpu;
pub use fault::{Absence, Fault};
pub use run::Run;
pub use tier::{Adapter, Tier};
