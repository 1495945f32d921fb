//! What heads of trained models often do, measured over examples.
//!
//! The share of a behaviour is the mean, over the rows where it asks for something, of the weight on the keys it asks for:
//! `mean_i Σ_j A(i, j)·[key j is one of them]`. Only keys that the mask shows count, and rows that see one key alone have no choice and do
//! not. What is looked for is what Clark et al. 2019 (section 3), Kovaleva et al. 2019 (section 4.1) and, for induction, Olsson et al.
//! 2022 found.

use ndarray::Array4;

use super::Examples;
use crate::analysis::Mean;

/// What a head may do.
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

    /// Whether it is about words and not about places alone: what a head does is said by places where both hold.
    pub const fn is_of_words(self) -> bool {
        matches!(self, Self::SameWord | Self::Answer)
    }

    /// Whether place `query` of `words` looks at place `key`.
    fn looks_at(self, words: &[usize], target: Option<usize>, query: usize, key: usize) -> bool {
        match self {
            Self::Previous => key + 1 == query,
            Self::Itself => key == query,
            Self::Next => key == query + 1,
            Self::First => key == 0 && query > 0,
            Self::Mirrored => key + query + 1 == words.len(),
            Self::Induction => key > 0 && key <= query && words[key - 1] == words[query],
            Self::SameWord => key != query && words[key] == words[query],
            Self::Answer => target == Some(words[key]),
        }
    }
}

/// The shares of all behaviours, in the order of [`Behaviour::ALL`]; 0 where one asks for nothing anywhere.
pub type Shares = [f64; Behaviour::ALL.len()];

/// What each head of a layer does over all examples; `weights` are the layer's, `[batch, heads, n, n]`.
pub fn shares(weights: &Array4<f32>, examples: &Examples, is_causal: bool) -> Vec<Shares> {
    let (_, heads, n, _) = weights.dim();
    let words = examples.words();
    let share = |head: usize, behaviour: Behaviour| {
        let mut mean = Mean::default();
        for at in 0..words.batch() {
            let sequence = &words.all()[at * n..(at + 1) * n];
            for query in 0..n {
                let last = if is_causal { query } else { n - 1 };
                let target = examples.targets()[at * n + query];
                let asked = (0..=last)
                    .filter(|key| last > 0 && behaviour.looks_at(sequence, target, query, *key));
                let asked = asked.map(|key| f64::from(weights[[at, head, query, key]]));
                if let Some(sum) = asked.reduce(|sum, weight| sum + weight) {
                    mean.add(sum);
                }
            }
        }
        mean.value().unwrap_or(0.0)
    };
    (0..heads)
        .map(|head| Behaviour::ALL.map(|behaviour| share(head, behaviour)))
        .collect()
}

/// What a head does by its shares: the behaviour with the largest share, where that is at least half of the weight
/// ([`HALF`](crate::analysis::HALF)). One of words is said only where none of places is.
pub fn named(shares: &Shares) -> Option<(Behaviour, f64)> {
    let largest = |is_of_words: bool| {
        let all = Behaviour::ALL.into_iter().zip(*shares);
        let own = all.filter(|(behaviour, _)| behaviour.is_of_words() == is_of_words);
        let most = own.max_by(|one, other| one.1.total_cmp(&other.1));
        most.filter(|(_, share)| *share >= crate::analysis::HALF)
    };
    largest(false).or_else(|| largest(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ModelConfig, Words};

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

    fn found(keys: [usize; 5], is_causal: bool) -> Shares {
        shares(&looking_at(keys), &examples(), is_causal)[0]
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
        let shares = shares(&even, &examples(), false)[0];
        // Each answer stands at two places.
        let expected = [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.4];
        let far = shares
            .iter()
            .zip(expected)
            .map(|(one, other)| (one - other).abs());
        assert!(far.fold(0.0, f64::max) < 1e-6, "{shares:?}");
        assert_eq!(named(&shares), None);
    }

    #[test]
    fn later_keys_do_not_count_under_a_causal_mask() {
        let next = found([1, 2, 3, 4, 4], true);
        assert_eq!(next[Behaviour::Next as usize], 0.0);
        let one = ModelConfig::new(2, 1, 4, 1, 1);
        let words = Words::new(&one, &[vec![1]]).expect("a word");
        let one = Examples::new(&one, words, &[vec![Some(1)]]).expect("a target");
        let alone = shares(&Array4::ones((1, 1, 1, 1)), &one, false)[0];
        assert_eq!(alone, [0.0; 8], "one key leaves no choice");
    }
}
