//! Executes the plan of the `attention` package, and the steps of the `model` package, by WGSL compute shaders through wgpu. No other
//! package uses wgpu.
//!
//! Rows of every matrix on the device are padded with zeros to a multiple of four, so that kernels read and write vectors of four.

#![deny(missing_docs)]

mod batch;
mod bind_groups;
mod context;
mod counts;
mod double_f32;
mod error;
mod error_scopes;
mod finish;
mod fused;
mod inputs;
mod kernels;
mod large;
mod limits;
mod mask;
mod matmul_layout;
mod measures;
mod model;
mod oneshot;
mod packing;
mod pool;
mod product_blocks;
mod results;
mod run;
mod staging;
mod tensor;
mod tier;
mod tile_sizes;
mod tiles;
pub mod uniforms;
mod weights;
mod writer;

pub use context::Gpu;
pub use counts::Counts;
pub use error::{GpuError, OpenError};
pub use kernels::{Access, Kernel, Shader};
pub use measures::MEASURED_ROW_BYTES;
pub use model::{DeviceGradients, DeviceModel, Pass, PassResults};
pub use run::Run;
pub use tier::{Adapter, Tier};
pub use writer::{Destinations, MappedNumbers, Piece, ResultWriter};
