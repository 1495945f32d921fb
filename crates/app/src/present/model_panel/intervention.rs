//! What is changed in the model with what becomes of its answer, as a program can repeat it.

wasm_chunks::chunk!("model");

use interpret::Change;

use super::OpenModel;
use crate::state::State;

/// What is changed in a model, and what becomes of its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervention {
    /// The name of the model.
    pub name: String,
    /// Its family: "llama".
    pub family: String,
    /// Whether a token sees those before it alone.
    pub is_causal: bool,
    /// The text.
    pub text: String,
    /// Its tokens, by their rows of the embedding.
    pub tokens: Vec<usize>,
    /// Heads of a layer.
    pub heads: usize,
    /// The token whose answer is looked at.
    pub place: usize,
    /// The row of the answer in the embedding.
    pub answer: usize,
    /// The answer in characters that are all seen.
    pub word: String,
    /// Heads that are off, and hidden cells.
    pub change: Change,
    /// The probability of the answer on the page.
    pub before: f64,
    /// The same with the change.
    pub after: f64,
}

impl OpenModel {
    /// What is changed now with the answers before and after, once both are known; nothing for a head whose output is taken from another text.
    pub fn intervention(&self, state: &State) -> Option<Intervention> {
        let change = Some(self.change(state)).filter(|own| own.patch.is_none())?;
        let after = self.changed(state)?.asked?;
        let answer = self.next.as_ref()?.likeliest.first()?;
        let tokens = self.reading.as_ref()?.tokens.iter();
        Some(Intervention {
            name: self.about.name.clone(),
            family: self.about.family.clone(),
            is_causal: self.about.is_causal,
            text: self.text.clone(),
            tokens: tokens.map(|token| token.id).collect(),
            heads: self.about.heads,
            place: self.answer_place(),
            answer: answer.id,
            word: answer.text.clone(),
            change,
            before: answer.share,
            after,
        })
    }
}
