//! Whether heads complete what repeats ([`Measure::Repeats`](crate::measure::Measure::Repeats)).

use std::iter::successors;

use model::Words;
use model::infer::Inference;
use ndarray::{Array3, Axis};

use crate::Interpreter;
use crate::pass::every_head;
use attention::{Code, Error};

/// Random tokens that are repeated.
const REPEATED: usize = 25;

impl Interpreter {
    /// [`Measure::Repeats`](crate::measure::Measure::Repeats) of every head, whatever the text: over 25 random tokens that stand there twice, or as many as
    /// model and vocabulary have room for.
    ///
    /// # Errors
    /// [`Code::NotApplicable`] for a model that is not causal or has no room for a token twice; as [`Model::infer`](model::Model::infer).
    pub fn repeats(&self) -> Result<Vec<f32>, Error> {
        let config = self.model.config();
        let once = self.repeated();
        let rule = match (config.causal, once.is_empty()) {
            (true, false) => None,
            (false, _) => Some("only causal models complete what repeats"),
            (true, true) => Some("a token must have room twice"),
        };
        if let Some(rule) = rule {
            return Err(Error::new(Code::NotApplicable, "repeats", "wanted", rule));
        }
        let words = Words::new(config, &[once.repeat(2)])?;
        let how = Inference {
            weights: every_head(config),
            ..Inference::default()
        };
        let found = self.model.infer(&words, &how)?;
        let maps = found.weights.iter();
        Ok(maps.map(|map| completed(map, once.len())).collect())
    }

    /// What stands there twice.
    fn repeated(&self) -> Vec<usize> {
        let config = self.model.config();
        let vocabulary = config.vocabulary.min(self.tokenizer.count());
        let count = REPEATED.min(config.length / 2);
        random_tokens(vocabulary, count, |id| {
            u32::try_from(id).is_ok_and(|id| self.tokenizer.is_control(id))
        })
    }
}

/// The mean of `A[i, i − count + 1]` over the second time that `count` tokens, none of them twice, stand there.
fn completed(map: &Array3<f32>, count: usize) -> f32 {
    let map = map.index_axis(Axis(0), 0);
    let weights = (count..2 * count).map(|query| f64::from(map[[query, query - count + 1]]));
    (weights.sum::<f64>() / count as f64) as f32
}

/// `count` tokens, none twice and none a control token, or as many as there are; the same ones every time.
fn random_tokens(
    vocabulary: usize,
    count: usize,
    is_control: impl Fn(usize) -> bool,
) -> Vec<usize> {
    // Every residue once, as the step shares no factor with a prime.
    let (step, prime) = (611_953, 1_000_003);
    let residues = successors(Some(17), |at| Some((at + step) % prime)).skip(1);
    let mut tokens = Vec::with_capacity(count);
    for token in residues
        .take(prime)
        .filter_map(|at| at.checked_rem(vocabulary))
    {
        if tokens.len() == count {
            break;
        }
        if !tokens.contains(&token) && !is_control(token) {
            tokens.push(token);
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::checkpoint;

    #[test]
    fn no_token_is_there_twice() {
        let is_control = |id: usize| id % 5 == 2;
        for (vocabulary, count) in [(49_152, 25), (29, 15), (29, 23), (7, 1), (300, 0)] {
            let tokens = random_tokens(vocabulary, count, is_control);
            assert_eq!(tokens.len(), count, "{vocabulary}");
            assert!(
                tokens
                    .iter()
                    .all(|own| *own < vocabulary && !is_control(*own))
            );
            let mut sorted = tokens.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), count, "{tokens:?}");
            assert_eq!(tokens, random_tokens(vocabulary, count, is_control));
        }
        assert!(!random_tokens(49_152, 25, is_control).is_sorted());
    }

    #[test]
    fn a_small_vocabulary_is_taken_whole() {
        let mut tokens = random_tokens(5, 25, |id| id == 3);
        tokens.sort_unstable();
        assert_eq!(tokens, [0, 1, 2, 4]);
        assert!(random_tokens(4, 25, |_| true).is_empty());
        assert!(random_tokens(0, 25, |_| false).is_empty());
    }

    /// By the definition: the weight on what follows the last equal token.
    #[test]
    fn what_follows_the_same_token_is_looked_at() {
        for (name, count) in [("llama", 25), ("gpt2", 25), ("gemma2", 15)] {
            let (model, tokenizer) = checkpoint(name);
            let own = Interpreter::new(model, tokenizer);
            let tokens = own.repeated().repeat(2);
            assert_eq!(tokens.len(), 2 * count, "{name}");
            let words = Words::new(own.model.config(), std::slice::from_ref(&tokens));
            for (head, found) in own.repeats().expect(name).into_iter().enumerate() {
                let heads = own.model.config().heads;
                let how = Inference {
                    weights: vec![(head / heads, head % heads)],
                    ..Inference::default()
                };
                let words = words.as_ref().expect(name);
                let map = own.model.infer(words, &how).expect(name).weights.remove(0);
                let mut weights = Vec::new();
                for query in 0..tokens.len() {
                    let same = (0..query).rfind(|key| tokens[*key] == tokens[query]);
                    weights.extend(same.map(|key| f64::from(map[[0, query, key + 1]])));
                }
                let wanted = weights.iter().sum::<f64>() / count as f64;
                assert_eq!(weights.len(), count);
                assert!((f64::from(found) - wanted).abs() < 1e-6, "{name}: {head}");
            }
        }
    }
}
