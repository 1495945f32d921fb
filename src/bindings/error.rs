//! Refusals as errors of JavaScript.

wasm_chunks::chunk!("engine");

use wasm_bindgen::JsValue;

use super::js_object::{set, text};
use super::message::InMessage as _;
use app::Refusal;

/// Whether code could not be loaded: by the words of `js/chunks.js`.
pub fn is_unloaded(cause: &str) -> bool {
    cause.contains("could not be loaded")
}

/// Parses an error message; any other message counts as a failed worker.
pub(super) fn from_message(message: JsValue) -> Refusal {
    Refusal::from_js(&message).unwrap_or_else(|| Refusal::stopped(&text(&message, "message")))
}

/// An `Error` with name, code, message, field and value.
pub(super) fn to_error(refusal: &Refusal) -> JsValue {
    let error = js_sys::Error::new(&refusal.message);
    error.set_name("AttentionError");
    for (name, value) in [
        ("code", &refusal.code),
        ("field", &refusal.field),
        ("value", &refusal.value),
    ] {
        set(&error, name, &value.into());
    }
    error.into()
}
