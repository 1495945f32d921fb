//! Reads large files in the worker, so that the window stays responsive.

use js_sys::{Array, Float32Array, JsString, Object, Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use super::error::Refusal;
use super::js_object::{get, object, text};
use super::response::Response;
use super::status::maybe;
use app::i18n::Language;
use app::import::file_messages::{refusal_of, source, unreadable};
use formats::{self, Labels, Limits, Tensor};

/// A file to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileToRead<'a> {
    /// The file's name.
    pub name: &'a str,
    /// Name that an error message gives the file, if it is one of several.
    pub of: Option<&'a str>,
    /// The language of a refusal.
    pub language: Language,
}

/// Tensors of files, and notes on how they were read.
#[derive(Debug, Default)]
pub struct ReadTensors {
    /// The tensors.
    pub tensors: Vec<Tensor>,
    /// Sentences in the page's language.
    pub notes: Vec<String>,
}

impl FileToRead<'_> {
    /// Message that requests it. It contains the file and not its bytes, which never reach the
    /// window.
    pub(super) fn message(&self, id: u32, file: &Blob) -> Object {
        object([
            ("kind", "read".into()),
            ("id", id.into()),
            ("name", self.name.into()),
            ("of", maybe(self.of)),
            ("language", self.language.code().into()),
            ("file", file.into()),
        ])
    }
}

/// The bytes of a file, or of a part of one.
///
/// # Errors
/// The browser does not give them: it may have been moved or changed.
pub async fn bytes(file: &Blob) -> Result<Vec<u8>, JsValue> {
    let buffer = JsFuture::from(file.array_buffer()).await?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

/// Worker side: the tensors, or the error as a sentence.
pub(super) async fn answer(message: JsValue) -> Response {
    let transfer = Array::new();
    let language = Language::from_tag(&text(&message, "language")).unwrap_or_default();
    let of = get(&message, "of").as_string();
    let file: Blob = get(&message, "file").unchecked_into();
    let result = match bytes(&file).await {
        Ok(bytes) => match formats::open(&text(&message, "name"), &bytes, &Limits::default()) {
            Ok(contents) => {
                let tensors = contents.tensors.iter();
                let tensors: Array = tensors.map(|own| tensor(own, &transfer)).collect();
                let notes = source(language, &contents);
                let notes: Array = notes
                    .iter()
                    .map(|own| JsString::from(own.as_str()))
                    .collect();
                object([("tensors", tensors.into()), ("notes", notes.into())])
            }
            Err(error) => refused(&refusal_of(language, of.as_deref(), &error)),
        },
        Err(_) => refused(&unreadable(language, of.as_deref())),
    };
    Response { result, transfer }
}

fn refused(sentence: &str) -> Object {
    object([("refused", sentence.into())])
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

/// Window side: the tensors, or the error as a sentence.
pub(super) async fn tensors(promise: Promise) -> Result<ReadTensors, String> {
    let answer = JsFuture::from(promise).await;
    let answer = answer.map_err(|stopped| Refusal::from_message(stopped).message)?;
    match get(&answer, "refused").as_string() {
        Some(refused) => Err(refused),
        None => Ok(ReadTensors {
            tensors: listed(&get(&answer, "tensors"))
                .map(|own| read(&own))
                .collect(),
            notes: listed(&get(&answer, "notes"))
                .filter_map(|note| note.as_string())
                .collect(),
        }),
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
