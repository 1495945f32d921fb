//! Reports panics: the page shows them, a worker sends them to the page.

use std::panic;

use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::DedicatedWorkerGlobalScope;

use super::host_hooks;
use super::js_object::object;

#[wasm_bindgen]
extern "C" {
    /// Shows the overlay. A page without `boot.js` has none.
    #[wasm_bindgen(catch, js_namespace = ["attentionPlayground", "host"])]
    fn fail(message: &str) -> Result<(), JsValue>;
}

/// Installs the hook. After a panic the instance is not used again.
pub(super) fn report() {
    panic::set_hook(Box::new(|panic| {
        let message = panic.to_string();
        match js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
            Ok(worker) => {
                // Nobody is left to tell where even this fails.
                let _ = worker.post_message(&object([("died", message.into())]));
            }
            Err(_) => show(&message),
        }
    }));
}

/// Shows on the page that the engine has stopped, and why.
pub fn show(message: &str) {
    // Without boot.js the page has no overlay; the caller's promises are rejected all the same.
    let _ = fail(message);
    host_hooks::fail(message);
}
