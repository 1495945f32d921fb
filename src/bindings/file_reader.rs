//! Reads large files in the worker, so that the window stays responsive.

use js_sys::{Array, Object, Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use super::error::Refusal;
use super::js_object::{get, object, set, text};
use super::message::{Command, InMessage as _};
use super::response::Response;
use app::i18n::Language;
use app::import::file_messages::{refusal_of, source, unreadable};
use formats::{self, Limits, Tensor};

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
        let message = Command::Read.message(id);
        set(&message, "name", &self.name.into());
        set(&message, "of", &self.of.into());
        set(&message, "language", &self.language.code().into());
        set(&message, "file", file);
        message
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
                let read = ReadTensors {
                    notes: source(language, &contents),
                    tensors: contents.tensors,
                };
                read.to_js(&transfer)
            }
            Err(error) => refused(&refusal_of(language, of.as_deref(), &error)),
        },
        Err(_) => refused(&unreadable(language, of.as_deref())),
    };
    Response {
        result: result.unchecked_into(),
        transfer,
    }
}

fn refused(sentence: &str) -> JsValue {
    object([("refused", sentence.into())]).into()
}

/// Window side: the tensors, or the error as a sentence.
pub(super) async fn tensors(promise: Promise) -> Result<ReadTensors, String> {
    let answer = JsFuture::from(promise).await;
    let answer = answer.map_err(|stopped| Refusal::from_message(stopped).message)?;
    match get(&answer, "refused").as_string() {
        Some(refused) => Err(refused),
        None => Ok(ReadTensors::from_js(&answer).unwrap_or_default()),
    }
}
