//! Calls of the public API.

wasm_chunks::chunk!("more": call);

use std::rc::Rc;

use js_sys::Promise;

use super::super::js_object::{get, set};
use super::super::message::Command;
use super::super::pending_calls::{AbortWatch, Deferred, Waiter};
use super::super::prepared::Prepared;
use super::local_calls::small_layer;
use super::{Client, ClientState};
use app::Refusal;
use attention::{Code, Error};
use engine::calls::{Call, Purpose};

impl Client {
    /// Posts a call of the public API; `layer` is the one that it computes with.
    pub(in crate::bindings) fn call(
        &self,
        command: Command,
        layer: Option<u32>,
        prepared: &Prepared,
    ) -> Promise {
        let deferred = Deferred::new();
        if let Err(refusal) = self.inner.post(command, layer, prepared, &deferred) {
            deferred.reject(&refusal);
        }
        deferred.promise
    }
}

impl ClientState {
    fn post(
        self: &Rc<Self>,
        command: Command,
        layer: Option<u32>,
        prepared: &Prepared,
        deferred: &Deferred,
    ) -> Result<(), Refusal> {
        if let Some(layer) = layer.filter(|layer| !self.calls.borrow().has_layer(*layer)) {
            let what = if command == Command::ModelCall {
                "model"
            } else {
                "layer"
            };
            let rule = format!(
                "the {what} was freed, or its weights were lost with a worker that stopped; make a new one"
            );
            return Err(Error::new(Code::Freed, what, layer, rule).into());
        }
        let signal = prepared.signal();
        if signal
            .as_ref()
            .is_some_and(|signal| get(signal, "aborted").is_truthy())
        {
            return Err(Refusal::aborted());
        }
        let worker = self.worker()?;
        if matches!(command, Command::Compute | Command::LayerCompute)
            && let Some(result) = self.compute_here(layer, prepared)
        {
            deferred.resolve(&result);
            return Ok(());
        }
        let id = self.new_id();
        let layer_here = (command == Command::Layer)
            .then(|| small_layer(prepared))
            .flatten();
        let message = command.message(id);
        set(&message, "layer", &layer.into());
        set(&message, "request", &prepared.request());
        if worker
            .post_message_with_transfer(&message, &prepared.transfer())
            .is_err()
        {
            set(&message, "request", &prepared.with_placeholders());
            worker
                .post_message(&message)
                .map_err(|_| Refusal::not_copied())?;
        }
        self.cache_layer(id, layer_here);
        let weak = Rc::downgrade(self);
        let on_abort = move || weak.upgrade().iter().for_each(|inner| inner.abort(id));
        let watch = signal.map(|signal| AbortWatch::new(signal, on_abort));
        let purpose = if matches!(command, Command::Layer | Command::Model) {
            Purpose::Layer
        } else {
            Purpose::Result
        };
        let deferred = deferred.clone();
        let call = Call {
            waiter: Waiter {
                deferred,
                _watch: watch,
            },
            purpose,
            page: None,
        };
        self.calls.borrow_mut().posted(id, call);
        Ok(())
    }
}
