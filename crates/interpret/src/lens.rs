//! What each layer would say: the residual path read as if no further layer came (the "logit lens", nostalgebraist 2020).

use model::likeliest;

use crate::{Interpreter, Likely};
use attention::Error;

/// What the rows that enter a layer would say.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// The likeliest word.
    pub likeliest: Likely,
    /// How likely the model's own answer is there.
    pub answer: f64,
}

impl Interpreter {
    /// What is said at a place of a text before each layer, and after the last: `layers + 1` of them, the first of which is the embedding.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn lens(&mut self, text: &str, place: usize) -> Result<Vec<Said>, Error> {
        let (layers, width) = (self.model.config().layers, self.model.config().d_model);
        let vocabulary = self.model.config().vocabulary;
        let pass = self.pass(text)?;
        pass.check_place("position", place)?;
        let row = |layer: usize| &pass.hidden(layer)[place * width..(place + 1) * width];
        let early: Vec<f32> = (0..layers).flat_map(row).copied().collect();
        let last = row(layers).to_vec();
        let mut logits = self.model.unembed(&early)?;
        logits.extend(self.model.logits_of(&last)?);
        let answer = likeliest(&logits[layers * vocabulary..], 1.0, 1)?;
        let answer = answer.first().map_or(0, |own| own.word);
        let rows = logits.chunks_exact(vocabulary.max(1));
        rows.map(|logits| self.said(logits, answer)).collect()
    }

    fn said(&self, logits: &[f32], answer: usize) -> Result<Said, Error> {
        let all = likeliest(logits, 1.0, 1)?;
        let likeliest = all.first().map(|own| self.likely(own));
        Ok(Said {
            likeliest: likeliest.unwrap_or_default(),
            answer: crate::next::share(logits, answer),
        })
    }
}
