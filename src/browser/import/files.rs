//! Reads files into tensors, within limits.

use js_sys::Array;
use web_sys::{Blob, File, FileList};

use crate::bindings::{Client, FileToRead, ReadTensors, file_bytes};
use app::i18n::{Key, Language};
use app::import::file_messages::{refusal_of, refusal_of_amount, source, unreadable};
use app::import::{SettingFile, begins_setting, read_setting, tables};
use formats::{self, Limits, sanitize};

/// Files up to this many bytes are read at once; larger ones, and those that may unpack to more, by the worker, so that no frame waits
/// for them and the window does not hold their bytes.
const AT_ONCE: f64 = 1_048_576.0;

/// So many first bytes tell who reads a file.
const HEAD: f64 = 4_096.0;

/// Content of a file.
pub(super) enum Read {
    Tensors(ReadTensors),
    Setting(SettingFile),
}

/// The files of a list.
pub(super) fn listed(files: &FileList) -> Vec<File> {
    (0..files.length()).filter_map(|at| files.get(at)).collect()
}

/// Joins the file names.
pub(super) fn named(files: &[File]) -> String {
    let names: Vec<String> = files.iter().map(|file| sanitize(&file.name())).collect();
    names.join(", ")
}

/// Reads all of them; sizes are checked before any byte is read.
pub(super) async fn read(
    client: &Client,
    files: &[File],
    language: Language,
) -> Result<Read, String> {
    let bytes = files.iter().map(|file| file.size()).sum();
    if let Some(refusal) = refusal_of_amount(language, files.len(), bytes) {
        return Err(refusal);
    }
    let mut all = ReadTensors::default();
    for file in files {
        let name = file.name();
        let about = FileToRead {
            name: &name,
            of: (files.len() > 1).then_some(name.as_str()),
            language,
        };
        match read_one(client, &about, file).await? {
            Read::Tensors(more) => add(&mut all, more),
            setting => return Ok(setting),
        }
    }
    Ok(Read::Tensors(all))
}

/// Adds the content of another file; equal notes are kept once.
fn add(all: &mut ReadTensors, more: ReadTensors) {
    all.tensors.extend(more.tensors);
    let is_new = |note: &String| !all.notes.contains(note);
    let new: Vec<String> = more.notes.into_iter().filter(is_new).collect();
    all.notes.extend(new);
}

/// Reads pasted text: one table, or several with their names.
pub(super) async fn read_text(
    client: &Client,
    text: String,
    language: Language,
) -> Result<Read, String> {
    let tables = tables(&text);
    if tables.is_empty() {
        let about = FileToRead {
            name: Key::ImportPasted.text(language),
            of: None,
            language,
        };
        return read_pasted(client, &about, &text).await;
    }
    let mut all = ReadTensors::default();
    for table in &tables {
        let about = FileToRead {
            name: &format!("{}.csv", table.name),
            of: Some(table.name),
            language,
        };
        match read_pasted(client, &about, table.text).await? {
            Read::Tensors(more) => add(&mut all, more),
            setting => return Ok(setting),
        }
    }
    Ok(Read::Tensors(all))
}

async fn read_pasted(client: &Client, about: &FileToRead<'_>, text: &str) -> Result<Read, String> {
    let file = Blob::new_with_str_sequence(&Array::of1(&text.into()));
    match file {
        Ok(file) => read_one(client, about, &file).await,
        Err(_) => Err(unreadable(about.language, about.of)),
    }
}

async fn read_one(client: &Client, about: &FileToRead<'_>, file: &Blob) -> Result<Read, String> {
    let unreadable = || unreadable(about.language, about.of);
    let head = file.slice_with_f64_and_f64(0.0, HEAD);
    let head = head.map_err(|_| unreadable())?;
    let head = file_bytes(&head).await.map_err(|_| unreadable())?;
    let is_large = file.size() > AT_ONCE || formats::is_packed(&head);
    // The window needs all that is in a setting file.
    if is_large && !begins_setting(&head) {
        return client.read(about, file).await.map(Read::Tensors);
    }
    let bytes = file_bytes(file).await.map_err(|_| unreadable())?;
    if let Some(setting) = read_setting(&bytes, about.name) {
        return Ok(Read::Setting(setting));
    }
    let contents = formats::open(about.name, &bytes, &Limits::default());
    let contents = contents.map_err(|error| refusal_of(about.language, about.of, &error))?;
    Ok(Read::Tensors(ReadTensors {
        notes: source(about.language, &contents),
        tensors: contents.tensors,
    }))
}
