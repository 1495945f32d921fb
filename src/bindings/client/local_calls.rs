//! Short calls of the public API, computed in the window: a message to the worker and back takes longer.

use js_sys::{Float32Array, Object};
use wasm_bindgen::{JsCast, JsValue};

use super::super::js_object::get;
use super::super::js_tree::request;
use super::super::local_run::now;
use super::super::prepare::{Prepared, structured_clone};
use super::super::response;
use super::Inner;
use crate::api;
use crate::engine::{BackendChoice, Workload, run};
use crate::js_tree::JsTree;

/// The fields of a request that are tensors.
const TENSORS: [&str; 5] = ["queries", "keys_values", "q", "k", "v"];

/// The numbers of a tensor: more take long to be read.
const MOST_NUMBERS: u32 = 1 << 16;

impl Inner {
    /// The result of a short call. `None` for one that is the worker's: it takes long, asks for WebGPU, gives buffers away, or is
    /// refused, which the worker says in the same words wherever a call came from.
    pub(super) fn compute_here(&self, layer: Option<u32>, prepared: &Prepared) -> Option<JsValue> {
        let given = small_request(prepared)?;
        let checked = match layer {
            None => api::compute(given).ok()?,
            Some(id) => api::layer_compute(self.local_layers.borrow().get(&id)?, given).ok()?,
        };
        let (flops, mut limit) = (
            Workload::from_request(&checked.request).flops,
            self.local_limit.get(),
        );
        if checked.backend == BackendChoice::WebGpu || !limit.includes(flops) {
            return None;
        }
        let start = now();
        let result = run(checked.request, BackendChoice::Cpu).ok()?;
        let ms = now() - start;
        limit.learn(flops, ms);
        self.local_limit.set(limit);
        let answer = response::answer((&result, None), checked.has_batch, ms);
        Some(answer.result.into())
    }

    /// Keeps a small layer here as well as in the worker.
    pub(super) fn keep_layer(&self, id: u32, prepared: &Prepared) {
        let layer = small_request(prepared).and_then(|given| api::layer(given).ok());
        if let Some(layer) = layer {
            self.local_layers.borrow_mut().insert(id, layer);
        }
    }
}

/// A small request, copied as a message would copy it: what is read has no detached buffers and calls nobody's code.
fn small_request(prepared: &Prepared) -> Option<JsTree> {
    if !is_small(prepared) {
        return None;
    }
    request(&structured_clone(&prepared.request).ok()?).ok()
}

/// Whether all tensors of a request stand in short typed arrays, which stay their owner's.
fn is_small(prepared: &Prepared) -> bool {
    let request = &prepared.request;
    if prepared.transfer.length() > 0 || !request.is_object() {
        return false;
    }
    let weights = get(request, "weights");
    let of_layer = match weights.dyn_ref::<Object>() {
        Some(weights) => Object::values(weights).to_vec(),
        None => Vec::new(),
    };
    let own = TENSORS.map(|name| get(request, name));
    let mut given = own
        .iter()
        .chain(&of_layer)
        .filter(|value| !value.is_undefined());
    given.all(is_short)
}

fn is_short(tensor: &JsValue) -> bool {
    let data = get(tensor, "data").dyn_into::<Float32Array>();
    data.is_ok_and(|data| data.length() <= MOST_NUMBERS)
}
