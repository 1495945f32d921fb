//! Tensors behind a header in JSON: <https://huggingface.co/docs/safetensors>
//!
//! Eight bytes with the header's length, the header, then the bytes of the tensors without holes. Tensors may be listed in any order, the header
//! may have spaces around it and any length, a tensor may be empty, and `__metadata__` may be `null`, as MLX writes it.

mod header;
mod write;

use crate::dtype;
use crate::error::FormatError;
use crate::limits::Limits;
use crate::numbers::Numbers;
use crate::stored::{Parsed, StoredTensor};
use crate::tensor::Tensor;
use header::{Entry, Header, ends};
pub(crate) use write::pieces;

/// Limits on a list of tensors whose numbers are not read. Of numbers there may be as many as can be counted.
const LISTED: Limits = Limits {
    bytes: usize::MAX,
    tensors: 1 << 16,
    elements: usize::MAX - 1,
    axes: 8,
    header: 64 << 20,
};

/// The tensors of a file of `file_bytes` bytes from its beginning, in the order of their bytes: as much of it as the header takes, or how many
/// more bytes. F32, F16 and BF16 are kept as stored; whole numbers, F64 and BOOL are listed by those names.
///
/// # Errors
/// [`FormatError`] with the location, the value found there, and the violated rule: those of [`read`](crate::read()) that concern no single
/// number, with at most 65,536 tensors and a header of 64 MiB.
pub fn list(prefix: &[u8], file_bytes: u64) -> Result<Parsed<Vec<StoredTensor>>, FormatError> {
    Ok(match Header::parse(prefix, file_bytes, &LISTED)? {
        Parsed::More(bytes) => Parsed::More(bytes),
        Parsed::Whole(Header { entries, start }) => {
            let entries = entries.into_iter();
            Parsed::Whole(entries.map(|entry| entry.stored(start as u64)).collect())
        }
    })
}

pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<Tensor>, FormatError> {
    let entries = entries(bytes, limits)?.into_iter();
    let tensor = |(entry, bytes): (Entry, &[u8])| {
        let data = dtype::decode(&entry.name, &entry.shape, bytes, entry.kind.1)?;
        Ok(Tensor::new(entry.name, entry.shape, data))
    };
    entries.map(tensor).collect()
}

/// The tensors, with their numbers as they are stored.
pub(crate) fn stored(bytes: &[u8], limits: &Limits) -> Result<Vec<Numbers>, FormatError> {
    let entries = entries(bytes, limits)?.into_iter();
    let numbers = |(entry, bytes): (Entry, &[u8])| {
        let kind = entry.kind.1;
        Numbers::new(&entry.name, entry.shape, dtype::stored(bytes, kind), kind)
    };
    Ok(entries.map(numbers).collect())
}

/// Each tensor with its bytes.
fn entries<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Vec<(Entry, &'a [u8])>, FormatError> {
    let Header { entries, start } = match Header::parse(bytes, bytes.len() as u64, limits)? {
        Parsed::Whole(header) => header,
        Parsed::More(_) => return Err(ends(bytes.len() as u64)),
    };
    let with_bytes = |entry: Entry| {
        let [begin, end] = entry.span.map(|at| start + at as usize);
        (entry, bytes.get(begin..end).unwrap_or_default())
    };
    Ok(entries.into_iter().map(with_bytes).collect())
}
