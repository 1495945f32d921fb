//! What *it* means: sentences of a small grammar whose last adjective says which of two nouns is meant.
//!
//! *The animal didn't cross the street because it was too tired*, and too *wide*; the passive says the same with the nouns the other way
//! round. At *it* the noun is to be predicted, so position alone does not tell.

use super::{Example, Generator, Task};
use crate::text::random::Choice;

/// The words of a grammar by what they are.
struct Grammar {
    words: Vec<String>,
    animate: &'static [&'static str],
    inanimate: &'static [&'static str],
    /// What the animate are, and what the inanimate are.
    adjectives: [&'static [&'static str]; 2],
    /// As in the active sentence and as in the passive one.
    verbs: &'static [[&'static str; 2]],
    /// With `A` the animate noun, `I` the inanimate one, `V` the verb, `D` the adjective.
    active: &'static [&'static str],
    passive: &'static [&'static str],
    /// At which a noun is to be predicted.
    pronoun: &'static str,
}

impl Grammar {
    fn with_words(mut self) -> Self {
        let frame = self.active.iter().chain(self.passive);
        let frame = frame.filter(|word| !matches!(**word, "A" | "I" | "V" | "D"));
        let all = frame
            .chain(self.animate)
            .chain(self.inanimate)
            .chain(self.verbs.iter().flatten())
            .chain(self.adjectives.into_iter().flatten());
        for word in all {
            if !self.words.iter().any(|known| known == word) {
                self.words.push((*word).to_owned());
            }
        }
        self
    }

    fn number(&self, word: &str) -> usize {
        let found = self.words.iter().position(|known| known == word);
        found.expect("the words of a grammar are listed from it")
    }
}

impl Generator for Grammar {
    fn example(&self, choice: &mut Choice) -> Example {
        let animate = choice.of(self.animate);
        let inanimate = choice.of(self.inanimate);
        let verb = choice.of(self.verbs);
        let form = choice.below(2);
        let meant = choice.below(2);
        let adjective = choice.of(self.adjectives[meant]);
        let frame = [self.active, self.passive][form];
        let written = frame.iter().map(|word| match *word {
            "A" => animate,
            "I" => inanimate,
            "V" => &verb[form],
            "D" => adjective,
            _ => word,
        });
        let words: Vec<usize> = written.map(|word| self.number(word)).collect();
        let noun = self.number([animate, inanimate][meant]);
        let pronoun = self.number(self.pronoun);
        let targets = words
            .iter()
            .map(|word| (*word == pronoun).then_some(noun))
            .collect();
        Example { words, targets }
    }
}

fn task(name: &'static str, about: &'static str, grammar: Grammar) -> Task {
    let grammar = grammar.with_words();
    Task {
        name,
        about,
        words: grammar.words.clone(),
        length: grammar.active.len(),
        generator: Box::new(grammar),
    }
}

pub(super) fn english() -> Task {
    let grammar = Grammar {
        words: Vec::new(),
        animate: &[
            "animal", "dog", "cat", "horse", "child", "bird", "fox", "cow",
        ],
        inanimate: &[
            "street", "river", "field", "bridge", "road", "garden", "tunnel",
        ],
        adjectives: [
            &["tired", "hungry", "scared", "thirsty", "sleepy", "ill"],
            &["wide", "deep", "long", "narrow", "steep", "muddy"],
        ],
        verbs: &[
            ["cross", "crossed"],
            ["enter", "entered"],
            ["reach", "reached"],
            ["explore", "explored"],
        ],
        active: &[
            "the", "A", "didn't", "V", "the", "I", "because", "it", "was", "too", "D", ".",
        ],
        passive: &[
            "the", "I", "wasn't", "V", "by", "the", "A", "because", "it", "was", "too", "D",
        ],
        pronoun: "it",
    };
    task("pronoun", "which noun the word it means", grammar)
}

pub(super) fn chinese() -> Task {
    let grammar = Grammar {
        words: Vec::new(),
        animate: &["动物", "狗", "猫", "马", "孩子", "鸟", "狐狸", "牛"],
        inanimate: &["马路", "河", "田野", "桥", "小路", "花园", "隧道"],
        adjectives: [
            &["累", "饿", "害怕", "渴", "困", "虚弱"],
            &["宽", "深", "长", "窄", "陡", "泥泞"],
        ],
        verbs: &[
            ["过", "穿过"],
            ["进", "进入"],
            ["到", "到达"],
            ["看", "看见"],
        ],
        active: &[
            "那只", "A", "没有", "V", "I", "，", "因为", "它", "太", "D", "了", "。",
        ],
        passive: &[
            "I", "没有", "被", "那只", "A", "V", "，", "因为", "它", "太", "D", "了",
        ],
        pronoun: "它",
    };
    task("pronoun-zh", "which noun the word 它 means", grammar)
}
