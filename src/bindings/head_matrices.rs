//! One head's matrices, sent from the worker to the window for the step view.

use js_sys::{Array, Float32Array, Object};
use wasm_bindgen::JsValue;

use super::js_object::{floats, get, number, object};
use engine::{HeadMatrices, HeadSlices, RunResult};

/// Worker side: the matrices of `head`; nothing if the run did not return all of them.
pub(super) fn message(outcome: &RunResult, head: usize, transfer: &Array) -> Option<Object> {
    let slices = HeadSlices::from_result(outcome, head)?;
    Some(object([
        ("head", JsValue::from_f64(head as f64)),
        ("q", sent(slices.q, transfer)),
        ("k", sent(slices.k, transfer)),
        ("v", sent(slices.v, transfer)),
        ("scores", sent(slices.scores, transfer)),
        ("context", sent(slices.context, transfer)),
    ]))
}

/// A copy that is transferred, not copied again.
fn sent(values: &[f32], transfer: &Array) -> JsValue {
    let values = Float32Array::from(values);
    transfer.push(&values.buffer());
    values.into()
}

/// The window's side.
pub(super) fn from_message(message: &JsValue) -> Option<HeadMatrices> {
    let parts = get(message, "parts");
    Some(HeadMatrices {
        head: number(&parts, "head") as usize,
        q: floats(&parts, "q")?,
        k: floats(&parts, "k")?,
        v: floats(&parts, "v")?,
        scores: floats(&parts, "scores")?,
        context: floats(&parts, "context")?,
    })
}
