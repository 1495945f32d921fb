//! Reads numbers from a binary file, one after the other.

use crate::error::{ErrorLocation, FormatError, FormatRule};

/// A cursor in the bytes of a file.
pub(crate) struct Bytes<'a> {
    rest: &'a [u8],
    /// The part of the file that refusals name.
    part: ErrorLocation,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(rest: &'a [u8], part: impl Into<ErrorLocation>) -> Self {
        Self {
            rest,
            part: part.into(),
        }
    }

    /// The next `count` bytes.
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], FormatError> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return Err(FormatError::new(
                self.part.clone(),
                self.rest.len(),
                FormatRule::Truncated,
            ));
        };
        self.rest = rest;
        Ok(taken)
    }

    /// The next `N` bytes as an array.
    fn array<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, FormatError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, FormatError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, FormatError> {
        self.array().map(u64::from_le_bytes)
    }

    /// The bytes that are left.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

/// Takes out the entry that begins first; there are too few of them to sort.
pub(crate) fn next<T, K: Ord>(entries: &mut Vec<T>, place: impl Fn(&T) -> K) -> Option<T> {
    let places = entries.iter().enumerate();
    let (first, _) = places.min_by_key(|(_, entry)| place(entry))?;
    Some(entries.remove(first))
}
