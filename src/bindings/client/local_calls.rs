//! Short calls of the public API, computed in the window: a message to the worker and back takes longer.

wasm_chunks::chunk!("more");

use wasm_bindgen::JsValue;

use super::super::js_tree::request;
use super::super::local_run::now;
use super::super::prepared::Prepared;
use super::super::response;
use super::ClientState;
use crate::api::{self, CheckedLayer};
use app::js_tree::JsTree;
use engine::{BackendChoice, Workload, run};

impl ClientState {
    /// Computes a short call here. `None` for one that is left to the worker: it takes long,
    /// requires WebGPU, transfers buffers, or is invalid, for which the worker has the same error
    /// wherever a call came from.
    pub(super) fn compute_here(&self, layer: Option<u32>, prepared: &Prepared) -> Option<JsValue> {
        // Before the numbers are read, which takes long beside a call.
        let layer = match layer {
            Some(id) => Some(self.local_layers.borrow().get(&id)?.clone()),
            None => None,
        };
        let given = small_request(prepared)?;
        let checked = match layer {
            None => api::compute(given).ok()?,
            Some(layer) => api::layer_compute(&layer, given).ok()?,
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

/// A small request. To read it runs no code of the caller's.
fn small_request(prepared: &Prepared) -> Option<JsTree> {
    let small = prepared.small();
    let is_there = !small.is_undefined();
    is_there.then(|| request(&small).ok()).flatten()
}
