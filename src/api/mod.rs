//! The door for requests from outside: from a tree of plain values to a checked [`Request`](attention::Request).
//!
//! Whoever speaks to the outside (the JavaScript bindings) turns what it was given into a [`Raw`] tree and nothing
//! else; every rule of the public API is here, in plain Rust, and is tested without a browser. Nothing is repaired or
//! guessed: a value is taken as it was meant or refused by name. Memory is asked for only after lengths were checked.

mod fields;
mod limits;
mod mask;
mod options;
mod raw;
mod request;
mod tensor;
mod weights;

pub use limits::MOST_BYTES;
pub use raw::{Raw, clip};
pub use request::{Checked, CheckedLayer, compute, layer, layer_compute};
