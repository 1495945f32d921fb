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
        let is_within = before.is_some_and(|before| before.is_alphanumeric());
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
        Boundary::Space => spelling
            .text
            .strip_prefix('␣')
            .filter(|rest| !rest.is_empty()),
        Boundary::Word | Boundary::Joined | Boundary::Control => None,
    };
    let own = own.unwrap_or(&spelling.text);
    let goes_on = is_within
        && spelling.boundary == Boundary::Joined
        && own.starts_with(|first: char| first.is_ascii_alphanumeric());
    Some(if goes_on {
        format!("·{own}")
    } else {
        own.to_owned()
    })
}
