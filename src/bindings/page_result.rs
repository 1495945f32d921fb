//! The page's own run: a state in, weights and measures out, packed for messages between worker and window.

use js_sys::{Array, Float32Array, Float64Array};
use wasm_bindgen::{JsCast, JsValue};

use super::head_matrices;
use super::js_object::{floats, get, number, object};
use super::learned_layer;
use super::message::InMessage as _;
use super::response::{ComputedRun, Response};
use engine::learned::LearnedLayer;
use engine::{Lane, PageLane, PageRun, Reason, RunCost, RunInfo, pack_stats, unpack_stats};

/// The lane that a message of a page names.
pub(super) fn track(message: &JsValue) -> PageLane {
    PageLane {
        page: number(message, "page") as u32,
        lane: if get(message, "is_side").is_truthy() {
            Lane::Side
        } else {
            Lane::Main
        },
    }
}

/// The worker's side, with the parts of `head`, and the layer of a learned model that the window lacks.
pub(super) fn answer(
    computed: ComputedRun<'_>,
    ran: &RunInfo,
    (cost, head, learned): (RunCost, usize, Option<&LearnedLayer>),
    elapsed_ms: f64,
) -> Response {
    let outcome = computed.result;
    let weights = computed.weights.unwrap_or_else(|| {
        let weights = outcome.trace.weights.as_ref();
        Float32Array::from(weights.and_then(|all| all.as_slice()).unwrap_or_default())
    });
    let stats = pack_stats(outcome.stats.iter().flatten().flatten());
    let stats = Float64Array::from(stats.as_slice());
    let transfer = Array::of2(&weights.buffer(), &stats.buffer());
    let output = outcome.trace.output.as_ref();
    let output = output.and_then(|output| output.as_slice());
    let output = output.map(|output| {
        let output = Float32Array::from(output);
        transfer.push(&output.buffer());
        output
    });
    let parts = head_matrices::message(outcome, head, &transfer);
    let learned = learned.map(|layer| {
        let numbers = learned_layer::to_message(layer);
        transfer.push(&numbers.buffer());
        numbers
    });
    let sizes = &outcome.sizes;
    let count = |count: usize| JsValue::from_f64(count as f64);
    let result = object([
        ("weights", weights.into()),
        ("output", output.into()),
        ("parts", parts.into()),
        (learned_layer::NAME, learned.into()),
        ("stats", stats.into()),
        ("heads", count(sizes.heads)),
        ("n", count(sizes.n)),
        ("m", count(sizes.keys)),
        ("empty_rows", count(outcome.trace.empty_rows)),
        ("elapsed_ms", elapsed_ms.into()),
        ("flops", cost.flops.into()),
        ("memory", cost.memory.into()),
        ("backend", ran.backend.to_js(&transfer)),
        ("adapter", ran.adapter.to_js(&transfer)),
        ("reason", ran.reason.to_js(&transfer)),
    ]);
    Response { result, transfer }
}

/// The window's side.
pub(super) fn from_message(message: &JsValue) -> PageRun {
    let count = |name| number(message, name) as usize;
    let (heads, n) = (count("heads"), count("n"));
    let packed = get(message, "stats")
        .dyn_into::<Float64Array>()
        .map(|stats| stats.to_vec())
        .unwrap_or_default();
    PageRun {
        weights: floats(message, "weights").unwrap_or_default(),
        stats: unpack_stats(&packed, n),
        heads,
        n,
        m: count("m"),
        empty_rows: count("empty_rows"),
        elapsed_ms: number(message, "elapsed_ms"),
        flops: number(message, "flops"),
        memory: number(message, "memory"),
        output: floats(message, "output"),
        parts: head_matrices::from_message(message),
        ran: RunInfo::from_js(message).unwrap_or(RunInfo::on_cpu(Reason::Chosen)),
    }
}
