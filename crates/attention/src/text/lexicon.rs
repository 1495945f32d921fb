//! The lexicon of the teaching heads: a class and a meaning for each word, from `content/lexicon.toml`.
//!
//! The table is generated at build time. It holds a few hundred words of English, Chinese, French and Japanese, chosen for
//! sentences that a lecturer writes on a board.

use super::embedding::fold;

/// The class of a word, as far as the teaching heads tell classes apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A thing or an abstract noun, and every word that is not in the lexicon.
    Noun,
    /// A person or an animal.
    Living,
    /// A pronoun.
    Pronoun,
    /// An article, demonstrative, possessive, numeral or adjective.
    Modifier,
    /// A verb.
    Verb,
    /// A conjunction, preposition, adverb or particle.
    Function,
    /// Digits, punctuation, emoji: anything without a letter.
    Other,
}

/// What is known about one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its class.
    pub class: Class,
    /// The name of its meaning, which translations share; the folded word itself where it is not in the lexicon.
    pub concept: String,
}

include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));

/// Looks a token up, whatever its case and apostrophe.
///
/// An unknown word with a letter in it is a [`Class::Noun`], one without is [`Class::Other`].
pub fn look_up(word: &str) -> Entry {
    let folded = fold(word);
    if let Ok(at) = LEXICON.binary_search_by(|(known, ..)| (*known).cmp(folded.as_str())) {
        let (_, class, concept) = LEXICON[at];
        return Entry {
            class,
            concept: concept.to_owned(),
        };
    }
    let class = if folded.chars().any(char::is_alphabetic) {
        Class::Noun
    } else {
        Class::Other
    };
    Entry {
        class,
        concept: folded,
    }
}
