//! The same run on both backends, compared.

use js_sys::Object;
use wasm_bindgen::JsValue;

use super::js_object::{number, object};
pub use app::present::backend_comparison::Comparison;

/// A message of the worker.
pub(super) fn to_message(comparison: &Comparison) -> Object {
    object([
        ("difference", comparison.difference.into()),
        ("allowed", comparison.allowed.into()),
        ("head", (comparison.head as f64).into()),
        ("row", (comparison.row as f64).into()),
        ("column", (comparison.column as f64).into()),
        ("cpu", comparison.cpu.into()),
        ("webgpu", comparison.webgpu.into()),
        ("cpu_ms", comparison.cpu_ms.into()),
        ("webgpu_ms", comparison.webgpu_ms.into()),
    ])
}

/// Out of a message of the worker.
pub(super) fn from_message(message: &JsValue) -> Comparison {
    let number = |name| number(message, name);
    Comparison {
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
