//! The fast 32-bit path: kernels over slices, and the executor that follows a [`Plan`](crate::plan::Plan).
//!
//! Matrix products are those of `ndarray` (which carries its own SIMD kernels for wasm and for hosts). What it does
//! not have is here: `lanes` is one small vector type with a `simd128` body and a portable one, and `exp`,
//! `softmax` and `score` are written once over it.

mod execute;
mod exp;
mod lanes;
mod matmul;
mod score;
mod softmax;
mod state;
mod tile;
mod turn;
mod wide;

pub use execute::Run;
pub use exp::{exp, tanh};
pub use softmax::softmax_rows;
