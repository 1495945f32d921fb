//! Validates requests of the public API: from a tree of plain values to a checked [`Request`](attention::Request).
//!
//! The JavaScript bindings convert what they receive into a [`JsTree`](app::js_tree::JsTree) and nothing else; every rule of the API is
//! here, in plain Rust, and is tested without a browser. Values are accepted as they are or refused by name, never repaired. Memory is
//! allocated only after lengths were checked.

wasm_chunks::chunk!("more");

mod fields;
mod limits;
mod mask;
mod model;
mod options;
mod request;
mod tensor;
mod weights;

pub use limits::MOST_BYTES;
pub use model::{Devices, FileInfo, ModelAnswer, Opening, StoredModel, tasks};
pub use request::{Checked, CheckedLayer, compute, layer, layer_compute};
