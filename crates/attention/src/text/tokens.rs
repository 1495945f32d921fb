//! Splits text of any language into tokens.
//!
//! Words follow Unicode's word boundaries (UAX #29), with two changes that suit a heatmap's axis:
//! ideographs and kana stand alone, character by character, and a French or Italian elision ends
//! after its apostrophe (*l'apprentissage* is *l'* and *apprentissage*, *didn't* stays whole).
//! Punctuation is a token of its own, an emoji stays whole, white space is never a token.
//! This is a reader's split, not a sub-word tokenizer of a language model.

use unicode_segmentation::UnicodeSegmentation as _;

/// The most tokens one side of the attention may have.
pub const MAX_TOKENS: usize = 1024;

/// Words that lose their vowel before another word and keep the apostrophe.
const ELIDED: [&str; 13] = [
    "c", "d", "j", "jusqu", "l", "lorsqu", "m", "n", "puisqu", "qu", "quoiqu", "s", "t",
];

/// A text split into tokens, as far as the limit allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// The first [`MAX_TOKENS`] tokens, in the order and spelling of the text.
    pub words: Vec<String>,
    /// How many tokens the whole text has; larger than `words.len()` when some were cut.
    pub total: usize,
}

impl Tokens {
    /// How many tokens were left out because of [`MAX_TOKENS`].
    pub fn cut(&self) -> usize {
        self.total - self.words.len()
    }
}

/// Splits `text` into tokens; text without anything visible gives none.
pub fn tokenize(text: &str) -> Tokens {
    let mut tokens = Tokens::default();
    for segment in text.split_whitespace().flat_map(str::split_word_bounds) {
        split_segment(segment, &mut |token| {
            if tokens.total < MAX_TOKENS {
                tokens.words.push(token.to_owned());
            }
            tokens.total += 1;
        });
    }
    tokens
}

fn split_segment(segment: &str, emit: &mut impl FnMut(&str)) {
    if segment.chars().all(is_invisible) {
        return;
    }
    if segment.chars().any(is_cjk) {
        segment.graphemes(true).for_each(emit);
    } else if let Some((elided, rest)) = split_elision(segment) {
        emit(elided);
        emit(rest);
    } else {
        emit(segment);
    }
}

fn split_elision(word: &str) -> Option<(&str, &str)> {
    let (at, apostrophe) = word.char_indices().find(|&(_, c)| is_apostrophe(c))?;
    let (elided, rest) = word.split_at(at + apostrophe.len_utf8());
    let known = ELIDED.contains(&word[..at].to_lowercase().as_str());
    (known && rest.starts_with(char::is_alphabetic)).then_some((elided, rest))
}

/// Straight and typographic apostrophes mean the same.
pub(super) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}')
}

/// Ideographs and kana, which Unicode's word boundaries would partly join.
pub fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}'
        | '\u{3031}'..='\u{3035}'
        | '\u{3041}'..='\u{30FF}'
        | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FF9F}'
        | '\u{1B000}'..='\u{1B16F}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// Characters that leave no mark: a token made of these alone would be a blank row.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00AD}'
            | '\u{034F}'
            | '\u{061C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E0FFF}')
}
