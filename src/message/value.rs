//! The values that a message may contain.

use std::borrow::Cow;

/// A plain value, as JSON knows it. What comes from outside is cut to the limits below before it becomes one.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Nothing, or `undefined`.
    Nothing,
    /// On or off.
    Switch(bool),
    /// Any number, not-a-number among them.
    Number(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Data>),
    /// Names and what they stand for.
    Record(Vec<(Cow<'static, str>, Data)>),
    /// More than a message may hold.
    TooLarge,
    /// Something else: a function, a date, an array of bytes.
    Odd,
}

impl Data {
    /// How deep a message is read.
    pub const DEEPEST: usize = 3;
    /// The most entries of a list or a record that is read.
    pub const MOST: u32 = 64;
    /// The most UTF-16 units of a text that is read: those of the largest link.
    pub const LONGEST: u32 = 512 * 1024;

    /// A record of ours.
    pub fn record<const N: usize>(entries: [(&'static str, Data); N]) -> Self {
        let entries = entries.into_iter();
        Self::Record(
            entries
                .map(|(name, data)| (Cow::Borrowed(name), data))
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

    /// What a name stands for; nothing where it is not there, or where this is no record.
    pub fn get(&self, name: &str) -> &Self {
        let Self::Record(entries) = self else {
            return &Self::Nothing;
        };
        let found = entries.iter().find(|(own, _)| own == name);
        found.map_or(&Self::Nothing, |(_, data)| data)
    }
}

impl From<Option<Data>> for Data {
    fn from(data: Option<Data>) -> Self {
        data.unwrap_or(Self::Nothing)
    }
}
