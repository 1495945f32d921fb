//! Reads files into tensors, within limits.

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileList};

use crate::bindings::{Client, FileToRead};
use crate::i18n::{Key, Language};
use crate::import::file_messages::{at, refusal_of, refusal_of_amount};
use crate::import::{SettingFile, read_setting, tables};
use formats::{self, Limits, Tensor, sanitize};

/// Files up to this many bytes are read at once; larger ones, and those that may unpack to more, by the worker, so that no frame waits
/// for them.
const AT_ONCE: usize = 1 << 20;

/// What a file was.
pub(super) enum Read {
    Tensors(Vec<Tensor>),
    Setting(SettingFile),
}

/// The files of a list.
pub(super) fn listed(files: &FileList) -> Vec<File> {
    (0..files.length()).filter_map(|at| files.get(at)).collect()
}

/// What they are called together.
pub(super) fn named(files: &[File]) -> String {
    let names: Vec<String> = files.iter().map(|file| sanitize(&file.name())).collect();
    names.join(", ")
}

/// Reads all of them; the sizes are looked at before any byte is.
pub(super) async fn read(
    client: &Client,
    files: &[File],
    language: Language,
) -> Result<Read, String> {
    let bytes = files.iter().map(|file| file.size()).sum();
    if let Some(refusal) = refusal_of_amount(language, files.len(), bytes) {
        return Err(refusal);
    }
    let mut tensors = Vec::new();
    for file in files {
        let name = file.name();
        let of = (files.len() > 1).then_some(name.as_str());
        let buffer = JsFuture::from(file.array_buffer()).await;
        let buffer = buffer.map_err(|_| {
            let rule = Key::BringUnread.text(language);
            of.map_or_else(|| rule.to_owned(), |of| at(language, of, rule))
        })?;
        let bytes = js_sys::Uint8Array::new(buffer.unchecked_ref()).to_vec();
        let file = FileToRead {
            name: &name,
            of,
            language,
        };
        match parsed(client, &file, bytes).await? {
            Read::Tensors(more) => tensors.extend(more),
            setting => return Ok(setting),
        }
    }
    Ok(Read::Tensors(tensors))
}

/// Reads what was pasted: one thing, or several tables with their names.
pub(super) async fn read_text(
    client: &Client,
    text: String,
    language: Language,
) -> Result<Read, String> {
    let tables = tables(&text);
    if tables.is_empty() {
        let file = FileToRead {
            name: Key::BringPasted.text(language),
            of: None,
            language,
        };
        return parsed(client, &file, text.into_bytes()).await;
    }
    let mut tensors = Vec::new();
    for table in &tables {
        let file = FileToRead {
            name: &format!("{}.csv", table.name),
            of: Some(table.name),
            language,
        };
        match parsed(client, &file, table.text.into()).await? {
            Read::Tensors(more) => tensors.extend(more),
            setting => return Ok(setting),
        }
    }
    Ok(Read::Tensors(tensors))
}

async fn parsed(client: &Client, file: &FileToRead<'_>, bytes: Vec<u8>) -> Result<Read, String> {
    if let Some(setting) = read_setting(&bytes, file.name) {
        return Ok(Read::Setting(setting));
    }
    let tensors = if bytes.len() > AT_ONCE || formats::is_packed(&bytes) {
        client.read(file, &bytes).await
    } else {
        formats::read(file.name, &bytes, &Limits::default())
            .map_err(|error| refusal_of(file.language, file.of, &error))
    };
    tensors.map(Read::Tensors)
}
