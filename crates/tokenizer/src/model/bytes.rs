//! Tokens that stand for single bytes, `<0x00>` to `<0xFF>`.

use super::pieces::Pieces;

/// The byte that a token of this form stands for.
pub(crate) fn of_token(token: &str) -> Option<u8> {
    let digits = token.strip_prefix("<0x")?.strip_suffix('>')?;
    let upper = |digit: u8| digit.is_ascii_digit() || (b'A'..=b'F').contains(&digit);
    (digits.len() == 2 && digits.bytes().all(upper))
        .then(|| u8::from_str_radix(digits, 16).ok())
        .flatten()
}

/// The tokens of single bytes in a vocabulary, as far as it has them.
#[derive(Debug, Clone)]
pub(crate) struct ByteTokens(Vec<Option<u32>>);

impl ByteTokens {
    pub(crate) fn new(pieces: &Pieces) -> Self {
        let token = |byte: u8| pieces.find(&format!("<0x{byte:02X}>"));
        Self((0..=u8::MAX).map(token).collect())
    }

    /// The tokens of all bytes of `text`, or none if one is missing.
    pub(crate) fn of_text(&self, text: &str) -> Option<Vec<u32>> {
        text.bytes().map(|byte| self.0[usize::from(byte)]).collect()
    }
}
