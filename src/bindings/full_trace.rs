//! Computes the results of the page's setting once more with all heads, for a file.

use js_sys::{Float32Array, Object, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::error::from_message;
use super::js_object::{get, set, text};
use super::message::Command;
use super::pending_calls::question;
use super::state_message;
use app::Refusal;
use app::export::tensors::Name;
use app::state::{State, request_builder};
use attention::{Error, Outputs, Request};
use engine::{Backend, BackendChoice};

/// Settings of a trace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FullTrace<'a> {
    /// The setting.
    pub state: &'a State,
    /// Where its numbers on screen were computed: those in the file shall be the same.
    pub backend: Backend,
    /// Which results.
    pub names: &'a [Name],
}

impl FullTrace<'_> {
    /// Message that requests it.
    pub(super) fn message(&self, id: u32) -> Object {
        let message = question(Command::Trace, id, self.state);
        let names: Vec<_> = self.names.iter().map(|name| name.name()).collect();
        set(&message, "names", &names.join(",").into());
        set(&message, "backend", &self.backend.name().into());
        message
    }
}

/// Worker side: the request of the state, with the named outputs.
pub(super) fn request(message: &JsValue) -> Result<(Request, BackendChoice), Error> {
    let state = state_message::from_message(message)?;
    let names = text(message, "names");
    let names = names.split(',').filter_map(Name::from_name);
    let want = names
        .filter_map(Name::want)
        .fold(Outputs::NOTHING, Outputs::with);
    let choice = match Backend::named(&text(message, "backend")) {
        Some(Backend::WebGpu) => BackendChoice::WebGpu,
        _ => BackendChoice::Cpu,
    };
    Ok((request_builder::request_for(&state, want)?, choice))
}

/// The window's side: the numbers of each result in the order of `names`.
pub(super) async fn taken(promise: Promise, names: Vec<Name>) -> Result<Vec<Vec<f32>>, Refusal> {
    let answer = JsFuture::from(promise).await;
    let answer = answer.map_err(from_message)?;
    let numbers = |name: &Name| {
        let data = get(&get(&answer, name.name()), "data").dyn_into::<Float32Array>();
        data.map(|data| data.to_vec())
            .map_err(|_| Refusal::stopped(name.name()))
    };
    names.iter().map(numbers).collect()
}
