//! Values of a file's settings.

use std::fmt;

/// A value of `config.json` or of GGUF metadata.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// JSON's `null`, which stands for what is left out.
    Null,
    /// `true` or `false`.
    Flag(bool),
    /// A number of any type, exact up to 2⁵³.
    Number(f64),
    /// A text.
    Text(String),
    /// Values in order.
    List(Vec<Value>),
    /// Values by key, in the order of the file; of a key that stands there twice the last one counts.
    Table(Vec<(String, Value)>),
}

/// Settings that are looked up by key, such as the metadata of a GGUF file.
pub trait Lookup {
    /// The value of a key, or `None` where the file has no such key.
    fn value(&self, key: &str) -> Option<Value>;
}

impl Lookup for Value {
    fn value(&self, key: &str) -> Option<Value> {
        let Self::Table(entries) = self else {
            return None;
        };
        let mut from_the_end = entries.iter().rev();
        from_the_end
            .find(|(own, _)| own == key)
            .map(|(_, value)| value.clone())
    }
}

impl fmt::Display for Value {
    /// As a refusal repeats it: short, whatever its length.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => write!(f, "null"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "{:?}", excerpt(text)),
            Self::List(list) => write!(f, "a list of {}", list.len()),
            Self::Table(entries) => write!(f, "a table of {}", entries.len()),
        }
    }
}

/// The first characters of a text.
pub(crate) fn excerpt(text: &str) -> String {
    const MOST: usize = 48;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
