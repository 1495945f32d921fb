//! A text as words of a given vocabulary.

use std::ops::Range;

use crate::{Code, Error};

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its place in the vocabulary.
    pub number: usize,
    /// Where it stands in the lower-case text, in bytes.
    pub at: Range<usize>,
}

/// The words of a text: those between spaces, or, where a language writes none, the longest that fit. Letters count as small ones.
///
/// # Errors
/// [`Code::UnknownOption`] with the first word that is not in the vocabulary.
pub fn words<W: AsRef<str>>(vocabulary: &[W], text: &str) -> Result<Vec<Word>, Error> {
    let text = text.to_lowercase();
    // A vocabulary of single characters has spaces of its own.
    let has_spaces = vocabulary.iter().any(|word| word.as_ref() == " ");
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        if next.is_whitespace() && !has_spaces {
            at += next.len_utf8();
            continue;
        }
        let rest = &text[at..];
        let (number, length) = longest_prefix(vocabulary, rest).ok_or_else(|| unknown(rest))?;
        found.push(Word {
            number,
            at: at..at + length,
        });
        at += length;
    }
    Ok(found)
}

/// The numbers of the words of a text.
///
/// # Errors
/// As [`words`].
pub fn read<W: AsRef<str>>(vocabulary: &[W], text: &str) -> Result<Vec<usize>, Error> {
    let words = words(vocabulary, text)?;
    Ok(words.into_iter().map(|word| word.number).collect())
}

/// Whether each word of a text is one of the vocabulary or the beginning of one, as while it is typed.
pub fn may_become<W: AsRef<str>>(vocabulary: &[W], text: &str) -> bool {
    let text = text.to_lowercase();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        // Where no spaces are written, it may be a word that begins another one as well.
        if beginning(vocabulary, rest) == Some(rest.len()) {
            return true;
        }
        let whole = longest_prefix(vocabulary, rest).map(|(_, length)| length);
        let Some(length) = whole.or_else(|| beginning(vocabulary, rest)) else {
            return false;
        };
        rest = rest[length..].trim_start();
    }
    true
}

/// How many bytes of `text` a word begins with: all of its letters, or as many characters as are alike.
fn beginning<W: AsRef<str>>(vocabulary: &[W], text: &str) -> Option<usize> {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '\'';
    let letters = text.find(|c| !is_letter(c)).unwrap_or(text.len());
    let mut all = vocabulary.iter().map(AsRef::as_ref);
    if letters > 0 {
        let is_begun = all.any(|word| word.starts_with(&text[..letters]));
        return is_begun.then_some(letters);
    }
    let alike = |word: &str| {
        let pairs = word.chars().zip(text.chars());
        let same = pairs.take_while(|(one, other)| one == other);
        same.map(|(c, _)| c.len_utf8()).sum::<usize>()
    };
    all.map(alike).max().filter(|length| *length > 0)
}

/// The longest word that `text` begins with, and its bytes. One written with letters ends where its letters do.
fn longest_prefix<W: AsRef<str>>(vocabulary: &[W], text: &str) -> Option<(usize, usize)> {
    let is_whole = |word: &str| {
        let [last, next] = [word.chars().last(), text[word.len()..].chars().next()];
        let is_ascii_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic());
        word.chars().count() == 1 || !(is_ascii_letter(last) && is_ascii_letter(next))
    };
    let all = vocabulary.iter().map(AsRef::as_ref).enumerate();
    all.filter(|(_, word)| !word.is_empty() && text.starts_with(word) && is_whole(word))
        .map(|(number, word)| (number, word.len()))
        .max_by_key(|(_, length)| *length)
}

fn unknown(text: &str) -> Error {
    let word = text.split_whitespace().next().unwrap_or_default();
    let word: String = word.chars().take(40).collect();
    let rule = "the model has not learned this word";
    Error::new(Code::UnknownOption, "text", word, rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 6] = ["the", "cat", "cats", ".", "猫", "猫头鹰"];

    #[test]
    fn words_are_found_with_and_without_spaces() {
        assert_eq!(read(&WORDS, " The  cats."), Ok(vec![0, 2, 3]));
        assert_eq!(read(&WORDS, "猫猫头鹰"), Ok(vec![4, 5]));
        assert_eq!(read(&WORDS, ""), Ok(vec![]));
        let found = words(&WORDS, "The cat").expect("known words");
        assert_eq!(found[1].at, 4..7);
    }

    #[test]
    fn an_unknown_word_is_named() {
        let refused = read(&WORDS, "the Catsle slept").expect_err("no such word");
        assert_eq!(
            (refused.code, &*refused.value),
            (Code::UnknownOption, "catsle")
        );
        assert!(read(&WORDS, "thecat").is_err());
    }

    #[test]
    fn the_beginning_of_a_word_may_become_one() {
        for text in ["", "t", "The ca", "th cat.", "猫猫头", "the 猫 c"] {
            assert!(may_become(&WORDS, text), "{text}");
        }
        for text in ["the d", "catsl", "thecat", "狗", "the cat!"] {
            assert!(!may_become(&WORDS, text), "{text}");
        }
    }
}
