//! 32-bit SIMD kernels over slices, without dependencies.
//!
//! [`simd`] is one vector type of four lanes with a `simd128` body and a portable one; matrix products ([`multiply`] and what stands
//! beside it), [`exp()`], [`tanh`], [`softmax_rows`], [`additive_scores`] and measures such as [`entropy`] are written once over it; [`widen`] makes floats of what checkpoints store. Both bodies do the same operations in the same order, so they give the same bits.
//! This is the only package with `unsafe` code.

#![deny(missing_docs)]

mod additive;
mod blocks;
mod exp;
mod lines;
mod log;
mod matmul;
mod packed;
mod reduce;
mod row;
pub mod simd;
mod softmax;
pub mod widen;

pub use additive::additive_scores;
pub use blocks::Blocks;
pub use exp::{exp, tanh};
pub use lines::multiply_lines;
pub use matmul::{multiply, multiply_scaled, multiply_sparse};
pub use packed::Packed;
pub use reduce::{all_finite, largest_norm};
pub use row::{add_to_bins, are_shares, bin_of, entropy, first_largest, sum};
pub use softmax::{softmax_range, softmax_rows};
