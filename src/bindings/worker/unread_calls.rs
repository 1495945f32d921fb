//! Calls wait as the messages that they came in, outside the memory of this module, until there is room to read them.

use wasm_bindgen::JsValue;

use super::Service;
use super::queued_run::{Purpose, QueuedRun};
use crate::api::{self, Checked, CheckedLayer};
use crate::bindings::js_object::get;
use crate::bindings::js_tree::request;
use attention::Error;
use engine::BUDGET;

/// A call that has not been read.
pub(super) struct UnreadCall {
    pub(super) id: u32,
    message: JsValue,
    /// The layer that it computes with; it may be freed meanwhile.
    layer: Option<CheckedLayer>,
}

/// Reads the request of a message.
pub(super) fn checked(message: &JsValue, layer: Option<&CheckedLayer>) -> Result<Checked, Error> {
    let raw = request(&get(message, "request"))?;
    match layer {
        None => api::compute(raw),
        Some(layer) => api::layer_compute(layer, raw),
    }
}

impl Service {
    /// Takes a call, with the layer that it computes with.
    pub(super) fn keep_call(&mut self, id: u32, message: &JsValue, layer: Option<CheckedLayer>) {
        let message = message.clone();
        self.calls.push_back(UnreadCall { id, message, layer });
        self.read_calls();
    }

    /// Whether a call can be read: the inputs of all that were read leave room.
    pub(super) fn can_read(&self) -> bool {
        !self.calls.is_empty() && self.input_bytes() < BUDGET
    }

    /// Reads the next call that is not refused, if one can be read.
    pub(super) fn read_calls(&mut self) {
        while self.can_read() {
            let Some(call) = self.calls.pop_front() else {
                return;
            };
            match self.read_call(&call) {
                Ok(()) => return,
                Err(error) => self.refuse(call.id, &error.into()),
            }
        }
    }

    fn read_call(&mut self, call: &UnreadCall) -> Result<(), Error> {
        let checked = checked(&call.message, call.layer.as_ref())?;
        let purpose = Purpose::Call {
            has_batch: checked.has_batch,
        };
        let queued = QueuedRun::new(checked.request, checked.backend, purpose);
        self.start_run(call.id, queued.with_message(&call.message))
    }

    fn input_bytes(&self) -> u64 {
        let runs = self
            .turns
            .iter()
            .map(|entry| entry.run.queued.input_bytes());
        runs.sum::<u64>().saturating_add(self.gpu.input_bytes())
    }
}
