//! Layers of a model that has learned the grammar of the sentence.
//!
//! A model is known by what it learns, its seed and its sizes; a layer of it by the steps that it has taken and the words that it reads
//! besides. The same key gives the same numbers everywhere, bit by bit, so a link holds settings and no numbers. Models are trained where
//! a layer is first asked for, which is in the worker; the window gets each layer with the run that it belongs to, and caches it.

mod layer;
mod models;
mod progress;

use std::cell::RefCell;
use std::sync::Arc;

use super::presets::has_han;
use super::{Origin, State};
use attention::text::grammar::{CHINESE, ENGLISH, Grammar};
use attention::text::{Tokens, vocabulary};
use attention::{Code, Error};
use engine::training_run::StackSizes;
pub use layer::{ANSWERS, Answer, LayerNorm, LearnedLayer, Loss};
pub use progress::Progress;

/// Cached layers: those of both settings of a comparison, and the previous ones. The worker's own cache has as many.
pub const CACHED: usize = 6;

thread_local! {
    static LAYERS: RefCell<Vec<(LearnedKey, Arc<LearnedLayer>)>> = const { RefCell::new(Vec::new()) };
}

/// Everything that a model's training depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelKey {
    is_chinese: bool,
    seed: u32,
    sizes: StackSizes,
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
    /// The model of a state.
    pub fn new(state: &State) -> Self {
        Self {
            is_chinese: has_han(&state.text),
            seed: state.seed,
            sizes: StackSizes {
                layers: state.layers,
                d_model: state.d_model,
                d_k: state.d_k,
                heads: state.heads,
                kv_heads: state.kv_heads,
            },
        }
    }

    fn task(self) -> &'static str {
        if self.is_chinese {
            "pronoun-zh"
        } else {
            "pronoun"
        }
    }

    /// How many words it knows.
    fn vocabulary(self) -> usize {
        grammar_of(self.is_chinese).words().len()
    }

    /// Heads of all layers.
    fn all_heads(self) -> usize {
        self.sizes.layers * self.sizes.heads
    }
}

impl LearnedKey {
    /// The layer of a state.
    ///
    /// # Errors
    /// [`Code::UnknownOption`] for a word that the model does not know, [`Code::TooLarge`] for more words than it reads and
    /// [`Code::MissingField`] for none.
    pub fn new(state: &State) -> Result<Self, Error> {
        let words = vocabulary::read(&grammar(&state.text).words(), &state.text)?;
        let most = grammar(&state.text).length();
        if words.is_empty() {
            return Err(no_words());
        }
        if words.len() > most {
            let rule = format!("the model reads at most {most} words");
            return Err(Error::new(Code::TooLarge, "text", words.len(), rule));
        }
        Ok(Self {
            model: ModelKey::new(state),
            trained: state.trained,
            layer: state.layer - 1,
            words,
        })
    }

    /// Whether the logits are computed from this layer.
    fn is_last(&self) -> bool {
        self.layer + 1 == self.model.sizes.layers
    }

    /// The row of the target word, and that word; `None` if the text has none.
    fn target(&self) -> Option<(usize, usize)> {
        grammar_of(self.model.is_chinese).meant(&self.words)
    }
}

fn no_words() -> Error {
    Error::missing("text", "the model reads at least one word")
}

/// The grammar that a model learns for a text.
pub fn grammar(text: &str) -> &'static Grammar {
    grammar_of(has_han(text))
}

fn grammar_of(is_chinese: bool) -> &'static Grammar {
    if is_chinese { &CHINESE } else { &ENGLISH }
}

/// Whether the text of a state has a target word, so that there is a loss.
pub fn has_loss(state: &State) -> bool {
    LearnedKey::new(state).is_ok_and(|key| key.target().is_some())
}

/// The words of a text as the model reads them, spelled as they are written; `None` where it cannot read them.
pub fn tokens(text: &str) -> Option<Tokens> {
    let known = grammar(text).words();
    let found = vocabulary::words(&known, text).ok()?;
    let spelled = |word: vocabulary::Word| {
        let written = text.get(word.at);
        let written = written.filter(|own| own.to_lowercase() == known[word.number]);
        written.unwrap_or(known[word.number]).to_owned()
    };
    let words: Vec<String> = found.into_iter().map(spelled).collect();
    Some(Tokens {
        total: words.len(),
        words,
    })
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
    cache_insert(key.clone(), layer.clone());
    Ok(layer)
}

/// Trains the model of a state a few steps further, ahead of use; returns whether steps are left.
///
/// # Errors
/// As [`layer()`], and where the model cannot read the text.
pub fn advance(state: &State) -> Result<bool, Error> {
    models::advance(&LearnedKey::new(state)?, progress::STEPS)
}

/// The key of a state whose weights were learned.
pub fn key_of(state: &State) -> Option<LearnedKey> {
    let is_learned = state.origin == Origin::Learned;
    is_learned.then(|| LearnedKey::new(state).ok()).flatten()
}

/// The layer of a state whose weights were learned; `None` where it is not cached.
pub fn cached_for(state: &State) -> Option<Arc<LearnedLayer>> {
    cached(&key_of(state)?)
}

/// Caches the layer of a state, as [`LearnedLayer::to_numbers`] wrote it; numbers of any other layer are passed over.
pub fn receive(state: &State, numbers: &[f32]) {
    let Ok(key) = LearnedKey::new(state) else {
        return;
    };
    if let Some(layer) = LearnedLayer::from_numbers(&key, numbers) {
        cache_insert(key, Arc::new(layer));
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

fn cache_insert(key: LearnedKey, layer: Arc<LearnedLayer>) {
    LAYERS.with_borrow_mut(|layers| {
        layers.retain(|(own, _)| *own != key);
        layers.insert(0, (key, layer));
        layers.truncate(CACHED);
    });
}

#[cfg(test)]
mod tests;
