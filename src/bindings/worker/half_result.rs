//! The results of one half of the heads but for the weights, sent from the second worker to the first.

wasm_chunks::chunk!("more");

use js_sys::{Array, Float32Array, Float64Array};
use ndarray::{Array as NdArray, Dimension, ErrorKind, ShapeBuilder, ShapeError};
use wasm_bindgen::{JsCast, JsValue};

use crate::bindings::js_object::{floats, get, object};
use crate::bindings::response::Response;
use attention::cpu::Share;
use attention::{Request, Sizes, Trace};
use engine::{Backend, RunResult, pack_stats, unpack_stats};

/// The second worker's side.
pub(super) fn answer(result: &RunResult) -> Response {
    let (trace, transfer) = (&result.trace, Array::new());
    let stats = result.stats.iter().flatten().flatten();
    let stats = Float64Array::from(pack_stats(stats).as_slice());
    let sent = |data: Float32Array| {
        transfer.push(&data.buffer());
        JsValue::from(data)
    };
    let result = object([
        ("q", sent(numbers(trace.q.as_ref()))),
        ("k", sent(numbers(trace.k.as_ref()))),
        ("v", sent(numbers(trace.v.as_ref()))),
        ("scores", sent(numbers(trace.scores.as_ref()))),
        ("context", sent(numbers(trace.context.as_ref()))),
        ("output", sent(numbers(trace.output.as_ref()))),
        ("stats", stats.into()),
    ]);
    Response { result, transfer }
}

fn numbers<D: Dimension>(tensor: Option<&NdArray<f32, D>>) -> Float32Array {
    Float32Array::from(
        tensor
            .and_then(|tensor| tensor.as_slice())
            .unwrap_or_default(),
    )
}

/// The first worker's side: its own half and the other as one.
///
/// # Errors
/// The answer does not fit the request.
pub(super) fn join(
    request: &Request,
    first: RunResult,
    answer: &JsValue,
) -> Result<RunResult, ShapeError> {
    first.joined(from_message(request, answer)?, request)
}

/// The array of the second half's output, whose pages are there already: that of the whole output has room in it where heads are summed.
pub(super) fn output(answer: &JsValue) -> Option<Float32Array> {
    get(answer, "output").dyn_into().ok()
}

fn from_message(request: &Request, message: &JsValue) -> Result<RunResult, ShapeError> {
    let want = request.call().want;
    let Sizes {
        batch,
        heads,
        kv_heads,
        n,
        m,
        keys,
        d_k,
        d_v,
        d_out,
        ..
    } = Share::SecondHalf.sizes(request);
    let stats = get(message, "stats").dyn_into::<Float64Array>();
    let stats = stats.map_err(|_| missing())?;
    let stats = unpack_stats(&stats.to_vec(), n);
    let stats = want
        .stats
        .then(|| stats.chunks(heads.max(1)).map(<[_]>::to_vec).collect());
    Ok(RunResult {
        trace: Trace {
            q: tensor(message, "q", want.q, (batch, heads, n, d_k))?,
            k: tensor(message, "k", want.k, (batch, kv_heads, m, d_k))?,
            v: tensor(message, "v", want.v, (batch, kv_heads, m, d_v))?,
            scores: tensor(message, "scores", want.scores, (batch, heads, n, keys))?,
            weights: None,
            context: tensor(message, "context", want.context, (batch, heads, n, d_v))?,
            output: tensor(message, "output", want.output, (batch, n, d_out))?,
            empty_rows: request.empty_rows(),
        },
        stats,
        backend: Backend::Cpu,
        sizes: *request.sizes(),
    })
}

/// A tensor of `message`, if it is wanted.
fn tensor<D: Dimension>(
    message: &JsValue,
    name: &str,
    is_wanted: bool,
    shape: impl ShapeBuilder<Dim = D>,
) -> Result<Option<NdArray<f32, D>>, ShapeError> {
    if !is_wanted {
        return Ok(None);
    }
    let numbers = floats(message, name).ok_or_else(missing)?;
    NdArray::from_shape_vec(shape.into_shape_with_order(), numbers).map(Some)
}

fn missing() -> ShapeError {
    ShapeError::from_kind(ErrorKind::IncompatibleShape)
}
