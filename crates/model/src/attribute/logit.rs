//! A logit by its sources (direct logit attribution: nostalgebraist 2020; Elhage et al. 2021, "Zero-layer" and "One-layer transformers").

use super::parts::{dot, wide};
use super::{Attribution, check_place};
use crate::infer::Inference;
use crate::{Model, Words};
use attention::{Code, Error};

impl Model {
    /// The logit of a word at a position of one sequence, split over the sources of the last rows: `logit = Σ_s N(x_s)·U[token]`, with the
    /// final norm `N` as it is in this pass. Of `how`, what is changed counts. Where logits have a cap it is that before the cap.
    ///
    /// # Errors
    /// As [`infer`](Self::infer); [`Code::NotApplicable`] for a model without logits, or with a head for masked words before them;
    /// [`Code::ShapeMismatch`] for more than one sequence
    /// or a `position` that it does not have, [`Code::UnknownOption`] for a `token` that the model does not have.
    pub fn attribute_logit(
        &self,
        words: &Words,
        how: &Inference,
        position: usize,
        token: usize,
    ) -> Result<Attribution, Error> {
        self.check_has_logits()?;
        if self.config.masked_head {
            let rule = "a head for masked words has an activation, through which no sum goes";
            let (code, field) = (Code::NotApplicable, "masked_head");
            return Err(Error::new(code, field, "true", rule));
        }
        check_place(words, "position", position)?;
        let vocabulary = self.config.vocabulary;
        if token >= vocabulary {
            let rule = format!("must be below {vocabulary} (vocabulary)");
            return Err(Error::new(Code::UnknownOption, "token", token, rule));
        }
        let [(row, parts)] = self.split(words, how, self.config.layers, [position])?;
        let column = self.unembedding_of(token);
        let score = dot(&row, &column);
        let parts = parts
            .iter()
            .map(|(source, row)| (source, dot(row, &column)));
        Ok(Attribution::new(score, parts))
    }

    /// `U[token]`, `[d_model]`.
    fn unembedding_of(&self, token: usize) -> Vec<f64> {
        let (mut column, which) = (vec![0.0; self.config.d_model], token..token + 1);
        match self.layout.unembedding {
            Some(map) => self.numbers.outputs(map, which, &mut column),
            None => self.numbers.rows(self.layout.tokens, which, &mut column),
        }
        wide(&column)
    }
}
