//! Reads large files in the worker, so that the window stays responsive.

use js_sys::{Array, Object, Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use super::error::from_message;
use super::js_object::{get, object, set, text};
use super::message::{Command, InMessage as _};
use super::response::Response;
use app::i18n::Language;
use app::import::{FileToRead, ReadTensors};

/// Message that requests the tensors of a file. It contains the file and not its bytes, which never reach the window.
pub(super) fn message(id: u32, about: &FileToRead<'_>, file: &Blob) -> Object {
    let message = Command::Read.message(id);
    set(&message, "name", &about.name.into());
    set(&message, "of", &about.of.into());
    set(&message, "language", &about.language.code().into());
    set(&message, "file", file);
    message
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
    let (name, of) = (text(&message, "name"), get(&message, "of").as_string());
    let about = FileToRead {
        name: &name,
        of: of.as_deref(),
        language: Language::from_tag(&text(&message, "language")).unwrap_or_default(),
    };
    let file: Blob = get(&message, "file").unchecked_into();
    let read = match bytes(&file).await {
        Ok(bytes) => about.tensors(&bytes),
        Err(_) => Err(about.unreadable()),
    };
    let result = match read {
        Ok(read) => read.to_js(&transfer),
        Err(sentence) => object([("refused", sentence.into())]).into(),
    };
    Response {
        result: result.unchecked_into(),
        transfer,
    }
}

/// Window side: the tensors, or the error as a sentence.
pub(super) async fn tensors(promise: Promise) -> Result<ReadTensors, String> {
    let answer = JsFuture::from(promise).await;
    let answer = answer.map_err(|stopped| from_message(stopped).message)?;
    match get(&answer, "refused").as_string() {
        Some(refused) => Err(refused),
        None => Ok(ReadTensors::from_js(&answer).unwrap_or_default()),
    }
}
