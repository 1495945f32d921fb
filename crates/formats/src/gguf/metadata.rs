//! Metadata: values by key.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Display;

use super::cursor::{Cursor, Stop};
use super::error::{GgufError, GgufRule};
use super::texts::Texts;
use super::value::{Value, low_first};
use crate::dtype::Type;

/// Values by key. Each reader gives `None` for a key that is absent and refuses a value of another type than it reads, by the key and both
/// types, as well as a text that is not UTF-8.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Metadata {
    values: BTreeMap<String, Value>,
}

impl Metadata {
    pub(super) fn read(cursor: &mut Cursor<'_>, count: u64) -> Result<Self, Stop> {
        let mut metadata = Self::default();
        for at in 0..count {
            let key = cursor.name(&format_args!("key {at} of the metadata"))?;
            match metadata.values.entry(key) {
                Entry::Occupied(twice) => {
                    let key = twice.key();
                    return Err(GgufError::new(key, key, GgufRule::Duplicate).into());
                }
                Entry::Vacant(place) => {
                    let value = Value::read(cursor, place.key())?;
                    place.insert(value);
                }
            }
        }
        Ok(metadata)
    }

    /// The keys, sorted.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// The type of a value as the format names it, such as `UINT32` or `ARRAY of STRING`.
    pub fn type_name(&self, key: &str) -> Option<String> {
        self.values.get(key).map(Value::to_string)
    }

    /// A value that has to be there: `metadata.required("llama.block_count", Metadata::whole)`.
    ///
    /// # Errors
    /// [`GgufRule::Missing`] where the key is absent; else those of `read`.
    pub fn required<'a, T>(
        &'a self,
        key: &str,
        read: impl FnOnce(&'a Self, &str) -> Result<Option<T>, GgufError>,
    ) -> Result<T, GgufError> {
        read(self, key)?.ok_or_else(|| GgufError::new(key, "nothing", GgufRule::Missing))
    }

