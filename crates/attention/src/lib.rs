//! The definitions of attention: what is computed, never how fast or where it is shown.
//!
//! `softmax(Q Kᵀ / √d_k) V` (Vaswani et al. 2017, eq. 1) and its relatives. Nothing here knows of the web, of a
//! GPU or of SIMD. A caller builds a [`Layer`] (weights and what belongs to them) and a [`Request`] (one call);
//! both are validated on the way in, so that everything that reads them can trust shapes and finiteness.
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

pub mod analysis;
pub mod complexity;
mod config;
pub mod cpu;
mod error;
mod heads;
mod layer;
mod linformer;
mod mask;
pub mod plan;
mod position;
mod projection;
pub mod reference;
mod request;
mod score;
mod softmax;
pub mod sort;
pub mod streaming;
pub mod text;
mod trace;

pub use config::{Config, InputKind, Sizes};
pub use error::{Code, Error};
pub use heads::{HeadSharing, kv_head_of};
pub use layer::{Layer, LayerOptions, Weights};
pub use linformer::Linformer;
pub use mask::{CellIndex, ExplicitMask, Mask};
pub use position::{MOST_STRENGTH, Position, alibi_slope, rotation, sinusoid, sinusoidal_encoding};
pub use projection::Linear;
pub use request::{CallOptions, HeadInputs, Request, Source, TEMPERATURES};
pub use score::{Scoring, default_scale};
pub use trace::{Outputs, Trace, zeros4};
