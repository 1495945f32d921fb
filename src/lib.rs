//! Attention computed and drawn in the browser: the page.
//!
//! Data flows one way: event → [`state`] → request → plan → [`engine`] → trace → [`present`] → [`scene`] and markup → screen. What
//! attention is lives in the packages below `crates/`: `attention` (definitions, reference, plan, CPU executor, analysis, text), `kernels`
//! (SIMD), `gpu` (WebGPU) and `formats` (files). Only `browser` and `bindings`, which exist in the wasm build alone, name the DOM.
//!
//! | module | holds |
//! |---|---|
//! | [`state`] | the validated record of all settings, its links, and the actions on it |
//! | [`engine`] | runs, backends, and the order of runs |
//! | [`present`] | view models: what to show and say about a state and its run |
//! | [`scene`] | shapes, colours, scales and layouts of pictures |
//! | [`views`] | panels as functions from view models to markup |
//! | [`import`], [`export`], [`share`] | files in, files out, links and embeds |
//! | [`message`] | the protocol for pages that embed this one |
//! | [`api`] | the public compute request as plain data, and its rules |
//! | [`js_tree`] | a plain JavaScript value, which [`api`] and [`message`] are given |
//! | [`i18n`] | every text that people read |
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
pub mod app;
#[cfg(target_arch = "wasm32")]
pub mod bindings;
#[cfg(target_arch = "wasm32")]
pub mod browser;
pub mod engine;
pub mod export;
pub mod i18n;
pub mod import;
pub mod js_tree;
pub mod message;
pub mod present;
pub mod scene;
pub mod share;
pub mod state;
pub mod views;
