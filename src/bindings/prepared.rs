//! A caller's request as `js/calls.js` makes it ready to be posted: read once, and with a placeholder for what cannot be copied where that
//! is needed.

use js_sys::Array;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

#[wasm_bindgen]
extern "C" {
    /// `{ request, transfer, signal, small, withPlaceholders }`.
    pub type Prepared;

    #[wasm_bindgen(method, getter)]
    pub(super) fn request(this: &Prepared) -> JsValue;

    /// Buffers that move instead of being copied.
    #[wasm_bindgen(method, getter)]
    pub(super) fn transfer(this: &Prepared) -> Array;

    #[wasm_bindgen(method, getter)]
    pub(super) fn signal(this: &Prepared) -> Option<AbortSignal>;

    /// A copy without getters and proxies, where the call may be computed in the window; `undefined` otherwise.
    #[wasm_bindgen(method, getter)]
    pub(super) fn small(this: &Prepared) -> JsValue;

    /// The request with placeholders for what cannot be copied; nothing is transferred.
    #[wasm_bindgen(method, js_name = withPlaceholders)]
    pub(super) fn with_placeholders(this: &Prepared) -> JsValue;
}
