//! Attention computed and drawn in the browser.

pub mod analysis;
pub mod api;
pub mod app;
pub mod attention;
#[cfg(target_arch = "wasm32")]
pub mod bindings;
pub mod complexity;
pub mod cpu;
pub mod engine;
pub mod plan;
pub mod text;
#[cfg(target_arch = "wasm32")]
pub mod ui;
pub mod view;
pub mod words;
