//! Measuring how long the page's setting takes on inputs of any length.

use js_sys::{Array, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use super::error::from_message;
use super::js_object::{number, object, set, text};
use super::message::Command;
use super::pending_calls::question;
use super::response::Response;
use super::state_message;
use app::Refusal;
use app::present::cost;
use app::state::State;
use attention::{Error, Request};
use engine::{Backend, BackendChoice};

/// Settings of a benchmark run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BenchmarkRequest<'a> {
    /// The setting.
    pub state: &'a State,
    /// How many queries, and keys.
    pub n: usize,
    /// Where.
    pub backend: Backend,
}

impl BenchmarkRequest<'_> {
    /// Message that requests it.
    pub(super) fn message(&self, id: u32) -> js_sys::Object {
        let message = question(Command::Measure, id, self.state);
        set(&message, "n", &(self.n as f64).into());
        set(&message, "backend", &self.backend.name().into());
        message
    }
}

/// The worker's side: a request of random numbers, and the one backend that will do.
pub(super) fn request(message: &JsValue) -> Result<(Request, BackendChoice), Error> {
    let state = state_message::from_message(message)?;
    let n = (number(message, "n") as usize).min(cost::MOST);
    let choice = match Backend::named(&text(message, "backend")) {
        Some(Backend::WebGpu) => BackendChoice::WebGpu,
        _ => BackendChoice::Cpu,
    };
    Ok((cost::measured(&state, n)?, choice))
}

/// The time alone; the numbers are dropped.
pub(super) fn answer(elapsed_ms: f64) -> Response {
    Response {
        result: object([("elapsed_ms", elapsed_ms.into())]),
        transfer: Array::new(),
    }
}

/// The window's side: milliseconds.
pub(super) async fn taken(promise: Promise) -> Result<f64, Refusal> {
    let answer = JsFuture::from(promise).await;
    answer
        .map(|answer| number(&answer, "elapsed_ms"))
        .map_err(from_message)
}
