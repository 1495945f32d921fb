//! Lists of a file, read into blocks of memory as they come.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A vocabulary as a file writes it.
pub(crate) enum Vocabulary {
    /// `{"token": id}`.
    Ids(Ids),
    /// `[["token", score]]`, which no model has that is read.
    Scores,
}

/// Tokens with their ids, in the file's order.
#[derive(Default)]
pub(crate) struct Ids {
    text: String,
    /// Id, and where the token begins and ends in the text.
    entries: Vec<(u32, usize, usize)>,
}

impl Ids {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The tokens by id, with the empty string for ids that have none; the rule that is broken, if one is.
    pub(crate) fn by_id(&mut self) -> Result<impl Iterator<Item = &str> + Clone, &'static str> {
        self.entries.sort_unstable();
        if self.entries.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err("an id stands for two tokens");
        }
        let count = self.entries.last().map_or(0, |last| last.0 as usize + 1);
        if count > 2 * self.entries.len() + 1024 {
            return Err("most ids stand for no token");
        }
        let mut next = self.entries.iter().peekable();
        let mut tokens = Vec::with_capacity(count);
        for id in 0..count {
            let entry = next.next_if(|entry| entry.0 as usize == id);
            tokens.push(entry.map_or("", |entry| &self.text[entry.1..entry.2]));
        }
        Ok(tokens.into_iter())
    }
}

impl<'de> Deserialize<'de> for Vocabulary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(VocabularyVisitor)
    }
}

struct VocabularyVisitor;

impl<'de> Visitor<'de> for VocabularyVisitor {
    type Value = Vocabulary;

    fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
        text.write_str("tokens with ids, or a list of tokens with scores")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vocabulary, A::Error> {
        let mut ids = Ids::default();
        while let Some((token, id)) = map.next_entry::<Cow<str>, u32>()? {
            let start = ids.text.len();
            ids.text.push_str(&token);
            ids.entries.push((id, start, ids.text.len()));
        }
        Ok(Vocabulary::Ids(ids))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vocabulary, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Vocabulary::Scores)
    }
}

/// Merges as a file writes them: `"left right"` or `["left", "right"]`.
#[derive(Default)]
pub(crate) struct Pairs {
    text: String,
    /// Where the left one begins, where it ends and the right one begins, and where that ends.
    places: Vec<(usize, usize, usize)>,
}

impl Pairs {
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        let pair = |&(start, middle, end): &(usize, usize, usize)| {
            (&self.text[start..middle], &self.text[middle..end])
        };
        self.places.iter().map(pair)
    }

    fn push(&mut self, left: &str, right: &str) {
        let start = self.text.len();
        self.text.push_str(left);
        let middle = self.text.len();
        self.text.push_str(right);
        self.places.push((start, middle, self.text.len()));
    }
}

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(PairsVisitor)
    }
}

struct PairsVisitor;

impl<'de> Visitor<'de> for PairsVisitor {
    type Value = Pairs;

    fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
        text.write_str("a list of pairs of tokens")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Pairs, A::Error> {
        let mut pairs = Pairs::default();
        while let Some(pair) = list.next_element::<Pair>()? {
            match &pair {
                Pair::Two(left, right) => pairs.push(left, right),
                // Files of old begin with the version of the list.
                Pair::One(line) if line.starts_with("#version") => {}
                Pair::One(line) => {
                    let words = line.split_once(' ');
                    let words = words.filter(|(_, right)| !right.contains(' '));
                    let rule = || A::Error::custom(format!("merges: {line:?}: is not two tokens"));
                    let (left, right) = words.ok_or_else(rule)?;
                    pairs.push(left, right);
                }
            }
        }
        Ok(pairs)
    }
}

enum Pair<'a> {
    One(Cow<'a, str>),
    Two(Cow<'a, str>, Cow<'a, str>),
}

impl<'de> Deserialize<'de> for Pair<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PairVisitor)
    }
}

struct PairVisitor;

impl<'de> Visitor<'de> for PairVisitor {
    type Value = Pair<'de>;

    fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
        text.write_str("two tokens, or both in one string")
    }

    fn visit_str<E: Error>(self, line: &str) -> Result<Pair<'de>, E> {
        Ok(Pair::One(line.to_owned().into()))
    }

    fn visit_borrowed_str<E: Error>(self, line: &'de str) -> Result<Pair<'de>, E> {
        Ok(Pair::One(line.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Pair<'de>, A::Error> {
        let mut token = |place| {
            let token = list.next_element::<Cow<str>>()?;
            token.ok_or_else(|| A::Error::invalid_length(place, &self))
        };
        Ok(Pair::Two(token(0)?, token(1)?))
    }
}
