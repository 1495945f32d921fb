//! Why a file was refused.

use std::fmt::{self, Display};

use crate::foreign::Foreign;
use crate::sanitize::sanitize;

/// A format error: its location, the value found there, and the violated rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct FormatError {
    /// Where.
    pub place: ErrorLocation,
    /// Value that was found there; empty where that would not help.
    pub value: String,
    /// Which rule was broken.
    pub rule: FormatRule,
}

/// Where in a file something was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorLocation {
    /// The file as a whole.
    File,
    /// A line of text, counted from 1.
    Line(usize),
    /// A row of a table, counted from 1; lines that hold nothing and comments are none.
    Row(usize),
    /// A cell of a table, counted from 1.
    Cell {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// The header of safetensors.
    Header,
    /// The list of files in an archive.
    Directory,
    /// The tensor, or the file in an archive, of this name.
    Named(String),
    /// A number of a tensor.
    Element {
        /// The tensor's name.
        name: String,
        /// The number's place along each axis, counted from 0.
        index: Vec<usize>,
    },
}

impl ErrorLocation {
    /// The number at `index` of the tensor `name`.
    pub(super) fn element(name: &str, index: Vec<usize>) -> Self {
        let name = sanitize(name);
        Self::Element { name, index }
    }

    /// Whether it is what `name` stands for, or a number in it.
    pub fn is_in(&self, name: &str) -> bool {
        match self {
            Self::Named(own) | Self::Element { name: own, .. } => *own == sanitize(name),
            Self::File
            | Self::Line(_)
            | Self::Row(_)
            | Self::Cell { .. }
            | Self::Header
            | Self::Directory => false,
        }
    }
}

impl From<&String> for ErrorLocation {
    fn from(name: &String) -> Self {
        name.as_str().into()
    }
}

impl From<&str> for ErrorLocation {
    /// Sanitizes a name; an empty one means the whole file.
    fn from(name: &str) -> Self {
        if name.is_empty() {
            Self::File
        } else {
            Self::Named(sanitize(name))
        }
    }
}

/// Requirement that a file violates. Numbers are the largest allowed value, or the correct one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatRule {
    /// It is none of the formats.
    UnknownFormat,
    /// There is nothing in it.
    NoTensors,
    /// At most so many bytes, unpacked.
    MostBytes(usize),
    /// At most so many tensors.
    MostTensors(usize),
    /// At most so many numbers.
    MostElements(usize),
    /// At most so many axes.
    MostAxes(usize),
    /// At most so many bytes of header.
    MostHeader(usize),
    /// It ends before it should.
    Truncated,
    /// There is data after its end.
    Trailing,
    /// It is not written as its format demands.
    Malformed,
    /// A name or a header is not UTF-8.
    NotText,
    /// The file is text, but not UTF-8.
    Encoding,
    /// Two tensors, or two fields, have one name.
    Duplicate,
    /// A field is absent.
    Missing,
    /// This field does not belong there.
    UnknownField,
    /// Numbers of a type that is not read.
    Dtype,
    /// A number is infinite or not a number.
    NotFinite,
    /// A number does not fit into 32 bit.
    BeyondRange,
    /// This is no number.
    NotNumber,
    /// A cell is empty.
    EmptyCell,
    /// Every row has so many numbers.
    Ragged(usize),
    /// A number is next to an array, or arrays are not equally deep.
    Uneven,
    /// A shape does not fit this many numbers.
    Length(usize),
    /// A comma stands for the decimal point.
    DecimalComma,
    /// The highest byte of a number comes first.
    BigEndian,
    /// A print that leaves numbers out.
    Elided,
    /// Objects of a table have other keys than the first.
    OtherKeys,
    /// It is a file of another program.
    Foreign(Foreign),
    /// Parts of the file lie over each other or leave gaps.
    Overlap,
    /// Its declared unpacked size is impossible.
    Bomb,
    /// A checksum is wrong.
    Checksum,
    /// A name that points out of its archive.
    UnsafeName,
    /// A part of the archive format that NumPy does not write.
    Archive,
}

impl FormatRule {
    /// The family of the rule, as the public API names refusals, with `malformed` for what only files can be.
    pub const fn code(self) -> &'static str {
        match self {
            Self::UnknownFormat
            | Self::Foreign(_)
            | Self::Dtype
            | Self::BigEndian
            | Self::Archive
            | Self::UnknownField => "unknown_option",
            Self::MostBytes(_)
            | Self::MostTensors(_)
            | Self::MostElements(_)
            | Self::MostAxes(_)
            | Self::MostHeader(_)
            | Self::Bomb => "too_large",
            Self::NotFinite | Self::BeyondRange => "not_finite",
            Self::Ragged(_) | Self::Uneven | Self::OtherKeys | Self::Length(_) => "shape_mismatch",
            Self::NoTensors | Self::Missing => "missing_field",
            Self::Truncated
            | Self::Trailing
            | Self::Malformed
            | Self::NotText
            | Self::Encoding
            | Self::Duplicate
            | Self::NotNumber
            | Self::EmptyCell
            | Self::DecimalComma
            | Self::Elided
            | Self::Overlap
            | Self::Checksum
            | Self::UnsafeName => "malformed",
        }
    }
}

impl FormatError {
    pub(super) fn new(
        place: impl Into<ErrorLocation>,
        value: impl Display,
        rule: FormatRule,
    ) -> Self {
        Self {
            place: place.into(),
            value: sanitize(&value.to_string()),
            rule,
        }
    }

    /// About the number at place `at` of a tensor.
    pub(super) fn of_element(
        name: &str,
        shape: &[usize],
        at: usize,
        value: impl Display,
        rule: FormatRule,
    ) -> Self {
        Self::new(ErrorLocation::element(name, index(shape, at)), value, rule)
    }
}

impl Display for FormatError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{:?}: {:?}; got {}", self.place, self.rule, self.value)
    }
}

/// The place of element `at` along each axis.
fn index(shape: &[usize], at: usize) -> Vec<usize> {
    let mut rest = at;
    let mut place: Vec<usize> = shape
        .iter()
        .rev()
        .map(|length| {
            let along = rest % (*length).max(1);
            rest /= (*length).max(1);
            along
        })
        .collect();
    place.reverse();
    place
}
