//! Base64 (RFC 4648).

/// The digits but for the last two, in which the two alphabets differ.
const FIRST: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const STANDARD: [u8; 2] = *b"+/";
const URL: [u8; 2] = *b"-_";

/// Bytes in the standard alphabet with padding (§4), as Python and `data:` addresses read them.
pub fn standard(bytes: &[u8]) -> String {
    let mut text = written(bytes, STANDARD);
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}

/// Bytes in the alphabet for addresses, without padding (§5).
pub fn url(bytes: &[u8]) -> String {
    written(bytes, URL)
}

fn written(bytes: &[u8], last: [u8; 2]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..=three.len() {
            let digit = (bits >> (18 - 6 * place) & 63) as usize;
            let letter = FIRST.get(digit).copied();
            text.push(char::from(
                letter.unwrap_or_else(|| last[digit - FIRST.len()]),
            ));
        }
    }
    text
}

/// Decodes the output of [`url`]; `None` for other characters, and for text that no bytes
/// encode to.
pub fn from_url(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for four in text.as_bytes().chunks(4) {
        let mut bits = 0;
        for (place, letter) in four.iter().enumerate() {
            bits |= value(*letter)? << (18 - 6 * place);
        }
        let count = four.len().checked_sub(1).filter(|count| *count > 0)?;
        let [_, whole @ ..] = u32::to_be_bytes(bits);
        let (own, rest) = whole.split_at(count);
        if rest.iter().any(|bits| *bits != 0) {
            return None;
        }
        bytes.extend(own);
    }
    Some(bytes)
}

fn value(letter: u8) -> Option<u32> {
    Some(u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_alphabets_are_those_of_the_standard() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"f", "Zg=="),
            (b"fo", "Zm8="),
            (b"foo", "Zm9v"),
            (b"foob", "Zm9vYg=="),
            (&[0xfb, 0xff, 0xbf], "+/+/"),
        ] {
            assert_eq!(standard(bytes), text);
            let bare = text
                .trim_end_matches('=')
                .replace('+', "-")
                .replace('/', "_");
            assert_eq!(url(bytes), bare);
            assert_eq!(from_url(&bare).as_deref(), Some(bytes));
        }
    }

    #[test]
    fn every_byte_comes_back_and_nothing_else_is_read() {
        let bytes: Vec<u8> = (0..=255).chain(0..7).collect();
        for end in 0..bytes.len() {
            assert_eq!(
                from_url(&url(&bytes[..end])).as_deref(),
                Some(&bytes[..end])
            );
        }
        for wrong in ["A", "AAAAA", "AB", "AAB", "Zg==", "+A", "/A", "Z g", "小"] {
            assert_eq!(from_url(wrong), None, "{wrong}");
        }
    }
}
