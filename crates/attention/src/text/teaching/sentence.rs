//! Keys that the hand-built heads are built to attend to in a text.

use super::Role;
use crate::text::lexicon::{Class, Entry};
use crate::text::tagger::{noun_after, tag};

/// Pronouns of the first and second person: they refer to no noun of the text.
const SPEAKERS: [&str; 4] = ["i", "we", "you", "you-all"];

/// A text with the classes of its words, and where its pronouns and modifiers point.
#[derive(Clone, Debug)]
pub struct Sentence {
    entries: Vec<Entry>,
    /// Whether a word is a pronoun that stands for a noun: in one text for one before it, between two for any.
    points_back: Vec<bool>,
    /// Whether a word is a noun that a pronoun may stand for.
    is_antecedent: Vec<bool>,
}

/// Aim of a role for a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// To look at these keys, at least one.
    Keys(Vec<usize>),
    /// To spread evenly over what it sees.
    Evenly,
    /// To look at the first token, as it has nothing else to do.
    Rest,
    /// Anything: there is no such key, as for the token before the first.
    Anything,
}

impl Sentence {
    /// Reads the words of a text. `is_pair` in cross-attention: then no word comes before another.
    pub fn new<S: AsRef<str>>(words: &[S], is_pair: bool) -> Self {
        let entries = tag(words);
        let first_noun = entries.iter().position(is_noun).unwrap_or(usize::MAX);
        let points_back: Vec<bool> = (entries.iter().enumerate())
            .map(|(at, entry)| stands_for_a_noun(entry) && (is_pair || first_noun < at))
            .collect();
        let last_pronoun = points_back.iter().rposition(|points| *points);
        let is_mentioned = |at: usize| is_pair || last_pronoun.is_some_and(|pronoun| at < pronoun);
        let is_antecedent = (entries.iter().enumerate())
            .map(|(at, entry)| is_noun(entry) && is_mentioned(at))
            .collect();
        Self {
            entries,
            points_back,
            is_antecedent,
        }
    }

    /// Returns the lexicon entry of a word.
    pub fn entry(&self, at: usize) -> &Entry {
        &self.entries[at]
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn is_noun(&self, at: usize) -> bool {
        is_noun(&self.entries[at])
    }

    pub(super) fn is_antecedent(&self, at: usize) -> bool {
        self.is_antecedent[at]
    }

    pub(super) fn points_back(&self, at: usize) -> bool {
        self.points_back[at]
    }

    /// The noun that a modifier belongs to; `None` for any other word.
    pub(super) fn noun_of(&self, at: usize) -> Option<usize> {
        let is_modifier = self.entries[at].class == Class::Modifier;
        is_modifier.then(|| noun_after(&self.entries, at)).flatten()
    }

    /// Whether a word has a code: a word of any language, or a number.
    pub(super) fn has_code(&self, at: usize) -> bool {
        let Entry { class, concept } = &self.entries[at];
        *class != Class::Other || concept.chars().any(char::is_numeric)
    }

    /// The words of one meaning.
    fn alike<'a>(&'a self, concept: &'a str) -> impl Iterator<Item = usize> + 'a {
        (0..self.len()).filter(move |at| self.entries[*at].concept == concept)
    }

    /// Whether a word of this meaning stands here.
    pub(super) fn has(&self, concept: &str) -> bool {
        self.alike(concept).next().is_some()
    }

    fn all(&self, is_wanted: impl Fn(&Self, usize) -> bool) -> Vec<usize> {
        (0..self.len()).filter(|at| is_wanted(self, *at)).collect()
    }
}

impl Role {
    /// Aim of a head of this role for row `query` of `queries`; `other` is the text of the keys,
    /// `None` in self-attention.
    pub fn aim(self, queries: &Sentence, other: Option<&Sentence>, query: usize) -> Aim {
        let keys = other.unwrap_or(queries);
        let own = |key: Option<usize>| match key.filter(|key| *key < keys.len() && other.is_none())
        {
            Some(key) => Aim::Keys(vec![key]),
            None => Aim::Anything,
        };
        match self {
            Self::PronounToNoun if queries.points_back(query) => {
                some(keys.all(Sentence::is_antecedent))
            }
            Self::PronounToNoun => Aim::Evenly,
            Self::Previous => own(query.checked_sub(1)),
            Self::SameWord if !queries.has_code(query) => Aim::Evenly,
            Self::SameWord => some(keys.alike(&queries.entry(query).concept).collect()),
            Self::First => some((0..keys.len()).take(1).collect()),
            Self::Next => own(query.checked_add(1)),
            Self::Nouns => some(keys.all(Sentence::is_noun)),
            Self::Itself => own(Some(query)),
            Self::ModifierToNoun => match queries.noun_of(query) {
                None if other.is_none() => Aim::Rest,
                noun => own(noun),
            },
        }
    }
}

fn some(keys: Vec<usize>) -> Aim {
    if keys.is_empty() {
        Aim::Evenly
    } else {
        Aim::Keys(keys)
    }
}

fn is_noun(entry: &Entry) -> bool {
    matches!(entry.class, Class::Noun | Class::Living)
}

fn stands_for_a_noun(entry: &Entry) -> bool {
    entry.class == Class::Pronoun && !SPEAKERS.contains(&entry.concept.as_str())
}
