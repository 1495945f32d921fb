//! A plain JavaScript value: what calls of the API and messages of other pages consist of, before any rule was applied.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

/// A value from outside, or one for it. What JavaScript calls `null` and `undefined` are both [`Absent`](Self::Absent).
#[derive(Debug, Clone, PartialEq)]
pub enum JsTree {
    /// Nothing.
    Absent,
    /// A boolean.
    Flag(bool),
    /// A number, finite or not.
    Number(f64),
    /// A text.
    Text(String),
    /// A typed array of 32-bit numbers.
    Singles(Vec<f32>),
    /// Any other flat list of numbers.
    Doubles(Vec<f64>),
    /// A list in which not everything is a number, or is not known to be one.
    List(Vec<JsTree>),
    /// An object: names and values.
    Record(Vec<(Cow<'static, str>, JsTree)>),
    /// Too large to read, with a description such as `a text that is too long`.
    TooLarge(&'static str),
    /// Something with no meaning here, by its kind, e.g. `a function`.
    Other(&'static str),
}

const LONGEST_SHOWN: usize = 60;

/// The beginning of a text, short enough for a message.
pub fn clip(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

impl JsTree {
    /// An object of ours.
    pub fn record<const N: usize>(entries: [(&'static str, Self); N]) -> Self {
        let entries = entries.into_iter();
        Self::Record(
            entries
                .map(|(name, value)| (Cow::Borrowed(name), value))
                .collect(),
        )
    }

    /// A text.
    pub fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// A place in a list, from 0.
    pub fn index(at: usize) -> Self {
        Self::Number(at as f64)
    }

    /// A list of texts.
    pub fn texts(texts: &[String]) -> Self {
        Self::List(texts.iter().map(|text| Self::text(text)).collect())
    }

    /// Returns the value of `name`; `Absent` if there is none, or if this is not an object.
    pub fn get(&self, name: &str) -> &Self {
        let Self::Record(entries) = self else {
            return &Self::Absent;
        };
        let found = entries.iter().find(|(own, _)| own == name);
        found.map_or(&Self::Absent, |(_, value)| value)
    }

    /// Describes the value, short enough for a message.
    pub fn describe(&self) -> String {
        match self {
            Self::Absent => "nothing".to_owned(),
            Self::Flag(flag) => flag.to_string(),
            // Debug writes what is very large or small with an exponent, and whole numbers with a point.
            Self::Number(number) => format!("{number:?}").trim_end_matches(".0").to_owned(),
            Self::Text(text) => format!("\"{}\"", clip(text)),
            Self::Singles(numbers) => format!("a list of {} numbers", numbers.len()),
            Self::Doubles(numbers) => format!("a list of {} numbers", numbers.len()),
            Self::List(items) => format!("a list of {}", items.len()),
            Self::Record(entries) => {
                let names: Vec<_> = entries.iter().take(6).map(|(name, _)| clip(name)).collect();
                format!("an object {{{}}}", names.join(", "))
            }
            Self::TooLarge(kind) | Self::Other(kind) => (*kind).to_owned(),
        }
    }
}

impl From<Option<JsTree>> for JsTree {
    fn from(value: Option<JsTree>) -> Self {
        value.unwrap_or(Self::Absent)
    }
}

impl Serialize for JsTree {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent | Self::TooLarge(_) | Self::Other(_) => to.serialize_unit(),
            Self::Flag(flag) => to.serialize_bool(*flag),
            Self::Number(number) => to.serialize_f64(*number),
            Self::Text(text) => to.serialize_str(text),
            Self::Singles(numbers) => to.collect_seq(numbers),
            Self::Doubles(numbers) => to.collect_seq(numbers),
            Self::List(items) => to.collect_seq(items),
            Self::Record(entries) => to.collect_map(entries.iter().map(|(name, own)| (name, own))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_short_whatever_came_in() {
        assert_eq!(
            JsTree::Text("x".repeat(1000)).describe().chars().count(),
            LONGEST_SHOWN + 3
        );
        assert_eq!(clip(&"字".repeat(61)), format!("{}…", "字".repeat(60)));
        assert_eq!(clip("short"), "short");
    }

    #[test]
    fn a_tree_is_written_as_the_value_it_stands_for() {
        let tree = JsTree::record([
            ("q", JsTree::Singles(vec![0.5, -1.0])),
            ("cell", JsTree::record([("key", JsTree::Absent)])),
            ("names", JsTree::texts(&["a".to_owned(), "字".to_owned()])),
            ("on", JsTree::Flag(true)),
        ]);
        assert_eq!(
            serde_json::to_string(&tree).expect("plain values"),
            r#"{"q":[0.5,-1.0],"cell":{"key":null},"names":["a","字"],"on":true}"#
        );
    }
}
