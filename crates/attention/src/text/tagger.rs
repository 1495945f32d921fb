//! Classes and meanings of the words of a text: from the lexicon, and from their positions.
//!
//! - A text is read as English or French, whichever has more of its words; ideographs and kana by themselves.
//! - Endings after an apostrophe are taken off: *it's* is the pronoun, *John's* the name, *didn't* a negation.
//! - Ideographs that make a word together get its meaning, and one of them its class: *老师* is one noun.
//! - An unknown word with a capital inside a sentence is a name. One that directly follows an article or adjective, and that no
//!   unknown word or noun follows, is a noun. Any other has no class.
//! - *her* before a noun is a possessive.

use super::embedding::fold;
use super::lexicon::{Class, Entry, Language, look_up};
use super::tokens::is_cjk;

/// Most ideographs that a word of the lexicon has.
const LONGEST: usize = 4;

/// Looks up each word of a text.
pub fn tag<S: AsRef<str>>(words: &[S]) -> Vec<Entry> {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let language = language(&words);
    let mut entries = Vec::with_capacity(words.len());
    while let Some(word) = words.get(entries.len()) {
        if word.chars().any(is_cjk) {
            entries.extend(ideographs(&words[entries.len()..]));
        } else {
            entries.push(word_in(word, language));
        }
    }
    names(&words, &mut entries);
    nouns(&mut entries);
    possessives(&words, &mut entries);
    entries
}

/// French where more words of the text are only French than only English.
fn language(words: &[&str]) -> Language {
    let knows = |word: &str, language| look_up(&fold(word), language).is_some();
    let only = |one, other| {
        let words = words
            .iter()
            .filter(|word| knows(word, one) && !knows(word, other));
        words.count()
    };
    if only(Language::French, Language::English) > only(Language::English, Language::French) {
        Language::French
    } else {
        Language::English
    }
}

fn word_in(word: &str, language: Language) -> Entry {
    let folded = fold(word);
    let known = look_up(&folded, language);
    known
        .or_else(|| contracted(&folded, language))
        .unwrap_or_else(|| {
            let class = if folded.chars().any(char::is_alphabetic) {
                Class::Unknown
            } else {
                Class::Other
            };
            Entry {
                class,
                concept: folded,
            }
        })
}

/// A word with an ending that English joins to it: what the word is, or *not*.
fn contracted(word: &str, language: Language) -> Option<Entry> {
    if word.ends_with("n't") {
        return look_up("not", language);
    }
    let (word, _) = word.split_once('\'')?;
    look_up(word, language)
}

/// The longest word that begins here, or one character. Its class is assigned to one character: a
/// pronoun's to its first, any other's to its last.
fn ideographs(words: &[&str]) -> Vec<Entry> {
    let most = words.len().min(LONGEST);
    let found = (1..=most).rev().find_map(|length| {
        let entry = look_up(&fold(&words[..length].concat()), Language::Han)?;
        Some((length, entry))
    });
    let Some((length, entry)) = found else {
        return vec![word_in(words[0], Language::Han)];
    };
    let at = match entry.class {
        Class::Pronoun => 0,
        _ => length - 1,
    };
    let part = |place| Entry {
        class: if place == at {
            entry.class
        } else {
            Class::Unknown
        },
        concept: entry.concept.clone(),
    };
    (0..length).map(part).collect()
}

/// Capitals inside a sentence.
fn names(words: &[&str], entries: &mut [Entry]) {
    for at in 1..entries.len() {
        let begins_sentence = words[at - 1].ends_with(['.', '!', '?', ':', '“', '"']);
        let mut letters = words[at].chars();
        let is_capital = letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(char::is_lowercase);
        if entries[at].class == Class::Unknown && is_capital && !begins_sentence {
            entries[at].class = Class::Living;
        }
    }
}

/// Unknown words at the end of what can only be a noun phrase.
fn nouns(entries: &mut [Entry]) {
    for at in 1..entries.len() {
        let goes_on = entries
            .get(at + 1)
            .is_some_and(|next| matches!(next.class, Class::Unknown | Class::Noun | Class::Living));
        let follows = entries[at - 1].class == Class::Modifier;
        if entries[at].class == Class::Unknown && follows && !goes_on && is_word(&entries[at]) {
            entries[at].class = Class::Noun;
        }
    }
}

/// Whether an entry is a written word, not an ideograph.
fn is_word(entry: &Entry) -> bool {
    !entry.concept.chars().any(is_cjk)
}

/// *her* is both; a noun after it decides.
fn possessives(words: &[&str], entries: &mut [Entry]) {
    for at in 0..entries.len() {
        if fold(words[at]) == "her" && noun_after(entries, at).is_some() {
            entries[at].class = Class::Modifier;
        }
    }
}

/// The noun of a modifier: the next noun, where nothing but modifiers, unknown words and *of* stand between.
pub(super) fn noun_after(entries: &[Entry], at: usize) -> Option<usize> {
    let is_between = |entry: &Entry| {
        matches!(entry.class, Class::Modifier | Class::Unknown) || entry.concept == "of"
    };
    let next = entries[at + 1..]
        .iter()
        .position(|entry| !is_between(entry))?;
    let noun = at + 1 + next;
    matches!(entries[noun].class, Class::Noun | Class::Living).then_some(noun)
}
