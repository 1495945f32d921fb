//! Attention computed and drawn in the browser.
//!
//! The library is read from the inside out. [`attention`] holds the definitions and a 64-bit reference; [`plan`] turns
//! sizes and switches into printable steps; [`cpu`] runs those steps in 32-bit SIMD, [`gpu`] in WebGPU shaders; [`engine`] chooses a backend and
//! drives a run. [`analysis`] and [`complexity`] say what weights show and what steps cost. [`text`] makes tokens,
//! embeddings and weights out of a sentence, [`app`] is the page's state, [`view`] its pixels and marks, [`words`] what
//! people read. [`formats`] reads and writes files of tensors, [`coding`] bytes as letters. [`api`] is the one door for requests from outside. Only `ui` and `bindings`, which exist in the wasm
//! build alone, know of a browser.
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

pub mod analysis;
pub mod api;
pub mod app;
pub mod attention;
#[cfg(target_arch = "wasm32")]
pub mod bindings;
pub mod coding;
pub mod complexity;
pub mod cpu;
pub mod engine;
pub mod formats;
pub mod gpu;
pub mod plan;
mod sorting;
pub mod text;
#[cfg(target_arch = "wasm32")]
pub mod ui;
pub mod view;
pub mod words;
