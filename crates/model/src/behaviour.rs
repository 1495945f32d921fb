//! Common behaviours of trained heads, measured over examples.
//!
//! The share of a behaviour is the mean, over the rows where it asks for something, of the weight on the keys it asks for:
//! `mean_i Σ_j A(i, j)·[key j is one of them]`. Only keys that the mask shows count, and rows that see one key alone have no choice and do
//! not. Where a behaviour asks for nothing in more than half of the rows it has no share, as patterns of one map have none
//! ([`analysis`](attention::analysis)); to answer, only rows count that have something to answer. What is looked for is what Clark et al. 2019
//! (section 3), Kovaleva et al. 2019 (section 4.1) and, for induction, Olsson et al. 2022 found.

use ndarray::{Array4, ArrayView1, s};

use super::{Examples, Model};
use attention::Error;
use attention::analysis::Pattern;

/// Behaviour of a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// Each place looks at the one before it.
    Previous,
    /// Each place looks at itself.
    Itself,
    /// Each place looks at the one after it.
    Next,
    /// Every place looks at the first.
    First,
    /// Place `i` looks at place `n − 1 − i`.
    Mirrored,
    /// Each place looks at what came after an earlier place with its word.
    Induction,
    /// Each place looks at other places with its word.
    SameWord,
    /// Each place looks at the word that it has to answer.
    Answer,
}

impl Behaviour {
    /// Every one.
    pub const ALL: [Self; 8] = [
        Self::Previous,
        Self::Itself,
        Self::Next,
        Self::First,
        Self::Mirrored,
        Self::Induction,
        Self::SameWord,
        Self::Answer,
    ];

    /// Whether it is about words and not about positions alone: a head is named by positions if
    /// both hold.
    pub const fn is_of_words(self) -> bool {
        matches!(self, Self::SameWord | Self::Answer)
    }

    /// The pattern of one map that it is; `None` for those that no single map shows.
    pub const fn pattern(self) -> Option<Pattern> {
        Some(match self {
            Self::Previous => Pattern::PREVIOUS,
            Self::Itself => Pattern::ITSELF,
            Self::Next => Pattern::NEXT,
            Self::First => Pattern::FIRST,
            Self::Induction => Pattern::Induction,
            Self::SameWord => Pattern::SameWord,
            Self::Mirrored | Self::Answer => return None,
        })
    }

    /// Whether place `query` of `words` looks at place `key`. To look at oneself is neither to look at the first nor at the same word.
    fn looks_at(self, words: &[usize], target: Option<usize>, query: usize, key: usize) -> bool {
        match (self, self.pattern()) {
            (Self::First | Self::SameWord, _) if key == query => false,
            (Self::Mirrored, _) => key + query + 1 == words.len(),
            (_, Some(pattern)) => pattern.means(words, query, key),
            (_, None) => target == Some(words[key]),
        }
    }
}

/// The shares of all behaviours, in the order of [`Behaviour::ALL`]; 0 where one asks for nothing in more than half of the rows.
pub type Shares = [f64; Behaviour::ALL.len()];

/// Behaviours of a model's heads, accumulated over examples.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tally {
    /// Weight on the keys that are asked for, of each head; heads count on through the layers.
    sums: Vec<Shares>,
    /// Rows in which a behaviour asks for something.
    asking: [usize; Behaviour::ALL.len()],
    /// Rows in which it could.
    rows: [usize; Behaviour::ALL.len()],
}

impl Tally {
    /// Counts what a model does with `examples`.
    ///
    /// # Errors
    /// As [`Model::forward`].
    pub fn add(&mut self, model: &Model, examples: &Examples) -> Result<(), Error> {
        let layers = model.weights(examples.words())?;
        self.add_weights(&layers, examples, model.config().causal);
        Ok(())
    }

    /// Counts the weights of each layer, `[batch, heads, n, n]`.
    fn add_weights(&mut self, layers: &[Array4<f32>], examples: &Examples, is_causal: bool) {
        let heads = layers.iter().map(|layer| layer.dim().1).sum();
        self.sums.resize(heads, Shares::default());
        let n = examples.words().length();
        for (at, target) in examples.targets().iter().enumerate() {
            let (sequence, query) = (at / n, at % n);
            let row = Row {
                words: &examples.words().all()[sequence * n..(sequence + 1) * n],
                target: *target,
                query,
                keys: if is_causal { query + 1 } else { n },
            };
            let of_heads = layers
                .iter()
                .flat_map(|layer| layer.slice(s![sequence, .., query, ..]).into_outer_iter());
            if row.keys > 1 {
                self.add_row(&row, &of_heads.collect::<Vec<_>>());
            }
        }
    }

