//! From the bytes of files to tensors, in the window or in the worker.

use super::SettingFile;
use crate::i18n::Language;
use crate::i18n::file_messages::{self, refusal_of, source};
use formats::{Limits, Tensor};

/// A file to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileToRead<'a> {
    /// The file's name.
    pub name: &'a str,
    /// Name that an error message gives the file, if it is one of several.
    pub of: Option<&'a str>,
    /// The language of a refusal.
    pub language: Language,
}

/// Tensors of files, and notes on how they were read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadTensors {
    /// The tensors.
    pub tensors: Vec<Tensor>,
    /// Sentences in the page's language.
    pub notes: Vec<String>,
}

/// Contents of files.
#[derive(Clone, Debug)]
pub enum FileContents {
    /// Tensors.
    Tensors(ReadTensors),
    /// A setting that was saved here.
    Setting(SettingFile),
}

impl FileToRead<'_> {
    /// Its tensors.
    ///
    /// # Errors
    /// A sentence: why the file was rejected.
    pub fn tensors(&self, bytes: &[u8]) -> Result<ReadTensors, String> {
        let contents = formats::open(self.name, bytes, &Limits::default());
        let contents = contents.map_err(|error| refusal_of(self.language, self.of, &error))?;
        Ok(ReadTensors {
            notes: source(self.language, &contents),
            tensors: contents.tensors,
        })
    }

    /// Error that the browser could not read it.
    pub fn unreadable(&self) -> String {
        file_messages::unreadable(self.language, self.of)
    }
}

impl ReadTensors {
    /// Adds the content of another file; equal notes are kept once.
    pub fn add(&mut self, more: Self) {
        self.tensors.extend(more.tensors);
        for note in more.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }
}
