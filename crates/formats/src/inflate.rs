//! Decompresses deflate data and refuses any output length but the expected one.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

use crate::error::{FormatError, FormatRule};

/// The most that deflate can pack into a byte.
const MOST_RATIO: usize = 1032;

/// The `size` bytes that `packed` holds.
pub(crate) fn inflate(name: &str, packed: &[u8], size: usize) -> Result<Vec<u8>, FormatError> {
    if size > packed.len().saturating_mul(MOST_RATIO) {
        return Err(FormatError::new(name, size, FormatRule::Bomb));
    }
    let mut out = vec![0; size];
    let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let mut state = Box::<DecompressorOxide>::default();
    let (status, read, written) = decompress(&mut state, packed, &mut out, 0, flags);
    match status {
        TINFLStatus::Done if written == size && read == packed.len() => Ok(out),
        TINFLStatus::HasMoreOutput => Err(FormatError::new(name, size, FormatRule::Bomb)),
        _ => Err(FormatError::new(name, written, FormatRule::Malformed)),
    }
}
