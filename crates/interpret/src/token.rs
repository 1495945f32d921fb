//! Tokens of a text as rows and columns are named by them.

use tokenizer::{Boundary, Encoding, Origin, Tokenizer};

/// A token of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Its row of the embedding.
    pub id: usize,
    /// Its name on a map: its characters, without the space that it begins with; a `·` in front of what goes on within a word.
    pub name: String,
    /// Its place in the text, `[begin, end)` in code points; `[0, 0]` where the tokenizer has added it.
    pub place: [usize; 2],
    /// Whether it is a control token, which stands for no text.
    pub is_control: bool,
}

/// The tokens of a text that was encoded.
pub(crate) fn tokens(encoding: &Encoding, text: &str, tokenizer: &Tokenizer) -> Vec<Token> {
    let characters: Vec<char> = text.chars().collect();
    let token = |at: usize| {
        let (id, place) = (encoding.ids[at], encoding.offsets[at]);
        let before = place[0].checked_sub(1).and_then(|at| characters.get(at));
        let is_within = before.is_some_and(|before| is_of_word(*before));
        Token {
            id: id as usize,
            name: name(id, is_within, tokenizer).unwrap_or_else(|| encoding.tokens[at].clone()),
            place,
            is_control: encoding.origins[at] != Origin::Text,
        }
    };
    (0..encoding.ids.len()).map(token).collect()
}

/// `is_within`: the character before it is one of a word.
fn name(id: u32, is_within: bool, tokenizer: &Tokenizer) -> Option<String> {
    let spelling = tokenizer.spelling(id)?;
    let own = match spelling.boundary {
        Boundary::Space => without_space(&spelling.text),
        Boundary::Word | Boundary::Joined | Boundary::Control => &spelling.text,
    };
    let goes_on = is_within && spelling.boundary == Boundary::Joined && own.starts_with(is_of_word);
    Some(if goes_on {
        format!("·{own}")
    } else {
        own.to_owned()
    })
}

/// Spaces alone stay all of them, so that one is told from two.
fn without_space(text: &str) -> &str {
    let rest = text.strip_prefix('␣');
    rest.filter(|rest| rest.chars().any(|own| own != '␣'))
        .unwrap_or(text)
}

/// Whether a character is one of words that have spaces between them. Thai, Lao, Burmese and Khmer have none, nor have Chinese and Japanese: the
/// letters of UAX #14's classes SA, ID and CJ, most of them.
fn is_of_word(character: char) -> bool {
    let is_without_spaces = matches!(
        character,
        '\u{E00}'..='\u{EFF}'
            | '\u{1000}'..='\u{109F}'
            | '\u{1780}'..='\u{17FF}'
            | '\u{3005}'..='\u{312F}'
            | '\u{3400}'..='\u{9FFF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FF66}'..='\u{FF9D}'
            | '\u{20000}'..='\u{3FFFF}'
    );
    character.is_alphanumeric() && !is_without_spaces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_alone_stay() {
        for (text, name) in [
            ("␣", "␣"),
            ("␣␣", "␣␣"),
            ("␣Mary", "Mary"),
            ("␣␣a", "␣a"),
            ("⏎", "⏎"),
            ("␣⏎", "⏎"),
        ] {
            assert_eq!(without_space(text), name);
        }
    }

    #[test]
    fn words_are_of_scripts_with_spaces() {
        assert!("aZ9éßжλعह한".chars().all(is_of_word));
        assert!(!"我看々のカｶทក '-·␣⟨.".chars().any(is_of_word));
    }
}
