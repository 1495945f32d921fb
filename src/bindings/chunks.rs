//! Chunks of the engine (`js/chunks.js`), which stands in the module that this is generated into.

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = loadChunks, catch)]
    fn load(name: &str) -> Result<Promise, JsValue>;
}

/// Loads a chunk of the engine; whether it is there. A build in one piece has all, and no such function.
pub async fn load_chunk(name: &str) -> bool {
    match load(name) {
        Ok(loading) => JsFuture::from(loading).await.is_ok(),
        Err(_) => true,
    }
}
