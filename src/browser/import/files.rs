//! Reads files and pasted text into tensors.

use js_sys::Array;
use wasm_bindgen::JsValue;
use web_sys::{Blob, File};

use super::picked::PickedFiles;
use crate::bindings::{Client, file_bytes};
use app::i18n::{Key, Language};
use app::import::{FileContents, FileToRead, ReadTensors, begins_setting, read_setting, tables};
use app::message::ImportAction;

/// Files up to this many bytes are read at once; larger ones, and those that may unpack to more, by the worker, so that no frame waits
/// for them and the window does not hold their bytes.
const AT_ONCE: f64 = 1_048_576.0;

/// So many first bytes tell who reads a file.
const HEAD: f64 = 4_096.0;

/// Files or a text to import.
pub(in crate::browser) enum Source {
    Files(PickedFiles),
    Text(String),
}

/// A file, or a table of a text.
struct Part {
    name: String,
    /// Name that an error message gives it, if it is one of several.
    of: Option<String>,
    file: Result<Blob, JsValue>,
}

impl Source {
    /// The message that it is to be read.
    pub(super) fn announced(&self) -> ImportAction {
        match self {
            Self::Files(picked) => ImportAction::Begin(
                picked.files.iter().map(File::name).collect(),
                picked.files.iter().map(|file| file.size()).sum(),
            ),
            Self::Text(_) => ImportAction::Begin(Vec::new(), 0.0),
        }
    }

    /// Reads all of it.
    ///
    /// # Errors
    /// A sentence: why it is not read.
    pub(in crate::browser) async fn read(
        self,
        client: &Client,
        language: Language,
    ) -> Result<FileContents, String> {
        let mut all = ReadTensors::default();
        for Part { name, of, file } in self.parts(language) {
            let about = FileToRead {
                name: &name,
                of: of.as_deref(),
                language,
            };
            let file = file.map_err(|_| about.unreadable())?;
            match read_one(client, &about, &file).await? {
                FileContents::Tensors(more) => all.add(more),
                setting => return Ok(setting),
            }
        }
        Ok(FileContents::Tensors(all))
    }

    fn parts(self, language: Language) -> Vec<Part> {
        match self {
            Self::Files(PickedFiles { files, .. }) => {
                let are_many = files.len() > 1;
                let part = |file: File| Part {
                    name: file.name(),
                    of: are_many.then(|| file.name()),
                    file: Ok(file.into()),
                };
                files.into_iter().map(part).collect()
            }
            Self::Text(text) => {
                let file =
                    |text: &str| Blob::new_with_str_sequence(&Array::of1(&JsValue::from(text)));
                let tables = tables(&text);
                if tables.is_empty() {
                    return vec![Part {
                        name: Key::ImportPasted.text(language).to_owned(),
                        of: None,
                        file: file(&text),
                    }];
                }
                let parts = tables.iter().map(|table| Part {
                    name: format!("{}.csv", table.name),
                    of: Some(table.name.to_owned()),
                    file: file(table.text),
                });
                parts.collect()
            }
        }
    }
}

async fn read_one(
    client: &Client,
    about: &FileToRead<'_>,
    file: &Blob,
) -> Result<FileContents, String> {
    let unreadable = |_| about.unreadable();
    let head = file.slice_with_f64_and_f64(0.0, HEAD).map_err(unreadable)?;
    let head = file_bytes(&head).await.map_err(unreadable)?;
    let is_large = file.size() > AT_ONCE || formats::is_packed(&head);
    // The window needs all that is in a setting file.
    if is_large && !begins_setting(&head) {
        return client.read(about, file).await.map(FileContents::Tensors);
    }
    let bytes = file_bytes(file).await.map_err(unreadable)?;
    match read_setting(&bytes, about.name) {
        Some(setting) => Ok(FileContents::Setting(setting)),
        None => about.tensors(&bytes).map(FileContents::Tensors),
    }
}
