//! Many texts in one piece of memory: a vocabulary has hundreds of thousands.

use super::cursor::{Cursor, Stop};
use super::value::Value;

/// A list of texts. Each is kept to the letter: a byte order mark at its beginning is part of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Texts {
    all: String,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Texts {
    /// `count` texts that come next, or the first of them that is none.
    pub(super) fn read(cursor: &mut Cursor<'_>, key: &str, count: u64) -> Result<Value, Stop> {
        let (mut texts, mut wrong) = (Self::default(), None);
        for at in 0..count {
            let bytes = cursor.text(&format_args!("{key}[{at}]"))?;
            match str::from_utf8(bytes) {
                Ok(text) => texts.all.push_str(text),
                Err(_) if wrong.is_none() => wrong = Some(texts.ends.len()),
                Err(_) => (),
            }
            texts.ends.push(texts.all.len());
        }
        Ok(match wrong {
            Some(at) => Value::NotText(Some(at)),
            None => Value::Texts(texts),
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text at place `at`.
    pub fn get(&self, at: usize) -> Option<&str> {
        let end = *self.ends.get(at)?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.all.get(start..end)
    }

    /// All of them, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let spans = self.ends.iter().zip(starts);
        spans.map(|(end, start)| &self.all[start..*end])
    }
}
