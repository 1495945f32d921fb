//! Reads large files in the worker, so that the window stays responsive.

use js_sys::{Array, Float32Array, JsString, Object, Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::error::Refusal;
use super::js_object::{get, object, serialized, text};
use super::response::Response;
use formats::{self, FormatError, Labels, Limits, Tensor};

/// Why there are no tensors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    /// The file was refused.
    Refused(FormatError),
    /// The worker stopped before it had read the file; the sentence tells why.
    Stopped(String),
}

/// The message that asks for it, and what moves with it.
pub(super) fn message(id: u32, name: &str, bytes: &[u8]) -> (Object, Array) {
    let bytes = Uint8Array::from(bytes);
    let transfer = Array::of1(&bytes.buffer());
    let message = object([
        ("kind", "read".into()),
        ("id", id.into()),
        ("name", name.into()),
        ("bytes", bytes.into()),
    ]);
    (message, transfer)
}

/// The worker's side: the tensors, or where which rule was broken. Only the window knows in which language to say so.
pub(super) fn answer(message: &JsValue) -> Response {
    let bytes = get(message, "bytes").dyn_into::<Uint8Array>();
    let bytes = bytes.map(|bytes| bytes.to_vec()).unwrap_or_default();
    let transfer = Array::new();
    let result = match formats::read(&text(message, "name"), &bytes, &Limits::default()) {
        Ok(tensors) => {
            let tensors: Array = tensors.iter().map(|own| tensor(own, &transfer)).collect();
            object([("tensors", tensors.into())])
        }
        Err(error) => object([("refused", serialized(&error))]),
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

/// The window's side.
pub(super) async fn tensors(promise: Promise) -> Result<Vec<Tensor>, ReadError> {
    let stopped = |refusal: Refusal| ReadError::Stopped(refusal.message);
    let answer = JsFuture::from(promise).await;
    let answer = answer.map_err(|refused| stopped(Refusal::from_message(refused)))?;
    let refused = get(&answer, "refused");
    if !refused.is_undefined() {
        let refused = serde_wasm_bindgen::from_value(refused);
        let unread = refused.map_or_else(
            |error| stopped(Refusal::stopped(&error.to_string())),
            ReadError::Refused,
        );
        return Err(unread);
    }
    Ok(listed(&get(&answer, "tensors"))
        .map(|own| read(&own))
        .collect())
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
