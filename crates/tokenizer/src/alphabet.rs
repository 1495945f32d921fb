//! What the strings of a vocabulary stand for.

use serde_json::Value;

use crate::model::of_token;

/// How a vocabulary writes bytes, spaces and parts of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// One character for each byte, as GPT-2's byte-level encoding has them: `Ġ` is a space.
    Bytes,
    /// `▁` is a space, `<0x0A>` a byte.
    SentencePiece,
    /// Tokens that go on within a word begin with this; spaces are left out.
    WordPiece(String),
    /// As it is.
    Plain,
}

/// The space of SentencePiece's vocabularies.
pub(crate) const LOWER_BLOCK: char = '▁';

impl Alphabet {
    /// The alphabet of a `tokenizer.json`, by its decoder, or by how it splits words if it has none.
    pub(crate) fn of_json(decoder: &Value, splitter: &Value) -> Self {
        let found = of_part(decoder).or_else(|| of_part(splitter));
        found.unwrap_or(Self::Plain)
    }

    /// The bytes that a string of the vocabulary stands for.
    pub(crate) fn bytes(&self, string: &str) -> Vec<u8> {
        match self {
            Self::Bytes => {
                let bytes: Option<Vec<u8>> = string.chars().map(byte_of).collect();
                bytes.unwrap_or_else(|| string.into())
            }
            Self::SentencePiece => match of_token(string) {
                Some(byte) => vec![byte],
                None => string.replace(LOWER_BLOCK, " ").into(),
            },
            Self::WordPiece(prefix) => string
                .strip_prefix(prefix.as_str())
                .unwrap_or(string)
                .into(),
            Self::Plain => string.into(),
        }
    }
}

/// The alphabet that a decoder or splitter reads, or the first part of it that has one.
fn of_part(part: &Value) -> Option<Alphabet> {
    match part["type"].as_str()? {
        "ByteLevel" => Some(Alphabet::Bytes),
        "WordPiece" => {
            let prefix = part["prefix"].as_str().unwrap_or("##");
            Some(Alphabet::WordPiece(prefix.to_owned()))
        }
        "Metaspace" | "ByteFallback" => Some(Alphabet::SentencePiece),
        "Sequence" => {
            let parts = part["decoders"].as_array();
            let parts = parts.or_else(|| part["pretokenizers"].as_array())?;
            parts.iter().find_map(of_part)
        }
        _ => None,
    }
}

/// The byte of a character of the byte-level alphabet.
///
/// Printable bytes of Latin-1 (`!` to `~`, `¡` to `¬`, `®` to `ÿ`) are themselves; the 68 others follow from U+0100 on in their order.
fn byte_of(character: char) -> Option<u8> {
    let code = u32::from(character);
    let byte = match code {
        0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF => code,
        0x100..=0x120 => code - 0x100,
        0x121..=0x142 => code - 0x121 + 0x7F,
        0x143 => 0xAD,
        _ => return None,
    };
    u8::try_from(byte).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenizers::pre_tokenizers::byte_level::ByteLevel;

    #[test]
    fn every_byte_has_a_character_of_its_own() {
        let alphabet = ByteLevel::alphabet();
        let mut bytes: Vec<_> = alphabet.iter().filter_map(|&c| byte_of(c)).collect();
        bytes.sort_unstable();
        assert_eq!(bytes, Vec::from_iter(0..=u8::MAX));
        assert_eq!(Alphabet::Bytes.bytes("ĠéĊ"), b" \xE9\n");
        assert_eq!(Alphabet::Bytes.bytes("你"), "你".as_bytes());
    }

    #[test]
    fn sentence_piece_has_spaces_and_bytes() {
        let bytes = |string| Alphabet::SentencePiece.bytes(string);
        assert_eq!(bytes("▁a▁"), b" a ");
        assert_eq!(bytes("<0xE2>"), [0xE2]);
        for string in ["<0xe2>", "<0xE>", "<0x+2>", "<0xE2>a"] {
            assert_eq!(bytes(string), string.as_bytes());
        }
    }
}
