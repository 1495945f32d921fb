//! Reads the beginning of a file from front to back, and tells a prefix that ends from a file that ends.

use std::fmt::Display;

use super::error::{GgufError, GgufRule};

/// The most bytes of metadata and list of tensors. The vocabulary of Gemma 4, 262,144 tokens and 514,906 merges, takes 16 MB.
pub(super) const MOST_HEADER: u64 = 64 << 20;

/// The most bytes of a key or of a tensor's name: what the format allows keys.
const MOST_NAME: u64 = 65_535;

/// Why reading stops.
pub(super) enum Stop {
    /// The prefix ends; the file has at least so many bytes.
    More(u64),
    /// The file is wrong.
    Refused(GgufError),
}

impl From<GgufError> for Stop {
    fn from(error: GgufError) -> Self {
        Self::Refused(error)
    }
}

/// A place in the beginning of a file.
pub(super) struct Cursor<'a> {
    prefix: &'a [u8],
    at: usize,
    file_bytes: u64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(prefix: &'a [u8], file_bytes: u64) -> Self {
        Self {
            prefix,
            at: 0,
            file_bytes: file_bytes.max(prefix.len() as u64),
        }
    }

    /// Bytes that were read.
    pub(super) fn at(&self) -> u64 {
        self.at as u64
    }

    /// Bytes of the file.
    pub(super) fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    /// The next `count` items of `size` bytes each.
    pub(super) fn take(
        &mut self,
        field: &dyn Display,
        count: u64,
        size: usize,
    ) -> Result<&'a [u8], Stop> {
        let end = count.checked_mul(size as u64);
        let end = end.and_then(|bytes| bytes.checked_add(self.at()));
        let end = end.filter(|end| *end <= self.file_bytes).ok_or_else(|| {
            let value = format!("{count} × {size} bytes from byte {}", self.at);
            GgufError::new(field, value, GgufRule::Truncated(self.file_bytes))
        })?;
        if end > MOST_HEADER {
            return Err(GgufError::new(field, end, GgufRule::MostHeader(MOST_HEADER)).into());
        }
        // At most the limit, so that it fits.
        let taken = self.prefix.get(self.at..end as usize);
        let taken = taken.ok_or(Stop::More(end))?;
        self.at = end as usize;
        Ok(taken)
    }

    pub(super) fn u32(&mut self, field: &dyn Display) -> Result<u32, Stop> {
        self.array(field).map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self, field: &dyn Display) -> Result<u64, Stop> {
        self.array(field).map(u64::from_le_bytes)
    }

    /// A length, then so many bytes.
    pub(super) fn text(&mut self, field: &dyn Display) -> Result<&'a [u8], Stop> {
        let length = self.u64(field)?;
        self.take(field, length, 1)
    }

    /// A text that names something.
    pub(super) fn name(&mut self, field: &dyn Display) -> Result<String, Stop> {
        let length = self.u64(field)?;
        if length > MOST_NAME {
            return Err(GgufError::new(field, length, GgufRule::Most(MOST_NAME)).into());
        }
        let bytes = self.take(field, length, 1)?;
        let text = str::from_utf8(bytes);
        let text = text.map_err(|_| {
            GgufError::new(field, String::from_utf8_lossy(bytes), GgufRule::NotText)
        })?;
        Ok(text.to_owned())
    }

    /// A count of entries that take at least `size` bytes each.
    pub(super) fn count(&mut self, field: &str, most: u64, size: u64) -> Result<u64, Stop> {
        let count = self.u64(&field)?;
        let most = most.min((self.file_bytes - self.at()) / size);
        if count > most {
            return Err(GgufError::new(field, count, GgufRule::Most(most)).into());
        }
        Ok(count)
    }

    fn array<const N: usize>(&mut self, field: &dyn Display) -> Result<[u8; N], Stop> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(field, 1, N)?);
        Ok(array)
    }
}
