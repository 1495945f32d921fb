//! One head's matrices, sent from the worker to the window for the step view.

use js_sys::{Array, Float32Array, Object};
use ndarray::{Array4, s};
use wasm_bindgen::JsValue;

use super::js_object::{get, number, object};
use super::page_result::floats;
use crate::engine::RunResult;
use attention::kv_head_of;

/// What a run made for one head besides its weights. Everything row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadMatrices {
    /// The query head.
    pub head: usize,
    /// `[n, d_k]`.
    pub q: Vec<f32>,
    /// `[m, d_k]`, of the key/value head that this head reads.
    pub k: Vec<f32>,
    /// `[m, d_v]`, of the same.
    pub v: Vec<f32>,
    /// `[n, keys]`, scaled and biased, before the mask.
    pub scores: Vec<f32>,
    /// `[heads, n, d_v]`, of every head.
    pub context: Vec<f32>,
}

/// The worker's side: the parts of `head`, and nothing where the run was not asked for all of them.
pub(super) fn message(outcome: &RunResult, head: usize, transfer: &Array) -> Option<Object> {
    let (trace, sizes) = (&outcome.trace, &outcome.sizes);
    let kv_head = kv_head_of(head, sizes.heads, sizes.kv_heads);
    let of = |all: &Option<Array4<f32>>, head: usize| {
        let own = all.as_ref()?;
        let own = own.slice(s![0, head, .., ..]);
        Some(sent(own.as_slice()?, transfer))
    };
    let context = trace.context.as_ref()?.as_slice()?;
    Some(object([
        ("head", JsValue::from_f64(head as f64)),
        ("q", of(&trace.q, head)?),
        ("k", of(&trace.k, kv_head)?),
        ("v", of(&trace.v, kv_head)?),
        ("scores", of(&trace.scores, head)?),
        ("context", sent(context, transfer)),
    ]))
}

/// A copy that is transferred, not copied again.
fn sent(values: &[f32], transfer: &Array) -> JsValue {
    let values = Float32Array::from(values);
    transfer.push(&values.buffer());
    values.into()
}

impl HeadMatrices {
    /// The window's side.
    pub(super) fn from_message(message: &JsValue) -> Option<Self> {
        let parts = get(message, "parts");
        Some(Self {
            head: number(&parts, "head") as usize,
            q: floats(&parts, "q")?,
            k: floats(&parts, "k")?,
            v: floats(&parts, "v")?,
            scores: floats(&parts, "scores")?,
            context: floats(&parts, "context")?,
        })
    }
}
