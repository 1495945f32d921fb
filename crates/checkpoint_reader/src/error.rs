//! Why a checkpoint was not opened.

use attention::{Code, Error};
use formats::FormatError;
use formats::gguf::GgufError;
use tokenizer::OpenError;

/// Why a checkpoint was not opened, with the file that the reason lies in.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ReadError {
    /// The files, the config or a tensor.
    #[error(transparent)]
    Refused(#[from] Error),
    /// A safetensors file.
    #[error("{file}: {error:?}")]
    Safetensors {
        /// Its name.
        file: String,
        /// What is wrong with it.
        error: FormatError,
    },
    /// A GGUF file.
    #[error("{file}: {error}")]
    Gguf {
        /// Its name.
        file: String,
        /// What is wrong with it.
        error: GgufError,
    },
    /// The tokenizer.
    #[error("{file}: {error}")]
    Tokenizer {
        /// The name of its file.
        file: String,
        /// What is wrong with it.
        error: OpenError,
    },
}

impl ReadError {
    pub(crate) fn missing(file: &str, rule: &str) -> Self {
        Error::missing(file, rule).into()
    }

    pub(crate) fn not_applicable(file: &str, value: &str, rule: &str) -> Self {
        Error::new(Code::NotApplicable, file, value, rule).into()
    }
}
