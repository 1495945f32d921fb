//! Why a head looks where it looks, and why a word is said: scores and logits as sums of what they are made of ([`model::attribute`]; Elhage et al. 2021).

use model::attribute::{Attribution, ScoreCell};
use model::infer::Inference;

use crate::Interpreter;
use attention::Error;

/// A score split twice: by what the key is made of, and by what the query is.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// By the key's sources.
    pub by_key: Attribution,
    /// By the query's.
    pub by_query: Attribution,
}

impl Interpreter {
    /// The score of a cell, before the softmax, as a sum.
    ///
    /// # Errors
    /// As [`read`](Self::read) and [`Model::attribute_both`](model::Model::attribute_both).
    pub fn why(&mut self, text: &str, cell: ScoreCell) -> Result<Why, Error> {
        let words = self.pass(text)?.words().clone();
        let how = Inference::default();
        let [by_key, by_query] = self.model.attribute_both(&words, &how, cell)?;
        Ok(Why { by_key, by_query })
    }

    /// The logit of a word at a place as a sum.
    ///
    /// # Errors
    /// As [`read`](Self::read) and [`Model::attribute_logit`](model::Model::attribute_logit).
    pub fn parts(&mut self, text: &str, place: usize, word: usize) -> Result<Attribution, Error> {
        let words = self.pass(text)?.words().clone();
        let how = Inference::default();
        self.model.attribute_logit(&words, &how, place, word)
    }
}
