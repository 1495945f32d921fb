//! Sends numbers to the worker once, before or with the first state that only names them, and large files to be read there.

use std::cell::RefCell;

use js_sys::{Array, Object, Uint8Array};
use wasm_bindgen::JsValue;
use web_sys::{Blob, Worker};

use super::super::file_reader;
use super::super::js_object::set;
use super::super::learned_layer;
use super::super::message::Command;
use super::super::pending_calls::Deferred;
use super::Client;
use app::import::{FileToRead, ReadTensors};
use app::state::imported::cache;
use app::state::{ImportedData, Known, State, learned};
use engine::learned::{CACHED, LearnedKey, cached};

/// What the worker has cached: imported numbers, by hash, and layers of learned models.
#[derive(Default)]
pub(super) struct Data {
    imported: RefCell<Known<u64, { cache::ROOM }>>,
    layers: RefCell<Known<LearnedKey, CACHED>>,
}

impl Data {
    /// Sees to it that the worker has the numbers of the state of a message, as far as the window has them.
    pub(super) fn send(&self, worker: &Worker, state: &State, message: &Object) {
        if let Some(imported) = &state.imported {
            self.send_imported(worker, imported);
        }
        if let Some(key) = learned::key_if_learned(state) {
            let layer = cached(&key);
            let is_there = self.layers.borrow_mut().uses(key);
            let layer = layer.map(|layer| match is_there {
                true => JsValue::TRUE,
                false => learned_layer::to_message(&layer).into(),
            });
            set(message, learned_layer::NAME, &layer.into());
        }
    }

    /// The numbers of an import, unless their link holds them.
    fn send_imported(&self, worker: &Worker, imported: &ImportedData) {
        let is_there = imported.is_inline() || self.imported.borrow_mut().uses(imported.hash());
        if !is_there {
            let bytes = Uint8Array::from(imported.packed().as_slice());
            let transfer = Array::of1(&bytes.buffer());
            let message = Command::Data.message(0);
            set(&message, "bytes", &bytes);
            // A worker that cannot be told has not come up, which is heard of elsewhere.
            let _ = worker.post_message_with_transfer(&message, &transfer);
        }
    }

    /// Forgets all data: the worker has died.
    pub(super) fn forget(&self) {
        self.imported.take();
        self.layers.take();
    }
}

impl Client {
    /// Reads a file in the worker, which receives the file and not its bytes.
    ///
    /// # Errors
    /// A sentence: why the file was rejected, or that there is no worker to read it.
    pub async fn read(&self, about: &FileToRead<'_>, file: &Blob) -> Result<ReadTensors, String> {
        let (id, deferred) = (self.inner.new_id(), Deferred::new());
        self.ask(
            id,
            (&file_reader::message(id, about, file), None),
            &deferred,
        );
        file_reader::tensors(deferred.promise).await
    }
}
