//! Short calls of the public API, computed in the window: a message to the worker and back takes longer.

use js_sys::{Array, Float32Array, Object};
use wasm_bindgen::{JsCast, JsValue};

use super::super::js_object::get;
use super::super::js_tree::request;
use super::super::local_run::now;
use super::super::prepare::{Prepared, fields_of, structured_clone};
use super::super::response;
use super::Inner;
use crate::api::{self, CheckedLayer};
use crate::engine::{BackendChoice, Workload, run};
use crate::js_tree::JsTree;

/// The fields of a request that are tensors.
const TENSORS: [&str; 5] = ["queries", "keys_values", "q", "k", "v"];

/// The numbers of all tensors: more take long to be read.
const MOST_NUMBERS: u32 = 1 << 16;

/// The rules of a mask.
const MOST_RULES: u32 = 8;

impl Inner {
    /// The result of a short call. `None` for one that is the worker's: it takes long, asks for WebGPU, gives buffers away, or is
    /// refused, which the worker says in the same words wherever a call came from.
    pub(super) fn compute_here(&self, layer: Option<u32>, prepared: &Prepared) -> Option<JsValue> {
        let given = small_request(prepared)?;
        let checked = match layer {
            None => api::compute(given).ok()?,
            Some(id) => api::layer_compute(self.local_layers.borrow().get(&id)?, given).ok()?,
        };
        let flops = Workload::from_request(&checked.request).flops;
        if checked.backend == BackendChoice::WebGpu || !self.local_limit.borrow_mut().admits(flops)
        {
            return None;
        }
        let start = now();
        let result = run(checked.request, BackendChoice::Cpu).ok()?;
        let ms = now() - start;
        self.local_limit.borrow_mut().learn(flops, ms);
        let answer = response::answer((&result).into(), checked.has_batch, ms);
        Some(answer.result.into())
    }

    /// A small layer of the processor's, which is kept here as well as in the worker.
    pub(super) fn cache_layer(&self, id: u32, layer: Option<CheckedLayer>) {
        let layer = layer.filter(|layer| layer.backend != BackendChoice::WebGpu);
        if let Some(layer) = layer {
            self.local_layers.borrow_mut().insert(id, layer);
        }
    }
}

/// The layer of a small request.
pub(super) fn small_layer(prepared: &Prepared) -> Option<CheckedLayer> {
    small_request(prepared).and_then(|given| api::layer(given).ok())
}

/// A small request, copied as a message would copy it: what is read has no detached buffers and calls nobody's code.
fn small_request(prepared: &Prepared) -> Option<JsTree> {
    if !is_small(prepared) {
        return None;
    }
    request(&structured_clone(&prepared.request).ok()?).ok()
}

/// Whether all tensors of a request stand in typed arrays, which stay their owner's, and are short. Linformer's matrices and painted masks
/// are not for short calls.
fn is_small(prepared: &Prepared) -> bool {
    let request = &prepared.request;
    if prepared.transfer.length() > 0 || !request.is_object() {
        return false;
    }
    let is_plain = get(request, "linformer").is_undefined() && is_rule(&get(request, "mask"));
    let weights = get(request, "weights");
    let of_layer = match weights.is_undefined() {
        true => Some(Vec::new()),
        false => fields_of(&weights).map(|fields| Object::values(&fields).to_vec()),
    };
    let Some(of_layer) = of_layer.filter(|_| is_plain) else {
        return false;
    };
    let own = TENSORS.map(|name| get(request, name));
    let given = own.iter().chain(&of_layer);
    let lengths = given.filter(|value| !value.is_undefined()).map(length);
    let total = lengths.sum::<Option<u32>>();
    total.is_some_and(|total| total <= MOST_NUMBERS)
}

/// Whether a mask is none, a rule, or a few rules.
fn is_rule(mask: &JsValue) -> bool {
    let is_one = |mask: &JsValue| get(mask, "kind").is_string() && get(mask, "data").is_undefined();
    match mask.dyn_ref::<Array>() {
        Some(masks) => masks.length() <= MOST_RULES && masks.iter().all(|mask| is_one(&mask)),
        None => mask.is_undefined() || is_one(mask),
    }
}

/// How many numbers the typed array of a tensor has.
fn length(tensor: &JsValue) -> Option<u32> {
    let data = get(tensor, "data").dyn_into::<Float32Array>().ok()?;
    (data.length() <= MOST_NUMBERS).then(|| data.length())
}
