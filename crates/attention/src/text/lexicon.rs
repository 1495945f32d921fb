//! The lexicon of the hand-built heads: a class and a meaning for each word, from `content/lexicon.toml`.
//!
//! It holds the common words of English, French, Chinese and Japanese that stand in sentences which a lecturer writes on a board. See
//! [`tagger`](super::tagger) for what the place of a word in its text adds.

use std::sync::LazyLock;

use crate::sort;

/// The class of a word, as far as the hand-built heads tell classes apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A thing or an abstract noun.
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
    /// A word that is not in the lexicon, or a character within a longer word: nothing is known of it.
    Unknown,
    /// Digits, punctuation, emoji: anything without a letter.
    Other,
}

/// Lexicon entry of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its class.
    pub class: Class,
    /// The name of its meaning, which translations share; the word itself, in lower case, where it is not in the lexicon.
    pub concept: String,
}

/// A language of the lexicon. A text is read in one, so that words which look alike in two do not mix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English, and every language that the lexicon does not have.
    English,
    /// French.
    French,
    /// Chinese and Japanese, told by their characters.
    Han,
}

include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));

/// The meaning of words that each have one of their own.
const EACH_ITS_OWN: &str = "*";

type Line = (&'static str, Class, &'static str);

/// The words of each language, sorted.
static TABLES: LazyLock<[Vec<Line>; 3]> = LazyLock::new(|| LEXICON.map(table));

fn table(text: &'static str) -> Vec<Line> {
    let mut lines: Vec<Line> = text.lines().flat_map(words).collect();
    sort::sort(&mut lines, |one, other| one.0.cmp(other.0));
    lines
}

/// The words of a line: the letter of a class, a meaning, its words.
fn words(line: &'static str) -> impl Iterator<Item = Line> {
    let mut parts = line.split(' ');
    let class = class(parts.next().unwrap_or_default());
    let concept = parts.next().unwrap_or_default();
    parts.map(move |word| match concept {
        EACH_ITS_OWN => (word, class, word),
        shared => (word, class, shared),
    })
}

fn class(letter: &str) -> Class {
    match letter {
        "f" => Class::Function,
        "l" => Class::Living,
        "m" => Class::Modifier,
        "n" => Class::Noun,
        "p" => Class::Pronoun,
        "v" => Class::Verb,
        _ => Class::Unknown,
    }
}

/// Looks up a word in lower case and with straight apostrophes.
pub fn look_up(word: &str, language: Language) -> Option<Entry> {
    let table = &TABLES[language as usize];
    let at = table
        .binary_search_by(|(known, ..)| (*known).cmp(word))
        .ok()?;
    let (_, class, concept) = table[at];
    Some(Entry {
        class,
        concept: concept.to_owned(),
    })
}
