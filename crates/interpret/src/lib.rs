//! What an opened model makes of a text, as a page asks for it piece by piece.
//!
//! An [`Interpreter`] holds a model and its tokenizer. It answers questions about a text: [`read`](Interpreter::read) gives tokens and what every
//! head does, the others look closer at one place, layer or head. Passes over the text are kept, so that a question about the same text
//! computes what it needs alone, and a text that goes on costs its new words (in a causal model).
//!
//! | module | question | source |
//! |---|---|---|
//! | [`measure`] | what does each head do? | Clark et al. 2019; Olsson et al. 2022; Xiao et al. 2024 |
//! | [`next`] | which words are likeliest, and what becomes of them without a head or a cell? | Michel et al. 2019 |
//! | [`lens`] | what would each layer say? | nostalgebraist 2020 |
//! | [`why`] | what are a score and a logit made of? | Elhage et al. 2021 |
//! | `layer` | which queries, keys and values meet in a layer? | Vaswani et al. 2017 |
//!
//! Layers, heads and places count from 0.

#![deny(missing_docs)]

mod layer;
pub mod lens;
pub mod measure;
pub mod next;
mod pass;
mod question;
mod reading;
mod repeats;
#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
mod token;
pub mod why;

use std::sync::Arc;

use attention::Error;
use model::Model;
use tokenizer::Tokenizer;

pub use layer::LayerOfText;
pub use next::{Change, Likely, Next, PatchFrom};
pub use question::{Answer, Question};
pub use reading::{MOST_WEIGHTS, Reading};
pub use token::Token;
pub use why::Why;

use pass::TextPass;

/// A model, its tokenizer, and the pass over the last text.
pub struct Interpreter {
    model: Model,
    tokenizer: Arc<Tokenizer>,
    pass: Option<TextPass>,
}

impl Interpreter {
    /// Takes a model with the tokenizer that belongs to it.
    pub fn new(model: Model, tokenizer: Arc<Tokenizer>) -> Self {
        Self {
            model,
            tokenizer,
            pass: None,
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The pass over a text: the last one, where it is of the same text.
    fn pass(&mut self, text: &str) -> Result<&TextPass, Error> {
        let last = self.pass.take();
        let pass = match last {
            Some(pass) if pass.text() == text => pass,
            last => TextPass::new(text, &self.model, &self.tokenizer, last)?,
        };
        Ok(self.pass.insert(pass))
    }

    /// A token by its number, as it is shown.
    fn spelled(&self, id: usize) -> String {
        let spelling = u32::try_from(id)
            .ok()
            .and_then(|id| self.tokenizer.spelling(id));
        spelling.map_or_else(|| format!("#{id}"), |own| own.text)
    }
}
