//! Converts errors to JavaScript.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": impl Refusal);

use wasm_bindgen::JsValue;

use super::js_object::{set, text};
use super::message::InMessage as _;
use attention::{Code, Error};

/// Whether code could not be loaded: by the words of `js/chunks.js`.
pub(super) fn is_unloaded(cause: &str) -> bool {
    cause.contains("could not be loaded")
}

/// A refusal as the public API knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// One of the API's codes.
    pub code: String,
    /// A sentence that names field, rule and value.
    pub message: String,
    /// The field.
    pub field: String,
    /// The value found there.
    pub value: String,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        Self {
            code: error.code.name().to_owned(),
            message,
            field: error.field,
            value: error.value,
        }
    }
}

impl Refusal {
    /// The caller ended the call.
    pub(super) fn aborted() -> Self {
        Error::new(
            Code::Aborted,
            "signal",
            "an abort",
            "the caller ended this call",
        )
        .into()
    }

    /// Something newer took this run's place.
    pub(super) fn replaced() -> Self {
        Error::new(
            Code::Aborted,
            "page",
            "an older run",
            "a newer run has taken its place",
        )
        .into()
    }

    /// The worker cannot be used, or has died, because of `cause`.
    pub(super) fn stopped(cause: &str) -> Self {
        Error::new(
            Code::BackendUnavailable,
            "backend",
            cause,
            "the worker that computes has stopped",
        )
        .into()
    }

    /// The request could not be posted, not even with placeholders.
    pub(super) fn not_copied() -> Self {
        Error::new(
            Code::UnknownOption,
            "request",
            "something that cannot be copied",
            "must be plain data",
        )
        .into()
    }

    /// Whether the worker has stopped since its code could not be loaded.
    pub fn is_unloaded(&self) -> bool {
        is_unloaded(&self.value)
    }

    /// Parses an error message; any other message counts as a failed worker.
    pub(super) fn from_message(message: JsValue) -> Self {
        Self::from_js(&message).unwrap_or_else(|| Self::stopped(&text(&message, "message")))
    }

    /// An `Error` with name, code, message, field and value.
    pub(super) fn to_error(&self) -> JsValue {
        let error = js_sys::Error::new(&self.message);
        error.set_name("AttentionError");
        for (name, value) in [
            ("code", &self.code),
            ("field", &self.field),
            ("value", &self.value),
        ] {
            set(&error, name, &value.into());
        }
        error.into()
    }
}
