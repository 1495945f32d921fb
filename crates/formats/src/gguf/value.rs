//! Values of the metadata.

use std::fmt;

use super::cursor::{Cursor, Stop};
use super::error::{GgufError, GgufRule};
use super::texts::Texts;
use crate::dtype::Type;

const TEXT: u32 = 8;
const ARRAY: u32 = 9;

/// A value, as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A number or a truth value, its lowest byte first.
    Number(Type, [u8; 8]),
    Text(String),
    /// Numbers or truth values, one after the other.
    Numbers(Type, Vec<u8>),
    Texts(Texts),
    /// Bytes that are no UTF-8; in an array, at this place.
    NotText(Option<usize>),
}

impl Value {
    /// The value of `key` that comes next.
    pub(super) fn read(cursor: &mut Cursor<'_>, key: &str) -> Result<Self, Stop> {
        match cursor.u32(&key)? {
            TEXT => {
                let text = str::from_utf8(cursor.text(&key)?);
                Ok(text.map_or(Self::NotText(None), |text| Self::Text(text.to_owned())))
            }
            ARRAY => Self::array(cursor, key),
            id => {
                let kind = number(key, id)?;
                let bytes = numbers(cursor, key, kind, 1)?;
                Ok(Self::Number(kind, low_first(bytes)))
            }
        }
    }

    fn array(cursor: &mut Cursor<'_>, key: &str) -> Result<Self, Stop> {
        let id = cursor.u32(&key)?;
        let count = cursor.u64(&key)?;
        match id {
            TEXT => Texts::read(cursor, key, count),
            ARRAY => Err(GgufError::new(key, "an array of arrays", GgufRule::NestedArray).into()),
            id => {
                let kind = number(key, id)?;
                let bytes = numbers(cursor, key, kind, count)?;
                Ok(Self::Numbers(kind, bytes.to_vec()))
            }
        }
    }
}

/// As the format names types: `UINT32`, `ARRAY of STRING`.
impl fmt::Display for Value {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(kind, _) => to.write_str(name(*kind)),
            Self::Text(_) | Self::NotText(None) => to.write_str("STRING"),
            Self::Numbers(kind, _) => write!(to, "ARRAY of {}", name(*kind)),
            Self::Texts(_) | Self::NotText(Some(_)) => to.write_str("ARRAY of STRING"),
        }
    }
}

/// At most eight bytes, with zeros above them.
pub(super) fn low_first(bytes: &[u8]) -> [u8; 8] {
    let mut all = [0; 8];
    for (all, byte) in all.iter_mut().zip(bytes) {
        *all = *byte;
    }
    all
}

/// The bytes of `count` numbers; truth values among them are checked.
fn numbers<'a>(
    cursor: &mut Cursor<'a>,
    key: &str,
    kind: Type,
    count: u64,
) -> Result<&'a [u8], Stop> {
    let bytes = cursor.take(&key, count, kind.size())?;
    let wrong = bytes.iter().find(|byte| **byte > 1);
    match wrong.filter(|_| kind == Type::Bool) {
        Some(byte) => Err(GgufError::new(key, byte, GgufRule::TruthValue).into()),
        None => Ok(bytes),
    }
}

/// The type of numbers that `id` stands for (`gguf_type`).
fn number(key: &str, id: u32) -> Result<Type, GgufError> {
    Ok(match id {
        0 => Type::Unsigned(1),
        1 => Type::Signed(1),
        2 => Type::Unsigned(2),
        3 => Type::Signed(2),
        4 => Type::Unsigned(4),
        5 => Type::Signed(4),
        6 => Type::F32,
        7 => Type::Bool,
        10 => Type::Unsigned(8),
        11 => Type::Signed(8),
        12 => Type::F64,
        _ => return Err(GgufError::new(key, id, GgufRule::ValueType)),
    })
}

const fn name(kind: Type) -> &'static str {
    match kind {
        Type::Unsigned(1) => "UINT8",
        Type::Unsigned(2) => "UINT16",
        Type::Unsigned(4) => "UINT32",
        Type::Unsigned(_) => "UINT64",
        Type::Signed(1) => "INT8",
        Type::Signed(2) => "INT16",
        Type::Signed(4) => "INT32",
        Type::Signed(_) => "INT64",
        Type::F64 => "FLOAT64",
        Type::Bool => "BOOL",
        Type::F16 | Type::BF16 | Type::F32 => "FLOAT32",
    }
}
