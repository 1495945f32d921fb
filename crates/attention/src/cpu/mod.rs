//! The 32-bit CPU path: an executor that follows a [`Plan`](crate::plan::Plan) tile by tile.
//!
//! Matrix products are those of `ndarray`, which has SIMD kernels for wasm and native targets; softmax and additive scores come
//! from the `kernels` package.

mod buffers;
mod f64_scores;
mod matmul;
mod rotary;
mod run;
mod score;
mod tile;

pub use run::Run;
