//! Sends imported numbers to the worker once, before the first state that only names them, and large files to be read there.

use std::cell::RefCell;
use std::collections::VecDeque;

use js_sys::{Array, Uint8Array};
use web_sys::{Blob, Worker};

use super::super::file_reader::{self, FileToRead, ReadTensors};
use super::super::js_object::object;
use super::super::pending_calls::{Deferred, Purpose};
use super::Client;
use app::state::ImportedData;
use app::state::imported::cache;

/// Hashes of the data in the worker's cache, in the order of their last lookup.
#[derive(Default)]
pub(super) struct Data(RefCell<VecDeque<u64>>);

impl Data {
    /// Sees to it that the worker has the numbers of a state, unless their link holds them.
    pub(super) fn send(&self, worker: &Worker, imported: Option<&ImportedData>) {
        let Some(imported) = imported.filter(|own| !own.is_inline()) else {
            return;
        };
        let mut there = self.0.borrow_mut();
        let place = there.iter().position(|hash| *hash == imported.hash());
        match place {
            Some(place) => drop(there.remove(place)),
            None => post(worker, &imported.packed()),
        }
        there.push_back(imported.hash());
        if there.len() > cache::ROOM {
            there.pop_front();
        }
    }

    /// Forgets all data: the worker has died.
    pub(super) fn forget(&self) {
        self.0.borrow_mut().clear();
    }
}

fn post(worker: &Worker, bytes: &[u8]) {
    let bytes = Uint8Array::from(bytes);
    let transfer = Array::of1(&bytes.buffer());
    let message = object([("kind", "data".into()), ("bytes", bytes.into())]);
    // A worker that cannot be told has not come up, which is heard of elsewhere.
    let _ = worker.post_message_with_transfer(&message, &transfer);
}

impl Client {
    /// Reads a file in the worker, which receives the file and not its bytes; `None` for a setting
    /// file, whose data the window needs.
    ///
    /// # Errors
    /// A sentence: why the file was rejected, or that there is no worker to read it.
    pub async fn read(
        &self,
        about: &FileToRead<'_>,
        file: &Blob,
    ) -> Result<Option<ReadTensors>, String> {
        let (id, deferred) = (self.inner.new_id(), Deferred::new());
        let question = (&about.message(id, file), None);
        let whose = (Some(self.page), id);
        self.inner
            .ask(whose, question, Purpose::Result, deferred.clone());
        file_reader::tensors(deferred.promise).await
    }
}
