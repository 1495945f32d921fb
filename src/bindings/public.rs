//! What `js/boot.js` calls: the public API without its waiting for us.

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::client::Client;
use super::prepare::prepare;

#[wasm_bindgen]
extern "C" {
    /// Tells the page that the engine is there. A page without `boot.js` has no public API.
    #[wasm_bindgen(catch, js_namespace = ["attentionPlayground", "host"])]
    fn connect(engine: Engine) -> Result<(), JsValue>;
}

/// Opens the public API of this page.
pub(super) fn open(client: &Client) {
    let _ = connect(Engine(client.clone()));
}

/// The engine as JavaScript sees it. Every promise rejects with an `AttentionError`.
#[wasm_bindgen]
pub struct Engine(Client);

#[wasm_bindgen]
impl Engine {
    /// Resolves when the worker can compute.
    pub fn ready(&self) -> Promise {
        self.0.ready()
    }

    /// Computes a request.
    pub fn compute(&self, request: &JsValue) -> Promise {
        self.0.call("compute", None, prepare(request))
    }

    /// Which backends there are; resolves when WebGPU was checked.
    pub fn backends(&self) -> Promise {
        self.0.backends()
    }

    /// Makes a layer; resolves to its number.
    pub fn layer(&self, request: &JsValue) -> Promise {
        self.0.call("layer", None, prepare(request))
    }

    /// Computes with a layer.
    pub fn layer_compute(&self, layer: u32, request: &JsValue) -> Promise {
        self.0.call("layer_compute", Some(layer), prepare(request))
    }

    /// Frees a layer; a second time does nothing.
    pub fn layer_free(&self, layer: u32) {
        self.0.free(layer);
    }
}
