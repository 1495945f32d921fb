//! Layers of a model that has learned the grammar of the sentence.
//!
//! A model is known by what it learns, its seed and its sizes; a layer of it by the steps that it has taken and the words that it reads
//! besides. The same key gives the same numbers everywhere, bit by bit, so a link holds settings and no numbers. Models are trained where
//! a layer is first asked for, which is in the worker; the window gets each layer with the run that it belongs to, and caches it.

mod layer;
mod models;

use std::cell::RefCell;
use std::sync::Arc;

use crate::training_run::StackSizes;
use attention::text::grammar::{CHINESE, ENGLISH, Grammar};
use attention::text::vocabulary;
use attention::{Code, Error};
pub use layer::{ANSWERS, Answer, LayerNorm, LearnedLayer, LearnedStep, Loss};
pub use models::advance;

/// Cached layers: those of both settings of a comparison, and the previous ones. The worker's own cache has as many.
pub const CACHED: usize = 6;

thread_local! {
    static LAYERS: RefCell<Vec<(LearnedKey, Arc<LearnedLayer>)>> = const { RefCell::new(Vec::new()) };
}

/// Everything that a model's training depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelKey {
    /// Whether it learns the Chinese grammar.
    pub is_chinese: bool,
    /// Seed of its random numbers.
    pub seed: u32,
    /// Sizes of its stack.
    pub sizes: StackSizes,
}

/// Everything that a layer depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnedKey {
    model: ModelKey,
    /// Training steps that have been taken.
    trained: usize,
    /// From 0.
    layer: usize,
    words: Vec<usize>,
}

impl ModelKey {
    fn task(self) -> &'static str {
        if self.is_chinese {
            "pronoun-zh"
        } else {
            "pronoun"
        }
    }

    fn grammar(self) -> &'static Grammar {
        grammar(self.is_chinese)
    }

    /// How many words it knows.
    fn vocabulary(self) -> usize {
        self.grammar().words().len()
    }

    /// Heads of all layers.
    fn all_heads(self) -> usize {
        self.sizes.layers * self.sizes.heads
    }
}

impl LearnedKey {
    /// Layer `layer` (from 0) of `model` after `trained` steps, which reads `text`.
    ///
    /// # Errors
    /// [`Code::UnknownOption`] for a word that the model does not know, [`Code::TooLarge`] for more words than it reads and
    /// [`Code::MissingField`] for none.
    pub fn new(model: ModelKey, trained: usize, layer: usize, text: &str) -> Result<Self, Error> {
        let words = vocabulary::read(&model.grammar().words(), text)?;
        let most = model.grammar().length();
        if words.is_empty() {
            return Err(no_words());
        }
        if words.len() > most {
            let rule = format!("the model reads at most {most} words");
            return Err(Error::new(Code::TooLarge, "text", words.len(), rule));
        }
        Ok(Self {
            model,
            trained,
            layer,
            words,
        })
    }

    /// Whether the text has a target word, so that there is a loss.
    pub fn has_loss(&self) -> bool {
        self.target().is_some()
    }

    /// Whether the logits are computed from this layer.
    fn is_last(&self) -> bool {
        self.layer + 1 == self.model.sizes.layers
    }

    /// The row of the target word, and that word; `None` if the text has none.
    fn target(&self) -> Option<(usize, usize)> {
        self.model.grammar().meant(&self.words)
    }
}

/// The grammar that a model learns.
pub fn grammar(is_chinese: bool) -> &'static Grammar {
    if is_chinese { &CHINESE } else { &ENGLISH }
}

fn no_words() -> Error {
    Error::missing("text", "the model reads at least one word")
}

/// A layer: one that is cached, or one of a model that is trained for it.
///
/// # Errors
/// [`Code::NotFinite`] where numbers leave the range of 32 bits in training; what the sizes of a model break.
pub fn layer(key: &LearnedKey) -> Result<Arc<LearnedLayer>, Error> {
    if let Some(layer) = cached(key) {
        return Ok(layer);
    }
    let layer = Arc::new(models::layer(key)?);
    insert(key.clone(), layer.clone());
    Ok(layer)
}

/// Caches a layer, as [`LearnedLayer::to_numbers`] wrote it; numbers of any other layer are passed over.
pub fn receive(key: LearnedKey, numbers: &[f32]) {
    if let Some(layer) = LearnedLayer::from_numbers(&key, numbers) {
        insert(key, Arc::new(layer));
    }
}

/// The layer of a key, if it is cached: the last to be dropped from now on.
pub fn cached(key: &LearnedKey) -> Option<Arc<LearnedLayer>> {
    LAYERS.with_borrow_mut(|layers| {
        let place = layers.iter().position(|(own, _)| own == key)?;
        let found = layers.remove(place);
        let layer = found.1.clone();
        layers.insert(0, found);
        Some(layer)
    })
}

fn insert(key: LearnedKey, layer: Arc<LearnedLayer>) {
    LAYERS.with_borrow_mut(|layers| {
        layers.retain(|(own, _)| *own != key);
        layers.insert(0, (key, layer));
        layers.truncate(CACHED);
    });
}

#[cfg(test)]
mod tests;
