//! Chunks of the engine (`js/chunks.js`), which stands in the module that this is generated into. A build in one piece has all.

use js_sys::Promise;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use web_sys::EventTarget;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = loadChunks)]
    fn load(name: &str) -> Promise;

    #[wasm_bindgen(js_name = isLoaded)]
    fn is_loaded(name: &str) -> bool;

    #[wasm_bindgen(js_name = askAgain)]
    fn ask_again(target: &EventTarget, name: &str) -> Promise;
}

/// Loads a chunk of the engine; returns whether it is available.
pub async fn load_chunk(name: &str) -> bool {
    JsFuture::from(load(name)).await.is_ok()
}

/// Whether a chunk and its dependencies are loaded, so that calls into it do not wait.
pub fn has_chunk(name: &str) -> bool {
    is_loaded(name)
}

/// Retries a chunk that could not be loaded, and shows an error on the page around `target` if it
/// still cannot.
pub fn tell_missing_chunk(target: &EventTarget, name: &str) {
    // It has no result, and does not fail.
    drop(ask_again(target, name));
}
