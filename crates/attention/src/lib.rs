//! Attention: its definitions, a 64-bit reference, plans, a CPU executor, measures, costs, tokens and weights.
//!
//! `softmax(Q Kᵀ / √d_k) V` (Vaswani et al. 2017, eq. 1) and its variants. This package knows neither the web nor a GPU; SIMD is
//! in `kernels`. A caller builds a [`Layer`] (weights and their settings) and a [`Request`] (one call); both are validated when they
//! are made, so that all other code can rely on shapes and finiteness.
//!
//! # Axes
//!
//! | letter | meaning |
//! |---|---|
//! | `batch` | independent inputs |
//! | `n` | query rows |
//! | `m` | rows of the keys and values |
//! | `keys` | key columns of the score matrix: `m`, or Linformer's `k` |
//! | `heads`, `kv_heads` | query heads and key/value heads |
//! | `d_model`, `d_k`, `d_v`, `d_out` | widths of input, queries and keys, values, output |
//!
//! Arrays are row-major; rows are queries and columns are keys; in a mask `true` means visible.

#![deny(missing_docs)]

pub mod analysis;
mod bias;
pub mod complexity;
mod config;
pub mod cpu;
mod error;
mod explicit_mask;
mod heads;
mod layer;
mod linformer;
mod mask;
mod places;
pub mod plan;
mod position;
mod projection;
pub mod reference;
mod refinements;
mod request;
mod score;
mod softmax;
pub mod sort;
pub mod streaming;
pub mod text;
mod trace;

pub use bias::Bias;
pub use config::{Biases, Config, InputKind, Sizes};
pub use error::{Code, Error, check_finite};
pub use explicit_mask::ExplicitMask;
pub use heads::{HeadSharing, kv_head_of};
pub use layer::{Layer, LayerOptions, Weights};
pub use linformer::Linformer;
pub use mask::{CellIndex, Documents, Mask};
pub use places::{MOST_QUERY_START, Places};
pub use position::{
    MOST_STRENGTH, Pairs, Position, Rotation, Slopes, alibi_slope, rotation, sinusoid,
    sinusoidal_encoding, sinusoidal_encoding_at,
};
pub use projection::Linear;
pub use refinements::{HeadNorms, Refinements};
pub use request::{CallOptions, HeadInputs, Request, Source, TEMPERATURES};
pub use score::{Scoring, default_scale};
pub(crate) use trace::Rows;
pub use trace::{Outputs, Trace, zeros4};
