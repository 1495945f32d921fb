//! A vocabulary in three blocks of memory.

use crate::error::OpenError;

/// Strings by id, and ids by string: one text, where each string ends in it, and the ids in the order of their strings.
///
/// Two hash maps of strings, as the library has them, hold five to ten times as much. An id without a string has the empty one, which is never found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    text: String,
    ends: Vec<u32>,
    sorted: Vec<u32>,
    /// The beginnings of the strings in their order, which decide most comparisons without a look at the text.
    beginnings: Vec<u64>,
}

impl Pieces {
    /// The strings with the ids 0, 1, 2 ….
    ///
    /// # Errors
    /// `field` if two of them are the same, or if they are 4 GB long together.
    pub(crate) fn new<'a>(
        field: &'static str,
        strings: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<Self, OpenError> {
        let length: usize = strings.clone().map(str::len).sum();
        if u32::try_from(length).is_err() {
            return Err(OpenError::field(field, length, "is too long"));
        }
        let mut pieces = Self {
            text: String::with_capacity(length),
            ..Self::default()
        };
        for string in strings {
            pieces.text.push_str(string);
            pieces.ends.push(pieces.text.len() as u32);
        }
        pieces.sort(field)?;
        Ok(pieces)
    }

    fn sort(&mut self, field: &'static str) -> Result<(), OpenError> {
        let mut sorted: Vec<u32> = (0..self.len() as u32).collect();
        sorted.retain(|&id| !self.string(id).is_empty());
        sorted.sort_unstable_by(|&a, &b| self.string(a).cmp(self.string(b)));
        let twice = sorted
            .windows(2)
            .find(|pair| self.string(pair[0]) == self.string(pair[1]));
        if let Some(pair) = twice {
            let value = format!("{:?}", self.string(pair[0]));
            return Err(OpenError::field(field, value, "stands there twice"));
        }
        let beginnings = sorted.iter().map(|&id| beginning(self.string(id)));
        self.beginnings = beginnings.collect();
        self.sorted = sorted;
        Ok(())
    }

    /// One more than the largest id.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The string of an id; none where it is empty.
    pub(crate) fn get(&self, id: u32) -> Option<&str> {
        ((id as usize) < self.len())
            .then(|| self.string(id))
            .filter(|string| !string.is_empty())
    }

    /// The id of a string.
    pub(crate) fn find(&self, string: &str) -> Option<u32> {
        let first = beginning(string);
        let start = self.beginnings.partition_point(|&other| other < first);
        let same = self.beginnings[start..].partition_point(|&other| other == first);
        let same = &self.sorted[start..start + same];
        let place = same.binary_search_by(|&id| self.string(id).cmp(string));
        place.ok().map(|place| same[place])
    }

    /// All strings with their ids, in the order of their strings.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, u32)> {
        self.sorted.iter().map(|&id| (self.string(id), id))
    }

    /// The string of an id below `len`.
    fn string(&self, id: u32) -> &str {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.text[start as usize..self.ends[id] as usize]
    }
}

/// The first eight bytes of a string, zeros behind it, so that these numbers have the order of strings or are equal.
fn beginning(string: &str) -> u64 {
    let mut bytes = [0; 8];
    let length = string.len().min(8);
    bytes[..length].copy_from_slice(&string.as_bytes()[..length]);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(strings: &[&str]) -> Result<Pieces, OpenError> {
        Pieces::new("tokens", strings.iter().copied())
    }

    #[test]
    fn strings_and_ids_find_each_other() {
        let pieces = pieces(&["the", "", "a", "ab", "", "é"]).unwrap();
        assert_eq!(pieces.len(), 6);
        let sorted: Vec<_> = pieces.iter().collect();
        assert_eq!(sorted, [("a", 2), ("ab", 3), ("the", 0), ("é", 5)]);
        assert_eq!(pieces.get(5), Some("é"));
        assert_eq!(pieces.find("ab"), Some(3));
        for (id, string) in [(1, ""), (6, "b"), (u32::MAX, "th")] {
            assert_eq!((pieces.get(id), pieces.find(string)), (None, None));
        }
    }

    #[test]
    fn strings_that_begin_alike() {
        let strings = [
            "12345678",
            "123456789",
            "1234567",
            "1234567\0",
            "12345678\0",
            "1234567é",
        ];
        let pieces = pieces(&strings).unwrap();
        for (id, string) in (0..).zip(strings) {
            assert_eq!(pieces.find(string), Some(id), "{string:?}");
        }
        assert_eq!(pieces.find("1234567\0\0"), None);
        assert_eq!(pieces.find("12345679"), None);
    }

    #[test]
    fn no_string_and_two_of_one_kind() {
        assert_eq!(pieces(&[]).unwrap().find(""), None);
        let error = pieces(&["a", "b", "a"]).unwrap_err().to_string();
        assert_eq!(error, "tokens: \"a\": stands there twice");
    }
}
