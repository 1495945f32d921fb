//! Calls wait as the messages that they came in, outside the memory of this module, until there is room to read them.

use wasm_bindgen::JsValue;

use super::Service;
use super::queued_run::{Purpose, QueuedRun};
use crate::api::{self, Checked, CheckedLayer};
use crate::bindings::js_object::get;
use crate::bindings::js_tree::request;
use attention::Error;

/// A call that has not been read.
pub(super) struct UnreadCall {
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
        self.runs.add_call(id, UnreadCall { message, layer });
        self.read_calls();
    }

    /// Reads the next call that is not refused, if one can be read.
    pub(super) fn read_calls(&mut self) {
        while let Some((id, call)) = self.runs.next_call() {
            match self.read_call(id, &call) {
                Ok(()) => return,
                Err(error) => self.refuse(id, &error.into()),
            }
        }
    }

    fn read_call(&mut self, id: u32, call: &UnreadCall) -> Result<(), Error> {
        let checked = checked(&call.message, call.layer.as_ref())?;
        let purpose = Purpose::Call {
            has_batch: checked.has_batch,
        };
        let queued = QueuedRun::new(checked.request, checked.backend, purpose);
        self.start_run(id, queued.with_message(&call.message));
        Ok(())
    }
}
