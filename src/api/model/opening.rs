//! A checkpoint while it is opened by calls.

use super::config::described;
use super::stored::StoredModel;
use super::tensors::code_named;
use app::js_tree::JsTree;
use attention::{Code, Error};
use checkpoint_reader::{Piece, ReadError, Reader};
use formats::FormatError;
use formats::gguf::GgufRule;

pub use checkpoint_reader::FileInfo;

/// A checkpoint that is being opened. `say` gives the sentence about a safetensors file that is refused.
pub struct Opening {
    reader: Reader,
    say: fn(&FormatError) -> String,
}

impl Opening {
    /// Begins with these files; `most` is how many bytes of weights there is room for.
    ///
    /// # Errors
    /// As [`Reader::new`].
    pub fn new(
        files: Vec<FileInfo>,
        most: u64,
        say: fn(&FormatError) -> String,
    ) -> Result<Self, Error> {
        let reader = Reader::new(files, most).map_err(|error| refusal(error, say))?;
        Ok(Self { reader, say })
    }

    /// The bytes that are wanted next; `None` once all are there.
    pub fn wants(&self) -> Option<Piece> {
        self.reader.wants()
    }

    /// Takes the bytes that are wanted.
    ///
    /// # Errors
    /// As [`Reader::take`].
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let taken = self.reader.take(bytes);
        taken.map_err(|error| refusal(error, self.say))
    }

    /// How far it is: `{ read, total }`, bytes of weights.
    pub fn progress(&self) -> JsTree {
        let progress = self.reader.progress();
        JsTree::record([
            ("read", JsTree::Number(progress.read as f64)),
            ("total", JsTree::Number(progress.total as f64)),
        ])
    }

    /// The model, and what is said of it: `{ family, dtype, config }`.
    ///
    /// # Errors
    /// As [`Reader::opened`].
    pub fn opened(self) -> Result<(StoredModel, JsTree), Error> {
        let opened = self.reader.opened();
        let opened = opened.map_err(|error| refusal(error, self.say))?;
        let about = JsTree::record([
            ("family", JsTree::text(opened.family.name())),
            ("dtype", JsTree::texts(&opened.dtypes)),
            ("config", described(opened.model.config())),
        ]);
        Ok((StoredModel::opened(opened.model, opened.tokenizer), about))
    }
}

/// A refusal as callers get it: the file, or the field in it.
fn refusal(error: ReadError, say: fn(&FormatError) -> String) -> Error {
    match error {
        ReadError::Refused(error) => error,
        ReadError::Safetensors { file, error } => {
            let rule = say(&error);
            Error::new(code_named(error.rule.code()), file, error.value, rule)
        }
        ReadError::Gguf { file, error } => {
            let code = match error.rule {
                GgufRule::Missing => Code::MissingField,
                rule => code_named(rule.code()),
            };
            let rule = error.rule.to_string();
            Error::new(code, format!("{file}: {}", error.field), error.value, rule)
        }
        ReadError::Tokenizer { file, error } => {
            let rule = "the tokenizer must be one that is read here";
            Error::new(Code::UnknownOption, file, error, rule)
        }
    }
}
