//! The same run on both backends, compared.

use js_sys::Object;
use wasm_bindgen::JsValue;

use super::js_object::{number, object};
pub use crate::present::backend_comparison::Comparison;

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