    /// A text.
    ///
    /// # Errors
    /// [`GgufRule::Expected`]; [`GgufRule::NotText`].
    pub fn text(&self, key: &str) -> Result<Option<&str>, GgufError> {
        self.get(key, "STRING", |value| match value {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// An array of texts.
    ///
    /// # Errors
    /// [`GgufRule::Expected`]; [`GgufRule::NotText`] with the place of the first that is none.
    pub fn texts(&self, key: &str) -> Result<Option<&Texts>, GgufError> {
        self.get(key, "ARRAY of STRING", |value| match value {
            Value::Texts(texts) => Some(texts),
            _ => None,
        })
    }

    /// A whole number of any of the eight types for them, signed ones included, that is not negative.
    ///
    /// # Errors
    /// [`GgufRule::Expected`]; [`GgufRule::Range`] for a negative one.
    pub fn whole(&self, key: &str) -> Result<Option<u64>, GgufError> {
        let value = self.get(key, "an integer", |value| match value {
            Value::Number(kind, bytes) => kind.whole(*bytes),
            _ => None,
        })?;
        let fit = |value: i128| u64::try_from(value).map_err(|_| beyond(key, value, 0, u64::MAX));
        value.map(fit).transpose()
    }

    /// A float of 32 or 64 bits.
    ///
    /// # Errors
    /// [`GgufRule::Expected`].
    pub fn float(&self, key: &str) -> Result<Option<f64>, GgufError> {
        self.get(key, "FLOAT32 or FLOAT64", |value| match value {
            Value::Number(kind @ (Type::F32 | Type::F64), bytes) => Some(kind.value(*bytes)),
            _ => None,
        })
    }

    /// A truth value.
    ///
    /// # Errors
    /// [`GgufRule::Expected`].
    pub fn flag(&self, key: &str) -> Result<Option<bool>, GgufError> {
        self.get(key, "BOOL", |value| match value {
            Value::Number(Type::Bool, bytes) => Some(bytes[0] == 1),
            _ => None,
        })
    }

    /// An array of whole numbers of any of the eight types for them.
    ///
    /// # Errors
    /// [`GgufRule::Expected`]; [`GgufRule::Range`] for what does not fit into 64 bits with a sign.
    pub fn wholes(&self, key: &str) -> Result<Option<Vec<i64>>, GgufError> {
        let is_whole = |kind: &Type| matches!(kind, Type::Signed(_) | Type::Unsigned(_));
        let list = self.get(key, "ARRAY of integers", |value| match value {
            Value::Numbers(kind, bytes) if is_whole(kind) => Some((*kind, bytes)),
            _ => None,
        })?;
        let fit = |value: i128| {
            i64::try_from(value).map_err(|_| beyond(key, value, i64::MIN, i64::MAX as u64))
        };
        list.map(|(kind, bytes)| {
            let each = bytes.chunks_exact(kind.size());
            let values = each.filter_map(|bytes| kind.whole(low_first(bytes)));
            values.map(fit).collect()
        })
        .transpose()
    }

    /// An array of 32-bit floats.
    ///
    /// # Errors
    /// [`GgufRule::Expected`].
    pub fn floats(&self, key: &str) -> Result<Option<Vec<f32>>, GgufError> {
        self.get(key, "ARRAY of FLOAT32", |value| match value {
            Value::Numbers(Type::F32, bytes) => {
                let each = bytes.as_chunks::<4>().0.iter();
                Some(each.map(|bytes| f32::from_le_bytes(*bytes)).collect())
            }
            _ => None,
        })
    }

    /// An array of truth values.
    ///
    /// # Errors
    /// [`GgufRule::Expected`].
    pub fn flags(&self, key: &str) -> Result<Option<Vec<bool>>, GgufError> {
        self.get(key, "ARRAY of BOOL", |value| match value {
            Value::Numbers(Type::Bool, bytes) => {
                Some(bytes.iter().map(|byte| *byte == 1).collect())
            }
            _ => None,
        })
    }

    /// The value of a key as `read` takes it, if it is there.
    fn get<'a, T>(
        &'a self,
        key: &str,
        expected: &'static str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, GgufError> {
        let Some(value) = self.values.get(key) else {
            return Ok(None);
        };
        let is_text = expected.ends_with("STRING");
        match (read(value), value) {
            (Some(read), _) => Ok(Some(read)),
            (None, Value::NotText(at)) if is_text => Err(not_text(key, *at)),
            (None, _) => Err(GgufError::new(key, value, GgufRule::Expected(expected))),
        }
    }
}

/// At what multiples of bytes tensors begin.
const ALIGNMENT: &str = "general.alignment";
const USUAL_ALIGNMENT: u64 = 32;

impl Metadata {
    /// Tensors begin at multiples of so many bytes.
    pub(super) fn alignment(&self) -> Result<u64, GgufError> {
        let refused = |value: &dyn Display| GgufError::new(ALIGNMENT, value, GgufRule::Alignment);
        match self.values.get(ALIGNMENT) {
            None => Ok(USUAL_ALIGNMENT),
            Some(Value::Number(kind @ Type::Unsigned(4), bytes)) => {
                let value = kind
                    .whole(*bytes)
                    .and_then(|value| u64::try_from(value).ok());
                let power = value.filter(|value| value.is_power_of_two());
                power.ok_or_else(|| refused(&value.unwrap_or_default()))
            }
            Some(other) => Err(refused(other)),
        }
    }
}

fn beyond(key: &str, value: i128, least: i64, most: u64) -> GgufError {
    GgufError::new(key, value, GgufRule::Range(least, most))
}

/// The refusal of a text, or of one at a place of an array, that is not UTF-8.
fn not_text(key: &str, at: Option<usize>) -> GgufError {
    let field = at.map_or_else(|| key.to_owned(), |at| format!("{key}[{at}]"));
    GgufError::new(field, "other bytes", GgufRule::NotText)
}
