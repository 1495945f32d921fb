//! What every head does with a text.

use crate::measure::{Measure, measures};
use crate::{Interpreter, Token};
use attention::Error;

/// The most weights of a text, of all heads together: 64 MiB. A model with 270 heads reads 249 tokens.
pub const MOST_WEIGHTS: usize = 16 << 20;

/// The most weights that a reading gives, 8 MiB; of a longer text the maps stay where they are.
const MOST_GIVEN: usize = 2 << 20;

/// A text as a model reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Its tokens, those included that the tokenizer adds.
    pub tokens: Vec<Token>,
    /// What heads do with it, `[measures, layers·heads]` in the order of [`Measure::OF_TEXT`]; NaN where a measure asks for what the text does not have.
    pub measures: Vec<f32>,
    /// Weights of all heads, `[layers·heads, n, n]`; empty for a text of more than some 2 million of them.
    pub maps: Vec<f32>,
}

impl Reading {
    /// How many heads there are in all layers.
    pub fn heads(&self) -> usize {
        self.measures.len() / Measure::OF_TEXT.len()
    }

    /// Weights of a head, counted on through the layers, `[n, n]`, where they were given.
    pub fn map(&self, head: usize) -> Option<&[f32]> {
        let length = self.tokens.len() * self.tokens.len();
        self.maps.get(head * length..(head + 1) * length)
    }
}

impl Interpreter {
    /// Reads a text.
    ///
    /// # Errors
    /// [`Code::UnknownOption`](attention::Code::UnknownOption) for a text that the tokenizer gives up on, [`Code::TooLarge`](attention::Code::TooLarge)
    /// for one with more weights than [`MOST_WEIGHTS`], [`Code::ShapeMismatch`](attention::Code::ShapeMismatch) for one that is longer than the model
    /// takes, [`Code::MissingField`](attention::Code::MissingField) for one without tokens; all by the field `text`. As
    /// [`Model::infer`](model::Model::infer).
    pub fn read(&mut self, text: &str) -> Result<Reading, Error> {
        let heads = self.model.config().layers * self.model.config().heads;
        let causal = self.model.config().causal;
        let pass = self.pass(text)?;
        let maps: Vec<Vec<f32>> = (0..heads).map(|head| pass.map(head)).collect();
        let length = maps.iter().map(Vec::len).sum::<usize>();
        Ok(Reading {
            tokens: pass.tokens().to_vec(),
            measures: measures(pass.tokens(), &maps, causal),
            maps: if length <= MOST_GIVEN {
                maps.concat()
            } else {
                Vec::new()
            },
        })
    }
}
