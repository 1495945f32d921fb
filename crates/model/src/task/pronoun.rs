//! Resolving *it*: sentences of a small [`grammar`](attention::text::grammar) whose last adjective
//! determines which of two nouns is meant. The target at the pronoun is that noun.

use super::{Example, Generator, Task, list};
use attention::text::grammar::{CHINESE, ENGLISH, Grammar, Slot};
use attention::text::random::Choice;

/// A grammar with its words, each at its number.
struct Sentences {
    grammar: &'static Grammar,
    words: Vec<&'static str>,
}

impl Sentences {
    fn number(&self, word: &str) -> usize {
        let found = self.words.iter().position(|known| *known == word);
        found.expect("the words of a grammar are listed from it")
    }
}

impl Generator for Sentences {
    fn example(&self, choice: &mut Choice) -> Example {
        let grammar = self.grammar;
        let animate = choice.of(grammar.animate);
        let inanimate = choice.of(grammar.inanimate);
        let verb = choice.of(grammar.verbs);
        let form = choice.below(2);
        let meant = choice.below(2);
        let adjective = choice.of(grammar.adjectives[meant]);
        let written = grammar.forms[form].iter().map(|slot| match slot {
            Slot::Animate => animate,
            Slot::Inanimate => inanimate,
            Slot::Verb => &verb[form],
            Slot::Adjective => adjective,
            Slot::Fixed(word) => word,
        });
        let words: Vec<usize> = written.map(|word| self.number(word)).collect();
        let noun = self.number([animate, inanimate][meant]);
        let pronoun = self.number(grammar.pronoun);
        let targets = words
            .iter()
            .map(|word| (*word == pronoun).then_some(noun))
            .collect();
        Example { words, targets }
    }
}

fn task(name: &'static str, about: &'static str, grammar: &'static Grammar) -> Task {
    let words = grammar.words();
    Task {
        name,
        about,
        words: list(words.iter().copied()),
        length: grammar.length(),
        generator: Box::new(Sentences { grammar, words }),
    }
}

pub(super) fn english() -> Task {
    task("pronoun", "which noun the word it means", &ENGLISH)
}

pub(super) fn chinese() -> Task {
    task("pronoun-zh", "which noun the word 它 means", &CHINESE)
}
