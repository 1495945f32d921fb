//! Why a vocabulary or a text was refused.

/// Why a tokenizer was not opened.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OpenError {
    /// `tokenizer.json` does not follow the format, as the reader says.
    #[error("tokenizer.json: {0}")]
    Json(String),
    /// A field of the vocabulary has a value that it cannot have.
    #[error("{field}: {value}: {rule}")]
    Field {
        /// The field, as the file calls it.
        field: &'static str,
        /// The value that was found.
        value: String,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// A field that is needed is absent.
    #[error("{0}: is missing")]
    Missing(&'static str),
    /// `tokenizer.ggml.model` names a kind of tokenizer that is not read.
    #[error("tokenizer.ggml.model: \"{0}\" is not known")]
    UnknownModel(String),
    /// `tokenizer.ggml.pre` names a way to split text that is not known.
    #[error("tokenizer.ggml.pre: \"{0}\" is not known")]
    UnknownSplit(String),
    /// The parts of a tokenizer do not fit together, as the library says.
    #[error("tokenizer: {0}")]
    Parts(String),
}

impl OpenError {
    /// The error of a field.
    pub(crate) fn field(field: &'static str, value: impl ToString, rule: &'static str) -> Self {
        let value = value.to_string();
        Self::Field { field, value, rule }
    }

    /// What the library says against the parts that it is given.
    pub(crate) fn parts(error: impl ToString) -> Self {
        Self::Parts(error.to_string())
    }
}

/// Why a text was not encoded, as the library says: a regular expression that gives up, or a vocabulary without the unknown token that it names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("text: {0}")]
pub struct EncodeError(pub String);
