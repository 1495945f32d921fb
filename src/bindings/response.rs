//! Converts the results of a run to the objects of the public API.

use js_sys::{Array, Float32Array, Float64Array, Object};
use ndarray::{Array as NdArray, ArrayView, Axis, Dimension, RemoveAxis};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::js_object::{object, set};
use crate::engine::RunResult;
use attention::Sizes;
use attention::analysis::HeadStats;

#[wasm_bindgen]
extern "C" {
    /// `{ shape, data }`. Setters need no text for the name of a field, which would be read anew each time.
    #[wasm_bindgen(extends = Object)]
    type Tensor;

    #[wasm_bindgen(method, setter)]
    fn set_shape(this: &Tensor, shape: &Array);

    #[wasm_bindgen(method, setter)]
    fn set_data(this: &Tensor, data: &Float32Array);
}

/// An answer, and the buffers that move with it instead of being copied.
pub(super) struct Response {
    pub(super) result: Object,
    pub(super) transfer: Array,
}

/// What a run computed.
pub(super) struct ComputedRun<'a> {
    /// All of it, but for `weights`.
    pub(super) result: &'a RunResult,
    /// The weights, `[batch, heads, n, keys]`, where the run wrote them into JavaScript's memory instead of the trace.
    pub(super) weights: Option<Float32Array>,
}

impl<'a> From<&'a RunResult> for ComputedRun<'a> {
    fn from(result: &'a RunResult) -> Self {
        Self {
            result,
            weights: None,
        }
    }
}

/// The result of a call; the batch axis goes where the caller gave none.
pub(super) fn answer(run: ComputedRun<'_>, has_batch: bool, elapsed_ms: f64) -> Response {
    let ComputedRun { result, weights } = run;
    let trace = &result.trace;
    let writer = Writer {
        has_batch,
        answer: Response {
            result: Object::new(),
            transfer: Array::new(),
        },
    };
    writer.put("backend", &result.backend.name().into());
    writer.tensor("q", trace.q.as_ref());
    writer.tensor("k", trace.k.as_ref());
    writer.tensor("v", trace.v.as_ref());
    writer.tensor("scores", trace.scores.as_ref());
    match weights {
        Some(weights) => {
            let Sizes {
                batch,
                heads,
                n,
                keys,
                ..
            } = result.sizes;
            let shape = [batch, heads, n, keys];
            let shape = &shape[usize::from(!has_batch)..];
            writer.put("weights", &writer.array(shape, weights));
        }
        None => writer.tensor("weights", trace.weights.as_ref()),
    }
    writer.tensor("context", trace.context.as_ref());
    writer.tensor("output", trace.output.as_ref());
    writer.put("empty_rows", &(trace.empty_rows as f64).into());
    if let Some(stats) = &result.stats {
        writer.put("stats", &stats_of(stats, has_batch));
    }
    writer.put("elapsed_ms", &elapsed_ms.into());
    writer.answer
}

struct Writer {
    has_batch: bool,
    answer: Response,
}

impl Writer {
    fn put(&self, name: &str, value: &JsValue) {
        set(&self.answer.result, name, value);
    }

    fn tensor<D: Dimension + RemoveAxis>(&self, name: &str, tensor: Option<&NdArray<f32, D>>) {
        let Some(tensor) = tensor else { return };
        let written = if self.has_batch {
            self.written(tensor.view())
        } else {
            self.written(tensor.index_axis(Axis(0), 0))
        };
        self.put(name, &written);
    }

    fn written<D: Dimension>(&self, tensor: ArrayView<f32, D>) -> JsValue {
        let data = Float32Array::from(tensor.as_standard_layout().as_slice().unwrap_or_default());
        self.array(tensor.shape(), data)
    }

    /// `{ shape, data }`, whose data is transferred.
    fn array(&self, shape: &[usize], data: Float32Array) -> JsValue {
        self.answer.transfer.push(&data.buffer());
        let shape: Array = shape
            .iter()
            .map(|length| JsValue::from_f64(*length as f64))
            .collect();
        let tensor: Tensor = Object::new().unchecked_into();
        tensor.set_shape(&shape);
        tensor.set_data(&data);
        tensor.into()
    }
}

/// `[head]`, or `[batch][head]`.
fn stats_of(stats: &[Vec<HeadStats>], has_batch: bool) -> JsValue {
    let of = |heads: &Vec<HeadStats>| JsValue::from(heads.iter().map(head).collect::<Array>());
    match (has_batch, stats.first()) {
        (false, Some(heads)) => of(heads),
        _ => stats.iter().map(of).collect::<Array>().into(),
    }
}

/// The measures of a head as the public API names them.
fn head(stats: &HeadStats) -> JsValue {
    // Where no other key has any weight, the first of these equals is meant.
    let others = stats.most_attended_other.iter();
    let others = others.map(|other| other.unwrap_or((0, 0.0)));
    let entropy = stats.entropy_per_query.iter().copied();
    let own = stats.self_weight.iter().copied().map(f64::from);
    object([
        ("diagonal_mean", stats.diagonal_mean.into()),
        ("off_diagonal_mean", stats.off_diagonal_mean.into()),
        ("entropy_per_query", numbers(entropy)),
        ("entropy_mean", stats.entropy_mean.into()),
        (
            "histogram",
            numbers(stats.histogram.iter().copied().map(f64::from)),
        ),
        (
            "most_attended_other",
            numbers(others.clone().map(|(key, _)| key as f64)),
        ),
        (
            "most_attended_other_weight",
            numbers(others.map(|(_, weight)| weight.into())),
        ),
        ("self_weight", numbers(own)),
    ])
    .into()
}

/// A plain list, made in one go.
fn numbers(values: impl Iterator<Item = f64>) -> JsValue {
    Array::from(&Float64Array::from(values.collect::<Vec<_>>().as_slice())).into()
}
