//! Attention computed and drawn in the browser: the page.
//!
//! `app` decides what is on the page and what follows from an event, natively; `engine` decides which backend computes it, and
//! `attention` what it is. Here is what only a browser can do (`browser`, `bindings`), and the public compute request ([`api`]).
//!
//! # Fixed semantics
//!
//! - Rows are queries and columns are keys, in names, arrays, pictures and exports.
//! - In a mask `true` (or 1) is visible.
//! - A row with nothing visible has zero weights and is counted; overwriting hidden scores with a finite number such as
//!   −1e9 instead is a choice of the caller.
//! - Query head `g` reads key/value head `g / (heads / kv_heads)`.
//! - Backends compute in `f32`, the reference in `f64`. Entropy is in nats.
//! - Random numbers come from a seed, without the platform's mathematics library: one link, one picture, everywhere.

pub mod api;
#[cfg(target_arch = "wasm32")]
pub mod bindings;
#[cfg(target_arch = "wasm32")]
pub mod browser;
