//! Breaks text into lines of a given width.

use unicode_segmentation::UnicodeSegmentation as _;

/// `text` in lines of at most `width`, broken between words; a word that is wider stands in a line of its own.
pub(in crate::scene) fn wrap(text: &str, width: f64, measure: &dyn Fn(&str) -> f64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for piece in pieces(text) {
        let longer = format!("{line}{piece}");
        if !line.is_empty() && measure(longer.trim_end()) > width {
            lines.push(line.trim_end().to_owned());
            line = piece.trim_start().to_owned();
        } else {
            line = longer;
        }
    }
    if !line.trim_end().is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// Brackets and quotation marks that stay with what follows them.
const OPENING: [char; 6] = ['(', '“', '（', '《', '「', '['];

/// The parts of a text between which a line may end: words with what stands around them without a blank. Chinese has one for
/// each character.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for word in text.split_word_bounds() {
        match pieces.last_mut() {
            Some(last) if !may_end(last, word) => last.push_str(word),
            _ => pieces.push(word.to_owned()),
        }
    }
    pieces
}

/// Whether a line may end between both.
fn may_end(before: &str, after: &str) -> bool {
    let (Some(last), Some(first)) = (before.chars().last(), after.chars().next()) else {
        return false;
    };
    let is_blank = |c: char| c.is_whitespace() && c != '\u{a0}' && c != '\u{202f}';
    let is_wide = |c: char| c >= '\u{2e80}';
    let begins = first.is_alphanumeric() || OPENING.contains(&first);
    !is_blank(first)
        && (is_blank(last)
            || begins && (is_wide(last) || is_wide(first)) && !OPENING.contains(&last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, width: f64) -> Vec<String> {
        wrap(text, width, &|text| text.chars().count() as f64)
    }

    #[test]
    fn lines_end_between_words() {
        assert_eq!(
            lines("heads: 4 · mask: causal", 12.0),
            ["heads: 4 ·", "mask: causal"]
        );
        assert_eq!(
            lines("it isn’t (well) so", 7.0),
            ["it", "isn’t", "(well)", "so"]
        );
        assert_eq!(lines("", 9.0), [""; 0]);
    }

    #[test]
    fn chinese_ends_after_any_character_but_never_before_a_stop() {
        assert_eq!(lines("注意力权重。头一", 5.0), ["注意力权", "重。头一"]);
    }

    #[test]
    fn nothing_is_lost_and_only_single_words_are_too_wide() {
        let text = "Donaudampfschifffahrt and a (few) more words: 1.5 × 10⁻³, 街道。";
        for width in 1..40 {
            let lines = lines(text, f64::from(width));
            let joined: String = lines.concat().split_whitespace().collect();
            assert_eq!(joined, text.split_whitespace().collect::<String>());
            for line in lines
                .iter()
                .filter(|line| line.chars().count() > width as usize)
            {
                assert!(!line.contains(' '), "{width}: {line:?}");
            }
        }
    }
}
