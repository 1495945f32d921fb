//! The functions that `js/boot.js` and `js/library.js` call to provide the public API.

use std::cell::RefCell;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::client::Client;
use super::host_hooks;
use super::js_object::get;
use super::js_tree;
use super::message::Command;
use super::prepared::Prepared;
use crate::api;

#[wasm_bindgen]
extern "C" {
    /// Notifies the page that the engine is ready.
    #[wasm_bindgen(catch, js_namespace = ["attentionPlayground", "host"])]
    fn connect(engine: Engine) -> Result<(), JsValue>;
}

thread_local! {
    /// The one client of this instance.
    static CLIENT: RefCell<Option<Client>> = const { RefCell::new(None) };
}

/// The client that everything in this window shares; the first call starts the worker.
pub(crate) fn shared_client() -> Client {
    CLIENT.with_borrow_mut(|client| client.get_or_insert_with(Client::start).clone())
}

/// Opens the public API of this page; only our own has a `boot.js` that waits for it.
pub(super) fn open() {
    let api = get(&js_sys::global(), "attentionPlayground");
    if get(&api, "host").is_object() {
        let _ = connect(Engine(shared_client()));
    }
}

/// The engine for a third-party page, shared by all callers. `host.worker()` returns a new worker
/// that runs the same script as `worker.js`; `host.fail(message)` is called when the engine has
/// stopped for good.
#[wasm_bindgen]
pub fn engine(host: &JsValue) -> Engine {
    host_hooks::set(host);
    Engine(shared_client())
}

/// The engine as JavaScript sees it. Every promise rejects with an `AttentionError`.
#[wasm_bindgen]
pub struct Engine(Client);

impl Engine {
    /// The way to the worker.
    pub fn client(&self) -> &Client {
        &self.0
    }
}

#[wasm_bindgen]
impl Engine {
    /// Resolves when the worker can compute.
    pub fn ready(&self) -> Promise {
        self.0.ready()
    }

    /// Computes a request.
    pub fn compute(&self, request: &Prepared) -> Promise {
        self.0.call(Command::Compute, None, request)
    }

    /// Which backends there are; resolves when WebGPU was checked.
    pub fn backends(&self) -> Promise {
        self.0.backends()
    }

    /// Makes a layer; resolves to its number.
    pub fn layer(&self, request: &Prepared) -> Promise {
        self.0.call(Command::Layer, None, request)
    }

    /// Computes with a layer.
    pub fn layer_compute(&self, layer: u32, request: &Prepared) -> Promise {
        self.0.call(Command::LayerCompute, Some(layer), request)
    }

    /// Makes a model; resolves to its number.
    pub fn model(&self, request: &Prepared) -> Promise {
        self.0.call(Command::Model, None, request)
    }

    /// A call of a model: `request` has its `name` and its own `request`.
    pub fn model_call(&self, model: u32, request: &Prepared) -> Promise {
        self.0.call(Command::ModelCall, Some(model), request)
    }

    /// Returns the tasks that a model can be trained on.
    pub fn tasks(&self) -> JsValue {
        js_tree::to_js(&api::tasks())
    }

    /// Frees a layer or a model; a second time does nothing.
    pub fn layer_free(&self, layer: u32) {
        self.0.free(layer);
    }
}
