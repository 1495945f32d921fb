//! What the library wants of every tokenizer and is not used here.

use tokenizers::{AddedToken, Decoder, Result, Trainer};

use super::Model;

/// The trainer of models that are not trained.
pub(crate) struct Untrained;

impl Trainer for Untrained {
    type Model = Model;

    fn should_show_progress(&self) -> bool {
        false
    }

    fn train(&self, _: &mut Model) -> Result<Vec<AddedToken>> {
        Err("a tokenizer is not trained".into())
    }

    fn feed<I, S, F>(&mut self, _: I, _: F) -> Result<()>
    where
        I: Iterator<Item = S> + Send,
        S: AsRef<str> + Send,
        F: Fn(&str) -> Result<Vec<String>> + Sync,
    {
        Err("a tokenizer is not trained".into())
    }
}

/// The decoder of tokenizers whose tokens are decoded by their alphabet.
#[derive(Debug, Clone)]
pub(crate) struct Undecoded;

impl Decoder for Undecoded {
    fn decode_chain(&self, tokens: Vec<String>) -> Result<Vec<String>> {
        Ok(tokens)
    }
}