    /// Counts a row, which has weights in every head.
    fn add_row(&mut self, row: &Row<'_>, heads: &[ArrayView1<'_, f32>]) {
        for (at, behaviour) in Behaviour::ALL.into_iter().enumerate() {
            if behaviour == Behaviour::Answer && row.target.is_none() {
                continue;
            }
            self.rows[at] += 1;
            let keys: Vec<usize> = row.asked(behaviour).collect();
            if keys.is_empty() {
                continue;
            }
            self.asking[at] += 1;
            for (sums, weights) in self.sums.iter_mut().zip(heads) {
                sums[at] += keys.iter().map(|key| f64::from(weights[*key])).sum::<f64>();
            }
        }
    }

    /// The shares of each head, over all that was counted.
    pub fn shares(&self) -> Vec<Shares> {
        let share = |sums: &Shares, at: usize| {
            let is_asked = self.asking[at] > 0 && 2 * self.asking[at] >= self.rows[at];
            if is_asked {
                sums[at] / self.asking[at] as f64
            } else {
                0.0
            }
        };
        let of_head = |sums| std::array::from_fn(|at| share(sums, at));
        self.sums.iter().map(of_head).collect()
    }
}

/// A row that has a choice.
struct Row<'a> {
    words: &'a [usize],
    target: Option<usize>,
    query: usize,
    /// How many keys it sees, from the first on.
    keys: usize,
}

impl Row<'_> {
    /// The keys that a behaviour asks for.
    fn asked(&self, behaviour: Behaviour) -> impl Iterator<Item = usize> {
        (0..self.keys)
            .filter(move |key| behaviour.looks_at(self.words, self.target, self.query, *key))
    }
}

