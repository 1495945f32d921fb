//! Models of the public API: each call is computed at once, a training run in calls of a few milliseconds.

wasm_chunks::chunk!("models");

use std::cell::RefCell;
use std::collections::HashMap;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::super::js_object::{get, number, object, text};
use super::super::js_tree::{self, model_request};
use super::super::message::Command;
use super::platform::now;
use super::with_service;
use crate::api::{ModelAnswer, StoredModel};
use app::i18n::Language;
use app::import::file_messages::refusal_of;
use attention::{Code, Error};
use formats::FormatError;

/// Time of training between checks for messages.
const SLICE_MS: f64 = 10.0;

thread_local! {
    static MODELS: RefCell<HashMap<u32, StoredModel>> = RefCell::default();
}

/// Creates a model, or answers a call of one, in a task of its own, whose code is loaded on first
/// use.
pub(super) fn answer(id: u32, message: JsValue) {
    spawn_local(async move {
        let answered = match Command::of(&message) {
            Some(Command::Model) => make(id, &message),
            _ => call(&message),
        };
        with_service(|service| match answered {
            Ok(Answer { value, transfer }) => {
                let message = object([("id", id.into()), ("result", value)]);
                service.post(&message, Some(&transfer));
            }
            Err(error) => service.refuse(id, &error.into()),
        });
    });
}

/// Forgets a model, if there is one.
pub(super) fn free(id: u32) {
    MODELS.with_borrow_mut(|models| models.remove(&id));
}

/// A value for the caller, with the buffers that move.
struct Answer {
    value: JsValue,
    transfer: Array,
}

fn make(id: u32, message: &JsValue) -> Result<Answer, Error> {
    let model = StoredModel::new(model_request(&get(message, "request"))?, said)?;
    MODELS.with_borrow_mut(|models| models.insert(id, model));
    Ok(Answer {
        value: id.into(),
        transfer: Array::new(),
    })
}

/// Text of an error about a rejected file.
fn said(error: &FormatError) -> String {
    refusal_of(Language::En, None, error)
}

fn call(message: &JsValue) -> Result<Answer, Error> {
    let id = number(message, "layer") as u32;
    let asked = get(message, "request");
    let request = model_request(&get(&asked, "request"))?;
    let start = now();
    let mut has_time = || now() - start < SLICE_MS;
    let answer = MODELS.with_borrow_mut(|models| {
        let model = models.get_mut(&id).ok_or_else(|| freed(id))?;
        model.call(&text(&asked, "name"), request, &mut has_time)
    })?;
    let transfer = Array::new();
    let value = match answer {
        ModelAnswer::Tree(tree) => js_tree::with_arrays(tree, &transfer),
        ModelAnswer::Bytes(bytes) => {
            let bytes = Uint8Array::from(bytes.as_slice());
            transfer.push(&bytes.buffer());
            bytes.into()
        }
    };
    Ok(Answer { value, transfer })
}

fn freed(model: u32) -> Error {
    let rule = "this model was freed; make a new one";
    Error::new(Code::Freed, "model", model, rule)
}
