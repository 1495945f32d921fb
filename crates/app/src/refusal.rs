//! Why the engine, or the code that reads files for it, refuses a call.

wasm_chunks::chunk!("engine");

use attention::{Code, Error};

/// Why a call is refused: an [`Error`] that may have crossed to another thread, so that its code is a name.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Refusal {
    /// Name of a [`Code`], or one of the constants below.
    pub code: String,
    /// What is refused: a field, a file, a tensor.
    pub field: String,
    /// What was found there.
    pub value: String,
    /// A sentence that names field, rule and value, in English.
    pub message: String,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        Self {
            code: error.code.name().to_owned(),
            field: error.field,
            value: error.value,
            message,
        }
    }
}

impl Refusal {
    /// The code of a file that the site offers and does not give.
    pub const NOT_LOADED: &str = "not_loaded";

    /// The code of one that was opened before, and is gone or may not be read.
    pub const NOT_THERE: &str = "not_there";

    /// The code of one that is not the file that the site's list means.
    pub const NOT_AS_LISTED: &str = "not_as_listed";

    /// The code of all models where the code that opens them is left out.
    pub const LEFT_OUT: &str = "left_out";

    /// A refusal of a file, or of a model by its name, whose sentence its code gives.
    pub fn of_file(code: &str, file: &str) -> Self {
        Self {
            code: code.to_owned(),
            field: file.to_owned(),
            ..Self::default()
        }
    }

    /// The caller ended the call.
    pub fn aborted() -> Self {
        Error::new(
            Code::Aborted,
            "signal",
            "an abort",
            "the caller ended this call",
        )
        .into()
    }

    /// Something newer took this run's place.
    pub fn replaced() -> Self {
        Error::new(
            Code::Aborted,
            "page",
            "an older run",
            "a newer run has taken its place",
        )
        .into()
    }

    /// The worker cannot be used, or has died, because of `cause`.
    pub fn stopped(cause: &str) -> Self {
        Error::new(
            Code::BackendUnavailable,
            "backend",
            cause,
            "the worker that computes has stopped",
        )
        .into()
    }

    /// The request could not be posted, not even with placeholders.
    pub fn not_copied() -> Self {
        Error::new(
            Code::UnknownOption,
            "request",
            "something that cannot be copied",
            "must be plain data",
        )
        .into()
    }
}
