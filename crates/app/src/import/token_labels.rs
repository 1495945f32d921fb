//! Pieces of tokenizers as the text that they stand for.
//!
//! GPT-2's tokenizer and its kin write each byte as a character of their own, SentencePiece writes a space as `▁`, WordPiece marks what
//! goes on a word by `##`.

/// Before what goes on a word, in WordPiece.
const GOES_ON: &str = "##";
/// A space, in SentencePiece.
const SPACE: char = '▁';
/// Placeholder for a token that is only a space, or the end of a line.
const BLANK: &str = "␣";
const LINE_END: &str = "⏎";

/// The labels as text; as they are where no tokenizer has written them.
pub(super) fn as_text(labels: Vec<String>) -> Vec<String> {
    let begins = |mark: &str| labels.iter().any(|label| label.starts_with(mark));
    let (has_bytes, has_spaces) = (
        is_byte_level(&labels),
        labels.iter().any(|own| own.contains(SPACE)),
    );
    if has_bytes {
        joined(labels.iter().map(|label| bytes_of(label)).collect())
    } else if has_spaces || begins("<0x") {
        let spaced = labels.iter().map(|label| label.replace(SPACE, " "));
        joined(
            spaced
                .map(|label| byte_token(&label).map_or(label.into_bytes(), |byte| vec![byte]))
                .collect(),
        )
    } else if labels
        .iter()
        .any(|label| label.starts_with(GOES_ON) && label.len() > GOES_ON.len())
    {
        let bare = |label: &String| {
            label
                .strip_prefix(GOES_ON)
                .filter(|rest| !rest.is_empty())
                .unwrap_or(label)
                .to_owned()
        };
        labels.iter().map(bare).collect()
    } else {
        labels
    }
}

/// Whether labels are bytes by GPT-2's table: they have its sign for a space or the end of a line, or are whole text by it and
/// hardly anything without.
fn is_byte_level(labels: &[String]) -> bool {
    let all: Option<Vec<u8>> = labels
        .iter()
        .flat_map(|label| label.chars())
        .map(byte)
        .collect();
    let has = |from: char, to: char| {
        labels
            .iter()
            .any(|label| label.contains(|c| (from..=to).contains(&c)))
    };
    match all {
        Some(_) if labels.iter().any(|label| label.starts_with(['Ġ', 'Ċ'])) => true,
        Some(all) => has('\u{100}', '\u{143}') && std::str::from_utf8(&all).is_ok(),
        None => false,
    }
}

/// The byte that a character of GPT-2's table stands for: printable ones of Latin-1 for themselves, the others from U+0100 on.
fn byte(c: char) -> Option<u8> {
    let code = u32::from(c);
    match code {
        0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff => u8::try_from(code).ok(),
        0x100..=0x120 => u8::try_from(code - 0x100).ok(),
        0x121..=0x142 => u8::try_from(code - 0x121 + 0x7f).ok(),
        0x143 => Some(0xad),
        _ => None,
    }
}

fn bytes_of(label: &str) -> Vec<u8> {
    label.chars().filter_map(byte).collect()
}

/// The byte of a token such as `<0xE2>`.
fn byte_token(label: &str) -> Option<u8> {
    let digits = label.strip_prefix("<0x")?.strip_suffix('>')?;
    u8::from_str_radix(digits, 16)
        .ok()
        .filter(|_| digits.len() == 2)
}

/// Each piece as text. A character that several share is shown by each of them with its part, e.g. `⭢ 1/3`.
fn joined(pieces: Vec<Vec<u8>>) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    while let Some(piece) = pieces.get(labels.len()) {
        if let Ok(text) = std::str::from_utf8(piece) {
            labels.push(bare(text));
            continue;
        }
        let from = labels.len();
        let mut all = Vec::new();
        // No character has more than four bytes.
        let whole = pieces[from..].iter().take(4).position(|piece| {
            all.extend_from_slice(piece);
            std::str::from_utf8(&all).is_ok()
        });
        match (whole, std::str::from_utf8(&all)) {
            (Some(last), Ok(text)) => {
                let text = bare(text);
                labels.extend((0..=last).map(|at| format!("{text} {}/{}", at + 1, last + 1)));
            }
            _ => {
                let digits: Vec<String> = piece.iter().map(|byte| format!("{byte:02X}")).collect();
                labels.push(format!("‹{}›", digits.join(" ")));
            }
        }
    }
    labels
}

/// Without the space before a word, but where there is nothing else.
fn bare(text: &str) -> String {
    match text.trim() {
        "" if text.contains('\n') => LINE_END.to_owned(),
        "" if !text.is_empty() => BLANK.to_owned(),
        bare => bare.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(labels: &[&str]) -> Vec<String> {
        as_text(labels.iter().map(|label| (*label).to_owned()).collect())
    }

    #[test]
    fn pieces_of_tokenizers_are_shown_as_text() {
        assert_eq!(
            text(&["The", "Ġcat", "Ġ", "Ċ", "<|endoftext|>"]),
            ["The", "cat", "␣", "⏎", "<|endoftext|>"]
        );
        assert_eq!(text(&["▁The", "▁cat", "s", "▁"]), ["The", "cat", "s", "␣"]);
        assert_eq!(
            text(&["[CLS]", "un", "##aff", "##", "[SEP]"]),
            ["[CLS]", "un", "aff", "##", "[SEP]"]
        );
        assert_eq!(text(&["æĪĳ", "çĪ±"]), ["我", "爱"]);
    }

    #[test]
    fn a_character_of_several_pieces_is_shown_with_its_parts() {
        let arrow = ["⭢ 1/3", "⭢ 2/3", "⭢ 3/3"];
        let wanted = [&["i", "␣"], &arrow[..], &["␣", "j"]].concat();
        assert_eq!(text(&["i", "Ġ", "â", "Ń", "¢", "Ġ", "j"]), wanted);
        let wanted = [&["i"], &arrow[..]].concat();
        assert_eq!(text(&["▁i", "<0xE2>", "<0xAD>", "<0xA2>"]), wanted);
        assert_eq!(text(&["Ġa", "â", "b"]), ["a", "‹E2›", "b"]);
    }

    #[test]
    fn words_are_no_bytes() {
        for words in [
            &["café", "été"][..],
            &["był", "ład"],
            &["a", "#1", "##"],
            &["Gġ", "naïve"],
            &["it", "<b>"],
            &[],
        ] {
            assert_eq!(text(words), words);
        }
    }

    #[test]
    fn every_byte_has_a_character() {
        let all: Vec<u8> = (0x21..=0x143)
            .filter_map(char::from_u32)
            .filter_map(byte)
            .collect();
        let mut sorted = all;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..=255).collect::<Vec<u8>>());
    }
}
