//! Two small grammars whose sentences ask what a pronoun means, in English and in Chinese.
//!
//! *The animal didn't cross the street because it was too tired*, or too *wide*: the last adjective says which of two nouns is meant. The
//! passive says the same with the nouns the other way round, so a place alone does not tell. A model learns them
//! (`model::task`); the page offers their words for exchange.

/// Role of a word in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A noun that can be tired.
    Animate,
    /// A noun that can be wide.
    Inanimate,
    /// A verb.
    Verb,
    /// A quality that the meant noun has too much of.
    Adjective,
    /// A word that stands in every sentence.
    Fixed(&'static str),
}

use Slot::{Adjective, Animate, Fixed, Inanimate, Verb};

/// Words by their role, and the rules that build sentences of them.
#[derive(Debug)]
pub struct Grammar {
    /// Nouns that can be tired.
    pub animate: &'static [&'static str],
    /// Nouns that can be wide.
    pub inanimate: &'static [&'static str],
    /// Adjectives of animate nouns, and of inanimate ones.
    pub adjectives: [&'static [&'static str]; 2],
    /// As in the active sentence and as in the passive one.
    pub verbs: &'static [[&'static str; 2]],
    /// The active sentence and the passive one.
    pub forms: [&'static [Slot]; 2],
    /// The word that means one of the nouns.
    pub pronoun: &'static str,
}

/// *The animal didn't cross the street because it was too tired.*
pub static ENGLISH: Grammar = Grammar {
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
    forms: [
        &[
            Fixed("the"),
            Animate,
            Fixed("didn't"),
            Verb,
            Fixed("the"),
            Inanimate,
            Fixed("because"),
            Fixed("it"),
            Fixed("was"),
            Fixed("too"),
            Adjective,
            Fixed("."),
        ],
        &[
            Fixed("the"),
            Inanimate,
            Fixed("wasn't"),
            Verb,
            Fixed("by"),
            Fixed("the"),
            Animate,
            Fixed("because"),
            Fixed("it"),
            Fixed("was"),
            Fixed("too"),
            Adjective,
        ],
    ],
    pronoun: "it",
};

/// 那只动物没有过马路，因为它太累了。
pub static CHINESE: Grammar = Grammar {
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
    forms: [
        &[
            Fixed("那只"),
            Animate,
            Fixed("没有"),
            Verb,
            Inanimate,
            Fixed("，"),
            Fixed("因为"),
            Fixed("它"),
            Fixed("太"),
            Adjective,
            Fixed("了"),
            Fixed("。"),
        ],
        &[
            Inanimate,
            Fixed("没有"),
            Fixed("被"),
            Fixed("那只"),
            Animate,
            Verb,
            Fixed("，"),
            Fixed("因为"),
            Fixed("它"),
            Fixed("太"),
            Adjective,
            Fixed("了"),
        ],
    ],
    pronoun: "它",
};

impl Grammar {
    /// Every word once, each at its number: those of every sentence first.
    pub fn words(&self) -> Vec<&'static str> {
        let slots = self.forms.into_iter().flatten();
        let fixed = slots.filter_map(|slot| match slot {
            Fixed(word) => Some(word),
            _ => None,
        });
        let all = fixed
            .chain(self.animate)
            .chain(self.inanimate)
            .chain(self.verbs.iter().flatten())
            .chain(self.adjectives.into_iter().flatten());
        let mut words = Vec::new();
        for word in all.copied() {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words
    }

    /// Words of every sentence.
    pub fn length(&self) -> usize {
        self.forms[0].len()
    }

    /// The place of the pronoun among `words`, numbers of [`words`](Self::words), and the noun that it means: the one of the kind that can be
    /// what the adjective says. `None` where there is not exactly one pronoun, one adjective and one noun of that kind.
    pub fn meant(&self, words: &[usize]) -> Option<(usize, usize)> {
        let known = self.words();
        let only = |class: &[&str]| {
            let is_one = |word: usize| known.get(word).is_some_and(|word| class.contains(word));
            let mut found = words
                .iter()
                .copied()
                .enumerate()
                .filter(|(_, word)| is_one(*word));
            found.next().filter(|_| found.next().is_none())
        };
        let (pronoun, _) = only(&[self.pronoun])?;
        let (_, adjective) = only(&self.adjectives.concat())?;
        let is_animate = self.adjectives[0].contains(&known[adjective]);
        let (_, noun) = only(if is_animate {
            self.animate
        } else {
            self.inanimate
        })?;
        Some((pronoun, noun))
    }

    /// The words that can stand in the place of `word`, itself among them; none for a word of every sentence. Adjectives of both
    /// kinds exchange, since the sentence stays one: it then means the other noun.
    pub fn alternatives(&self, word: &str) -> Vec<&'static str> {
        let verbs = |form: usize| self.verbs.iter().map(move |verb| verb[form]);
        let classes: [Vec<&'static str>; 5] = [
            self.animate.to_vec(),
            self.inanimate.to_vec(),
            verbs(0).collect(),
            verbs(1).collect(),
            self.adjectives.concat(),
        ];
        let own = classes.into_iter().find(|class| class.contains(&word));
        own.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_listed_once_and_classes_do_not_overlap() {
        for grammar in [&ENGLISH, &CHINESE] {
            let words = grammar.words();
            let mut unique = words.clone();
            unique.sort_unstable();
            unique.dedup();
            assert_eq!(unique.len(), words.len());
            assert_eq!(grammar.forms[1].len(), grammar.length());
            assert!(words.contains(&grammar.pronoun));
            assert_eq!(grammar.alternatives(grammar.pronoun), [""; 0]);
            for word in words {
                let others = grammar.alternatives(word);
                assert!(others.is_empty() || others.contains(&word), "{word}");
                assert!(
                    others
                        .iter()
                        .all(|other| grammar.alternatives(other) == others)
                );
            }
        }
    }

    #[test]
    fn the_adjective_says_which_noun_is_meant() {
        for (grammar, sentence, meant) in [
            (
                &ENGLISH,
                "the fox wasn't crossed by the road because it was too ill",
                Some((8, "fox")),
            ),
            (
                &ENGLISH,
                "the fox wasn't crossed by the road because it was too muddy",
                Some((8, "road")),
            ),
            (&ENGLISH, "the fox it deep ill road", None),
            (&ENGLISH, "the fox it ill cow", None),
            (&ENGLISH, "it fox ill it", None),
            (&ENGLISH, "it was too ill", None),
            (
                &CHINESE,
                "那只 狗 没有 过 河 ， 因为 它 太 宽 了 。",
                Some((7, "河")),
            ),
        ] {
            let known = grammar.words();
            let number = |word: &str| known.iter().position(|own| *own == word);
            let words: Vec<usize> = sentence.split(' ').filter_map(number).collect();
            let found = grammar.meant(&words).map(|(at, noun)| (at, known[noun]));
            assert_eq!(found, meant, "{sentence}");
        }
    }

    #[test]
    fn an_adjective_can_become_one_of_the_other_noun() {
        let others = ENGLISH.alternatives("tired");
        assert_eq!(others.len(), 12);
        assert!(others.contains(&"wide"));
        assert_eq!(ENGLISH.alternatives("crossed").len(), 4);
        assert_eq!(CHINESE.alternatives("马路").len(), 7);
    }
}
