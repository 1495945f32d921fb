//! The same run on both backends, compared.

use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

use super::error::Refusal;

/// How far the weights of two backends are apart, and where most.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The largest difference of two weights.
    pub difference: f64,
    /// The largest difference that the promised accuracy of both allows.
    pub allowed: f64,
    /// The head of that weight.
    pub head: usize,
    /// Its query.
    pub row: usize,
    /// Its key.
    pub column: usize,
    /// The CPU's value there.
    pub cpu: f32,
    /// WebGPU's value there.
    pub webgpu: f32,
    /// Milliseconds on the processor.
    pub cpu_ms: f64,
    /// Milliseconds on WebGPU.
    pub webgpu_ms: f64,
}

impl Comparison {
    /// Out of a message of the worker.
    pub(super) fn from_message(message: JsValue) -> Result<Self, Refusal> {
        serde_wasm_bindgen::from_value(message)
            .map_err(|error| Refusal::stopped(&error.to_string()))
    }
}
