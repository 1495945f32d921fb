//! The same run on both backends, compared.

use js_sys::Object;
use wasm_bindgen::JsValue;

use super::js_object::{number, object};

/// How far the weights of two backends are apart, and where most.
#[derive(Debug, Clone, PartialEq)]
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
    /// A message of the worker.
    pub(super) fn to_message(&self) -> Object {
        object([
            ("difference", self.difference.into()),
            ("allowed", self.allowed.into()),
            ("head", (self.head as f64).into()),
            ("row", (self.row as f64).into()),
            ("column", (self.column as f64).into()),
            ("cpu", self.cpu.into()),
            ("webgpu", self.webgpu.into()),
            ("cpu_ms", self.cpu_ms.into()),
            ("webgpu_ms", self.webgpu_ms.into()),
        ])
    }

    /// Out of a message of the worker.
    pub(super) fn from_message(message: &JsValue) -> Self {
        let number = |name| number(message, name);
        Self {
            difference: number("difference"),
            allowed: number("allowed"),
            head: number("head") as usize,
            row: number("row") as usize,
            column: number("column") as usize,
            cpu: number("cpu") as f32,
            webgpu: number("webgpu") as f32,
            cpu_ms: number("cpu_ms"),
            webgpu_ms: number("webgpu_ms"),
        }
    }
}
