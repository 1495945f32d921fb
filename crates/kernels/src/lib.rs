//! 32-bit SIMD kernels over slices, without dependencies.
//!
//! [`simd`] is one vector type of four lanes with a `simd128` body and a portable one; [`exp()`], [`tanh`], [`softmax_rows`] and
//! [`additive_score`] are written once over it. Both bodies do the same operations in the same order, so they give the same bits.
//! This is the only package with `unsafe` code.

#![deny(missing_docs)]

mod additive;
mod exp;
pub mod simd;
mod softmax;

pub use additive::additive_score;
pub use exp::{exp, tanh};
pub use softmax::softmax_rows;
