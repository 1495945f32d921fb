//! The one error type for invalid input to this crate.

use std::fmt;

use kernels::all_finite;
use ndarray::{Array, Dimension};

/// Why a value was refused. The names are those of the public API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// A tensor or length has another shape than the rest of the request asks for.
    ShapeMismatch,
    /// A number is infinite or not a number.
    NotFinite,
    /// The query heads do not divide the projection's columns, or there are none.
    HeadsDoNotDivide,
    /// The key/value heads do not divide the query heads.
    KvHeadsDoNotDivide,
    /// A name or value is not among those an option takes.
    UnknownOption,
    /// The request needs more memory than can be given.
    TooLarge,
    /// The requested backend is unavailable.
    BackendUnavailable,
    /// Two options contradict each other.
    NotApplicable,
    /// A required field is absent.
    MissingField,
    /// The caller ended the run.
    Aborted,
    /// The layer was freed before the call.
    Freed,
}

impl Code {
    /// The name used in the public API, e.g. `shape_mismatch`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ShapeMismatch => "shape_mismatch",
            Self::NotFinite => "not_finite",
            Self::HeadsDoNotDivide => "heads_do_not_divide",
            Self::KvHeadsDoNotDivide => "kv_heads_do_not_divide",
            Self::UnknownOption => "unknown_option",
            Self::TooLarge => "too_large",
            Self::BackendUnavailable => "backend_unavailable",
            Self::NotApplicable => "not_applicable",
            Self::MissingField => "missing_field",
            Self::Aborted => "aborted",
            Self::Freed => "freed",
        }
    }
}

/// A refusal: which field, which value, which rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {rule}; got {value}")]
pub struct Error {
    /// Which rule family was broken.
    pub code: Code,
    /// The field as the public API names it, e.g. `w_k`.
    pub field: String,
    /// The value found there, printed.
    pub value: String,
    /// The rule in plain English, e.g. `must be [32, 16] (d_model, kv_heads·d_k)`.
    pub rule: String,
}

impl Error {
    /// A refusal of `value` in `field` because of `rule`.
    pub fn new(
        code: Code,
        field: impl Into<String>,
        value: impl fmt::Display,
        rule: impl Into<String>,
    ) -> Self {
        Self {
            code,
            field: field.into(),
            value: value.to_string(),
            rule: rule.into(),
        }
    }

    /// A tensor `field` of shape `found` where `wanted` (with its axis names in `axes`) is needed.
    pub fn shape(field: impl Into<String>, found: &[usize], wanted: &[usize], axes: &str) -> Self {
        Self::new(
            Code::ShapeMismatch,
            field,
            format!("{found:?}"),
            format!("the shape must be {wanted:?} ({axes})"),
        )
    }

    /// A result `field` that left the range of 32 bits, although the inputs were finite.
    pub fn beyond_range(field: &str, value: f32) -> Self {
        let rule = "the numbers grow beyond what 32 bits hold; give smaller inputs or weights";
        Self::new(Code::NotFinite, field, value, rule)
    }

    /// A required `field` is absent.
    pub fn missing(field: impl Into<String>, rule: impl Into<String>) -> Self {
        Self::new(Code::MissingField, field, "nothing", rule)
    }
}

/// [`check_finite`] for an array, in vectors where its memory is contiguous.
pub(crate) fn check_all_finite<D: Dimension>(
    field: &str,
    values: &Array<f32, D>,
) -> Result<(), Error> {
    if values.as_slice().is_some_and(all_finite) {
        return Ok(());
    }
    check_finite(field, values)
}

/// Refuses the first value that is not finite, with its position in row-major order.
///
/// # Errors
/// [`Code::NotFinite`].
pub fn check_finite<'a>(
    field: &str,
    values: impl IntoIterator<Item = &'a f32>,
) -> Result<(), Error> {
    match values
        .into_iter()
        .enumerate()
        .find(|(_, value)| !value.is_finite())
    {
        None => Ok(()),
        Some((index, value)) => Err(Error::new(
            Code::NotFinite,
            field,
            value,
            format!("every value must be finite, but the one at index {index} is not"),
        )),
    }
}
