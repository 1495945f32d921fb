//! Attention that a reader draws, and the projections that descent finds for it.

mod charts;
pub mod lab;
pub mod pattern;
mod reasons;
pub mod view;

/// The most words that are used of a sentence.
pub const MOST_WORDS: usize = 24;
