//! Converts the results of a run to the objects of the public API.

wasm_chunks::chunk!("more");

use js_sys::{Array, Float32Array, Float64Array, Object};
use ndarray::{Array as NdArray, ArrayView, Axis, Dimension, Ix4, RemoveAxis};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::js_object::object;
use attention::Sizes;
use attention::analysis::HeadStats;
use engine::RunResult;

// Setters need no text for the name of a field, which would be read anew each time: a short call takes no longer than some of them.
#[wasm_bindgen]
extern "C" {
    /// `{ shape, data }`.
    type Tensor;

    #[wasm_bindgen(method, setter)]
    fn set_shape(this: &Tensor, shape: &Array);
    #[wasm_bindgen(method, setter)]
    fn set_data(this: &Tensor, data: &Float32Array);

    /// The result of a call.
    #[wasm_bindgen(extends = Object)]
    type Answer;

    #[wasm_bindgen(method, setter)]
    fn set_backend(this: &Answer, backend: &str);
    #[wasm_bindgen(method, setter)]
    fn set_q(this: &Answer, q: &Tensor);
    #[wasm_bindgen(method, setter)]
    fn set_k(this: &Answer, k: &Tensor);
    #[wasm_bindgen(method, setter)]
    fn set_v(this: &Answer, v: &Tensor);
    #[wasm_bindgen(method, setter)]
    fn set_scores(this: &Answer, scores: &Tensor);
    #[wasm_bindgen(method, setter)]
    fn set_weights(this: &Answer, weights: &Tensor);
    #[wasm_bindgen(method, setter)]
    fn set_context(this: &Answer, context: &Tensor);
    #[wasm_bindgen(method, setter)]
    fn set_output(this: &Answer, output: &Tensor);
    #[wasm_bindgen(method, setter)]
    fn set_empty_rows(this: &Answer, empty_rows: f64);
    #[wasm_bindgen(method, setter)]
    fn set_stats(this: &Answer, stats: &JsValue);
    #[wasm_bindgen(method, setter)]
    fn set_elapsed_ms(this: &Answer, elapsed_ms: f64);
}

/// An answer, and the buffers that move with it instead of being copied.
pub(super) struct Response {
    pub(super) result: Object,
    pub(super) transfer: Array,
}

/// Results of a run.
pub(super) struct ComputedRun<'a> {
    /// All of it, but for `weights`.
    pub(super) result: &'a RunResult,
    /// The weights, `[batch, heads, n, keys]`, where the run wrote them into JavaScript's memory instead of the trace.
    pub(super) weights: Option<Float32Array>,
    /// The scores in the same way.
    pub(super) scores: Option<Float32Array>,
    /// An array for the output, if it has its length.
    pub(super) output: Option<Float32Array>,
}

impl<'a> From<&'a RunResult> for ComputedRun<'a> {
    fn from(result: &'a RunResult) -> Self {
        Self {
            result,
            weights: None,
            scores: None,
            output: None,
        }
    }
}

/// The result of a call; the batch axis goes where the caller gave none.
pub(super) fn answer(run: ComputedRun<'_>, has_batch: bool, elapsed_ms: f64) -> Response {
    let ComputedRun {
        result,
        weights,
        scores,
        output,
    } = run;
    let trace = &result.trace;
    let writer = Writer {
        has_batch,
        transfer: Array::new(),
    };
    let answer: Answer = Object::new().unchecked_into();
    answer.set_backend(result.backend.name());
    let set = |set: fn(&Answer, &Tensor), tensor: Option<Tensor>| {
        tensor.iter().for_each(|tensor| set(&answer, tensor));
    };
    set(Answer::set_q, writer.tensor(trace.q.as_ref(), None));
    set(Answer::set_k, writer.tensor(trace.k.as_ref(), None));
    set(Answer::set_v, writer.tensor(trace.v.as_ref(), None));
    let cells = |written: Option<Float32Array>, tensor: Option<&NdArray<f32, Ix4>>| match written {
        Some(numbers) => Some(writer.cells(&result.sizes, numbers)),
        None => writer.tensor(tensor, None),
    };
    set(Answer::set_scores, cells(scores, trace.scores.as_ref()));
    set(Answer::set_weights, cells(weights, trace.weights.as_ref()));
    set(
        Answer::set_context,
        writer.tensor(trace.context.as_ref(), None),
    );
    let output = writer.tensor(trace.output.as_ref(), output);
    set(Answer::set_output, output);
    answer.set_empty_rows(trace.empty_rows as f64);
    if let Some(stats) = &result.stats {
        answer.set_stats(&stats_of(stats, has_batch));
    }
    answer.set_elapsed_ms(elapsed_ms);
    Response {
        result: answer.into(),
        transfer: writer.transfer,
    }
}

struct Writer {
    has_batch: bool,
    transfer: Array,
}

impl Writer {
    /// Written to `place`, if it has the length, or to an array of its own.
    fn tensor<D: Dimension + RemoveAxis>(
        &self,
        tensor: Option<&NdArray<f32, D>>,
        place: Option<Float32Array>,
    ) -> Option<Tensor> {
        let tensor = tensor?;
        Some(if self.has_batch {
            self.written(tensor.view(), place)
        } else {
            self.written(tensor.index_axis(Axis(0), 0), place)
        })
    }

    /// Scores or weights.
    fn cells(&self, sizes: &Sizes, numbers: Float32Array) -> Tensor {
        let Sizes {
            batch,
            heads,
            n,
            keys,
            ..
        } = *sizes;
        let shape = [batch, heads, n, keys];
        self.array(&shape[usize::from(!self.has_batch)..], numbers)
    }

    fn written<D: Dimension>(
        &self,
        tensor: ArrayView<f32, D>,
        place: Option<Float32Array>,
    ) -> Tensor {
        let numbers = tensor.as_standard_layout();
        let numbers = numbers.as_slice().unwrap_or_default();
        let data = match place.filter(|place| place.length() as usize == numbers.len()) {
            Some(place) => {
                place.copy_from(numbers);
                place
            }
            None => Float32Array::from(numbers),
        };
        self.array(tensor.shape(), data)
    }

    /// `{ shape, data }`, with `data` transferred.
    fn array(&self, shape: &[usize], data: Float32Array) -> Tensor {
        self.transfer.push(&data.buffer());
        let lengths = shape.iter().map(|length| JsValue::from_f64(*length as f64));
        let tensor: Tensor = Object::new().unchecked_into();
        tensor.set_shape(&lengths.collect());
        tensor.set_data(&data);
        tensor
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