/// Names a head by its shares: the behaviour with the largest share, the first of equal ones, if it
/// has at least half of the weight ([`HALF`](attention::analysis::HALF)). Behaviours about words are
/// considered only if none about positions qualifies.
pub fn named(shares: &Shares) -> Option<(Behaviour, f64)> {
    let largest = |is_of_words: bool| {
        let all = Behaviour::ALL.into_iter().zip(*shares);
        let own = all.filter(|(behaviour, _)| behaviour.is_of_words() == is_of_words);
        let most = own.reduce(|most, next| if next.1 > most.1 { next } else { most });
        most.filter(|(_, share)| *share >= attention::analysis::HALF)
    };
    largest(false).or_else(|| largest(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelConfig, Words};

    /// Words 0 1 2 0 1, of which the answers at the last two are 1 and 0.
    fn examples() -> Examples {
        let config = ModelConfig::new(4, 5, 4, 1, 1);
        let words = Words::new(&config, &[vec![0, 1, 2, 0, 1]]).expect("five words");
        let targets = vec![None, None, None, Some(1), Some(0)];
        Examples::new(&config, words, &[targets]).expect("targets")
    }

    /// All weight of each row on one key.
    fn looking_at(keys: [usize; 5]) -> Array4<f32> {
        Array4::from_shape_fn((1, 1, 5, 5), |(_, _, query, key)| {
            f32::from(u8::from(keys[query] == key))
        })
    }

    fn shares(weights: &Array4<f32>, examples: &Examples, is_causal: bool) -> Shares {
        let mut tally = Tally::default();
        tally.add_weights(std::slice::from_ref(weights), examples, is_causal);
        tally.shares()[0]
    }

    fn found(keys: [usize; 5], is_causal: bool) -> Shares {
        shares(&looking_at(keys), &examples(), is_causal)
    }

    fn name(keys: [usize; 5], is_causal: bool) -> Option<Behaviour> {
        named(&found(keys, is_causal)).map(|(behaviour, _)| behaviour)
    }

    #[test]
    fn a_head_is_named_by_what_it_does() {
        for (keys, expected) in [
            ([0, 0, 1, 2, 3], Behaviour::Previous),
            ([0, 1, 2, 3, 4], Behaviour::Itself),
            ([1, 2, 3, 4, 4], Behaviour::Next),
            ([0, 0, 0, 0, 0], Behaviour::First),
            ([4, 3, 2, 1, 0], Behaviour::Mirrored),
            ([3, 4, 3, 0, 1], Behaviour::SameWord),
        ] {
            assert_eq!(name(keys, false), Some(expected), "{keys:?}");
        }
        // Under a causal mask the second 0 looks at what came after the first, and the second 1 as well.
        assert_eq!(name([0, 1, 0, 1, 2], true), Some(Behaviour::Induction));
        assert_eq!(name([2, 3, 4, 4, 3], false), Some(Behaviour::Answer));
    }

    #[test]
    fn shares_are_means_over_the_rows_that_are_asked() {
        let even = Array4::from_elem((1, 1, 5, 5), 0.2);
        let shares = shares(&even, &examples(), false);
        // Each answer stands at two places; two rows of five have a word that came before.
        let expected = [0.2, 0.2, 0.2, 0.2, 0.2, 0.0, 0.2, 0.4];
        let far = shares
            .iter()
            .zip(expected)
            .map(|(one, other)| (one - other).abs());
        assert!(far.fold(0.0, f64::max) < 1e-6, "{shares:?}");
        assert_eq!(named(&shares), None);
    }

    /// Words and targets, and the share of a behaviour where all weight is on the first key.
    fn on_the_first(
        words: &[usize],
        targets: &[Option<usize>],
        behaviour: Behaviour,
    ) -> (f64, Option<Behaviour>) {
        let n = words.len();
        let config = ModelConfig::new(9, n, 4, 1, 1);
        let read = Words::new(&config, &[words.to_vec()]).expect("words");
        let examples = Examples::new(&config, read, &[targets.to_vec()]).expect("targets");
        let weights = Array4::from_shape_fn((1, 1, n, n), |at| f32::from(u8::from(at.3 == 0)));
        let shares = shares(&weights, &examples, false);
        let words_alone = std::array::from_fn(|at| match Behaviour::ALL[at].is_of_words() {
            true => shares[at],
            false => 0.0,
        });
        let name = named(&words_alone).map(|(behaviour, _)| behaviour);
        (shares[behaviour as usize], name)
    }

    /// A role that rests on one row of many is none.
    #[test]
    fn half_of_the_rows_that_could_ask_have_to() {
        let answers = |targets: &[Option<usize>]| {
            on_the_first(&[0, 1, 2, 3, 4, 5], targets, Behaviour::Answer)
        };
        let [right, absent] = [Some(0), Some(8)];
        let (half, fewer) = (
            [right, right, right, absent, absent, absent],
            [right, right, absent, absent, absent, absent],
        );
        assert_eq!(answers(&half), (1.0, Some(Behaviour::Answer)));
        assert_eq!(answers(&fewer), (0.0, None));
        // Only one row has something to answer, and it is that one.
        let one = [None, right, None, None, None, None];
        assert_eq!(answers(&one), (1.0, Some(Behaviour::Answer)));
        // Every row could ask for another place with its word.
        let same = |words: &[usize]| on_the_first(words, &[right; 6], Behaviour::SameWord);
        assert_eq!(same(&[0, 0, 0, 3, 4, 5]).0, 2.0 / 3.0);
        assert_eq!(same(&[0, 0, 2, 3, 4, 5]), (0.0, Some(Behaviour::Answer)));
    }

    #[test]
    fn a_name_is_due_from_one_half_on_and_the_first_of_equal_ones_is_said() {
        let of = |shares: &[(Behaviour, f64)]| {
            let mut all = Shares::default();
            for (behaviour, share) in shares {
                all[*behaviour as usize] = *share;
            }
            named(&all)
        };
        use Behaviour::{Answer, First, Itself, Previous, SameWord};
        assert_eq!(of(&[(Itself, 0.5)]), Some((Itself, 0.5)));
        assert_eq!(of(&[(Itself, 0.499_999)]), None);
        let tie = of(&[(First, 0.7), (Previous, 0.7), (Answer, 0.9)]);
        assert_eq!(tie, Some((Previous, 0.7)));
        assert_eq!(of(&[(Answer, 0.6), (SameWord, 0.6)]), Some((SameWord, 0.6)));
    }

    /// Examples count alike, however they are split.
    #[test]
    fn parts_add_up() {
        let weights = Array4::from_shape_fn((2, 3, 5, 5), |(b, h, q, k)| {
            (1 + b + 2 * h + 3 * q + 5 * k) as f32 / 100.0
        });
        let config = ModelConfig::new(4, 5, 4, 1, 1);
        let sequences = [vec![0, 1, 2, 0, 1], vec![3, 3, 1, 0, 2]];
        let targets = [vec![None, None, None, Some(1), Some(0)], vec![Some(3); 5]];
        let of = |range: std::ops::Range<usize>| {
            let words = Words::new(&config, &sequences[range.clone()]).expect("words");
            Examples::new(&config, words, &targets[range]).expect("targets")
        };
        let (mut whole, mut parts) = (Tally::default(), Tally::default());
        whole.add_weights(&[weights.clone(), weights.clone()], &of(0..2), true);
        for at in 0..2 {
            let part = weights.slice(s![at..=at, .., .., ..]).to_owned();
            parts.add_weights(&[part.clone(), part], &of(at..at + 1), true);
        }
        assert_eq!(whole.shares().len(), 6);
        assert_eq!(whole, parts);
        assert_eq!(whole.shares()[0], whole.shares()[3]);
    }

    #[test]
    fn later_keys_do_not_count_under_a_causal_mask() {
        let next = found([1, 2, 3, 4, 4], true);
        assert_eq!(next[Behaviour::Next as usize], 0.0);
        let one = ModelConfig::new(2, 1, 4, 1, 1);
        let words = Words::new(&one, &[vec![1]]).expect("a word");
        let one = Examples::new(&one, words, &[vec![Some(1)]]).expect("a target");
        let alone = shares(&Array4::ones((1, 1, 1, 1)), &one, false);
        assert_eq!(alone, [0.0; 8], "one key leaves no choice");
    }
}
