//! The 32-bit CPU path: an executor that follows a [`Plan`](crate::plan::Plan) tile by tile.
//!
//! Matrix products, softmax and additive scores come from the `kernels` package; arrays are `ndarray`'s. Weights are packed once
//! for a layer, keys and values once for a head.

mod buffers;
mod f64_scores;
mod head_norm;
mod kv_head;
mod matmul;
mod packed_weights;
mod rotary;
mod run;
mod share;
mod tile;
mod visible;

pub use head_norm::normalize_head;
pub(crate) use packed_weights::PackedWeights;
pub use rotary::{Turns, turn_back};
pub use run::Run;
pub use share::Share;
