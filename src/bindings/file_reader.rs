//! Reads large files in the worker, so that the window stays responsive.

use js_sys::{Array, Float32Array, JsString, Object, Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::error::Refusal;
use super::js_object::{get, object, text};
use super::response::Response;
use super::status::maybe;
use crate::i18n::Language;
use crate::import::file_messages::refusal_of;
use formats::{self, Labels, Limits, Tensor};

/// A file to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileToRead<'a> {
    /// What it is called.
    pub name: &'a str,
    /// What a refusal calls it, where it is one of several.
    pub of: Option<&'a str>,
    /// The language of a refusal.
    pub language: Language,
}

impl FileToRead<'_> {
    /// The message that asks for it, and what moves with it.
    pub(super) fn message(&self, id: u32, bytes: &[u8]) -> (Object, Array) {
        let bytes = Uint8Array::from(bytes);
        let transfer = Array::of1(&bytes.buffer());
        let message = object([
            ("kind", "read".into()),
            ("id", id.into()),
            ("name", self.name.into()),
            ("of", maybe(self.of)),
            ("language", self.language.code().into()),
            ("bytes", bytes.into()),
        ]);
        (message, transfer)
    }
}

/// The worker's side: the tensors, or the sentence that says why there are none.
pub(super) fn answer(message: &JsValue) -> Response {
    let bytes = get(message, "bytes").dyn_into::<Uint8Array>();
    let bytes = bytes.map(|bytes| bytes.to_vec()).unwrap_or_default();
    let transfer = Array::new();
    let result = match formats::read(&text(message, "name"), &bytes, &Limits::default()) {
        Ok(tensors) => {
            let tensors: Array = tensors.iter().map(|own| tensor(own, &transfer)).collect();
            object([("tensors", tensors.into())])
        }
        Err(error) => {
            let language = Language::from_tag(&text(message, "language")).unwrap_or_default();
            let of = get(message, "of").as_string();
            let said = refusal_of(language, of.as_deref(), &error);
            object([("refused", said.into())])
        }
    };
    Response { result, transfer }
}

fn tensor(tensor: &Tensor, transfer: &Array) -> JsValue {
    let data = Float32Array::from(&tensor.data[..]);
    transfer.push(&data.buffer());
    let shape: Array = tensor
        .shape
        .iter()
        .map(|length| JsValue::from_f64(*length as f64))
        .collect();
    let labels: Array = tensor.labels.iter().map(labels).collect();
    object([
        ("name", tensor.name.as_str().into()),
        ("shape", shape.into()),
        ("data", data.into()),
        ("labels", labels.into()),
    ])
    .into()
}

fn labels(labels: &Labels) -> JsValue {
    let names: Array = labels
        .names
        .iter()
        .map(|name| JsString::from(name.as_str()))
        .collect();
    object([
        ("title", labels.title.as_str().into()),
        ("names", names.into()),
    ])
    .into()
}

/// The window's side: the tensors, or the sentence that says why there are none.
pub(super) async fn tensors(promise: Promise) -> Result<Vec<Tensor>, String> {
    let answer = JsFuture::from(promise).await;
    let answer = answer.map_err(|stopped| Refusal::from_message(stopped).message)?;
    match get(&answer, "refused").as_string() {
        Some(refused) => Err(refused),
        None => Ok(listed(&get(&answer, "tensors"))
            .map(|own| read(&own))
            .collect()),
    }
}

fn listed(value: &JsValue) -> impl Iterator<Item = JsValue> + use<> {
    let list = value.dyn_ref::<Array>().cloned().unwrap_or_default();
    list.iter().collect::<Vec<_>>().into_iter()
}

fn read(message: &JsValue) -> Tensor {
    let data = get(message, "data").dyn_into::<Float32Array>();
    let names = |own: &JsValue| {
        listed(&get(own, "names"))
            .filter_map(|name| name.as_string())
            .collect()
    };
    Tensor {
        name: text(message, "name"),
        shape: listed(&get(message, "shape"))
            .filter_map(|length| Some(length.as_f64()? as usize))
            .collect(),
        data: data.map(|data| data.to_vec()).unwrap_or_default(),
        labels: listed(&get(message, "labels"))
            .map(|own| Labels {
                title: text(&own, "title"),
                names: names(&own),
            })
            .collect(),
    }
}
