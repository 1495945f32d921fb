//! Why a GGUF file was refused.

use std::fmt::Display;

use crate::sanitize::sanitize;

/// A refusal: the field, the value found there, and the violated rule. Both texts are [sanitized](crate::sanitize()).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {rule}; got {value}")]
pub struct GgufError {
    /// The field: a key of the metadata, a tensor's name with the part of it, or a part of the header.
    pub field: String,
    /// What was found there.
    pub value: String,
    /// The rule that it breaks.
    pub rule: GgufRule,
}

/// Requirement that a file violates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GgufRule {
    /// It is another format.
    #[error("a file in GGUF begins with the letters GGUF")]
    Magic,
    /// The highest byte of a number comes first.
    #[error("the lowest byte of a number comes first, not the highest (big-endian)")]
    BigEndian,
    /// Another version.
    #[error("versions 2 and 3 are read")]
    Version,
    /// The file ends before it should; it has so many bytes.
    #[error("it lies within the {0} bytes of the file")]
    Truncated(u64),
    /// Metadata and list of tensors are longer than this.
    #[error("metadata and list of tensors take at most {0} bytes")]
    MostHeader(u64),
    /// A count is larger than the file's length, or any model, allows.
    #[error("at most {0}")]
    Most(u64),
    /// A text is not UTF-8.
    #[error("texts are UTF-8")]
    NotText,
    /// Two keys, or two tensors, have one name.
    #[error("a name occurs once")]
    Duplicate,
    /// An unknown type of values.
    #[error("types of values are 0 to 12")]
    ValueType,
    /// A truth value is something else.
    #[error("a truth value is 0 or 1")]
    TruthValue,
    /// An array in an array.
    #[error("arrays hold no arrays")]
    NestedArray,
    /// The alignment of tensors.
    #[error("the alignment is a power of two of type UINT32")]
    Alignment,
    /// An axis without any place.
    #[error("an axis has a length of at least 1")]
    EmptyAxis,
    /// More numbers than can be counted.
    #[error("the product of the lengths fits into the address space")]
    Product,
    /// A type of blocks that is not read.
    #[error(
        "types that are read: F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q2_K to Q6_K, IQ4_NL"
    )]
    BlockType,
    /// A row of a tensor is no whole number of blocks of this length.
    #[error("a row is a multiple of {0} numbers long")]
    RowLength(usize),
    /// A tensor does not begin at a multiple of the alignment.
    #[error("tensors begin at multiples of {0} bytes")]
    Misaligned(u64),
    /// Tensors share bytes.
    #[error("tensors do not overlap")]
    Overlap,
    /// A key is absent.
    #[error("the metadata has this key")]
    Missing,
    /// A value has another type than its key needs.
    #[error("its type is {0}")]
    Expected(&'static str),
    /// A whole number is out of range.
    #[error("it is from {0} to {1}")]
    Range(i64, u64),
}

impl GgufRule {
    /// The family of the rule, as the public API names refusals, with `malformed` for what only files can be.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Magic
            | Self::BigEndian
            | Self::Version
            | Self::BlockType
            | Self::NestedArray
            | Self::Expected(_)
            | Self::Range(..) => "unknown_option",
            Self::MostHeader(_) | Self::Most(_) | Self::Product => "too_large",
            Self::EmptyAxis | Self::RowLength(_) => "shape_mismatch",
            Self::Missing => "missing_field",
            Self::Truncated(_)
            | Self::NotText
            | Self::Duplicate
            | Self::ValueType
            | Self::TruthValue
            | Self::Alignment
            | Self::Misaligned(_)
            | Self::Overlap => "malformed",
        }
    }
}

impl GgufError {
    pub(super) fn new(field: impl Display, value: impl Display, rule: GgufRule) -> Self {
        Self {
            field: sanitize(&field.to_string()),
            value: sanitize(&value.to_string()),
            rule,
        }
    }
}
