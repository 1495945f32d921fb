//! Estimated sizes of files, and their limit.

use super::Entry;
use formats::Kind;

/// Largest size of a file: the default limit of importing.
pub const MOST_BYTES: u64 = 64 << 20;

/// More than the headers of any file of ours.
const HEADERS: u64 = 64 << 10;

/// Approximate characters of a number in text, with separators: `-0.123456789,`.
const IN_TEXT: u64 = 13;
/// Bytes of a number in the other formats.
const IN_BYTES: u64 = 4;

/// About how many bytes `entries` take in a file: exact but for the headers, and an upper bound for most text.
pub fn bytes<'e>(kind: Kind, entries: impl IntoIterator<Item = &'e Entry>) -> u64 {
    let elements: u64 = entries.into_iter().map(Entry::elements).sum();
    elements
        * match kind {
            Kind::Csv | Kind::Json => IN_TEXT,
            Kind::Npy | Kind::Npz | Kind::Safetensors => IN_BYTES,
        }
}

/// Whether a file of `entries` can be made here and read again.
pub fn fits<'e>(kind: Kind, entries: impl IntoIterator<Item = &'e Entry>) -> bool {
    bytes(kind, entries) + HEADERS <= MOST_BYTES
}
