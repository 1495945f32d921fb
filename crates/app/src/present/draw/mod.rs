//! Attention painted by the user, and the projections that gradient descent
//! finds for it.

wasm_chunks::chunk!("models");

mod charts;
pub mod lab;
pub mod panel;
pub mod pattern;
mod reasons;
pub mod view;

/// Most words of a sentence that are used.
pub const MOST_WORDS: usize = 24;
