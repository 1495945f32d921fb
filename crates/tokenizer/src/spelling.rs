//! Tokens as they are shown.

use std::fmt::Write as _;

use unicode_categories::UnicodeCategories as _;

/// A token as it is shown, with every character of it seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelling {
    /// Space is `␣`, a new line `⏎`, a tab `⇥`; other controls have their pictures (`␛`), other characters that are not seen their code (`⟨U+200D⟩`), and
    /// bytes that are no whole character their value (`⟨0xE2⟩`). A combining mark in front stands on `◌`.
    pub text: String,
    /// How the token begins.
    pub boundary: Boundary,
}

/// How a token begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    /// With a space or a new line of the text.
    Space,
    /// With a word, in a vocabulary that leaves out spaces.
    Word,
    /// Where the token before it ends, within a word or not.
    Joined,
    /// It is a control token.
    Control,
}

/// What bytes look like.
pub(crate) fn spell(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            push(&mut text, character);
        }
        for byte in chunk.invalid() {
            // Writing to a string does not fail.
            let _ = write!(text, "⟨0x{byte:02X}⟩");
        }
    }
    text
}

fn push(text: &mut String, character: char) {
    match character {
        ' ' => text.push('␣'),
        '\n' => text.push('⏎'),
        '\t' => text.push('⇥'),
        '\0'..='\u{1F}' => text.extend(char::from_u32(0x2400 + u32::from(character))),
        '\u{7F}' => text.push('␡'),
        _ if is_unseen(character) => {
            let _ = write!(text, "⟨U+{:04X}⟩", u32::from(character));
        }
        _ => {
            if text.is_empty() && character.is_mark() {
                text.push('◌');
            }
            text.push(character);
        }
    }
}

fn is_unseen(character: char) -> bool {
    character.is_whitespace() || character.is_other()
}

#[cfg(test)]
mod tests {
    use super::spell;

    #[test]
    fn every_character_is_seen() {
        assert_eq!(spell(b" \n\t\r\x1B\x7F"), "␣⏎⇥␍␛␡");
        assert_eq!(
            spell("\u{A0}\u{200D}\u{FEFF}".as_bytes()),
            "⟨U+00A0⟩⟨U+200D⟩⟨U+FEFF⟩"
        );
        assert_eq!(spell("\u{301}e\u{301}".as_bytes()), "◌\u{301}e\u{301}");
        assert_eq!(spell("é你".as_bytes()), "é你");
        assert_eq!(spell(b""), "");
    }

    #[test]
    fn bytes_that_are_no_character() {
        assert_eq!(spell(b"a\xE2\x80"), "a⟨0xE2⟩⟨0x80⟩");
        assert_eq!(spell(b"\xBD\xE4\xBD\xA0"), "⟨0xBD⟩你");
    }
}
