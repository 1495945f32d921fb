//! What deflate packed, unpacked into as many bytes as it should be and not one more.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

use super::error::{FormatError, Rule};

/// The most that deflate can pack into a byte.
const MOST_RATIO: usize = 1032;

/// The `size` bytes that `packed` holds.
pub fn inflate(name: &str, packed: &[u8], size: usize) -> Result<Vec<u8>, FormatError> {
    if size > packed.len().saturating_mul(MOST_RATIO) {
        return Err(FormatError::new(name, size, Rule::Bomb));
    }
    let mut out = vec![0; size];
    let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let mut state = Box::<DecompressorOxide>::default();
    let (status, read, written) = decompress(&mut state, packed, &mut out, 0, flags);
    match status {
        TINFLStatus::Done if written == size && read == packed.len() => Ok(out),
        TINFLStatus::HasMoreOutput => Err(FormatError::new(name, size, Rule::Bomb)),
        _ => Err(FormatError::new(name, written, Rule::Malformed)),
    }
}

/// The checksum of ZIP.
pub fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    !bytes.iter().fold(!0, |crc, byte| {
        TABLE[usize::from(crc as u8 ^ byte)] ^ (crc >> 8)
    })
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let (mut crc, mut bit) = (at as u32, 0);
        while bit < 8 {
            crc = (crc >> 1) ^ (0xedb8_8320 * (crc & 1));
            bit += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
}
