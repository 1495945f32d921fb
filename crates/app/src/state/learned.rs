//! Layers that a state asks for of models that have learned the grammar of its sentence ([`engine::learned`]).

mod progress;

use std::sync::Arc;

use super::presets::has_han;
use super::{Origin, State};
use attention::Error;
use attention::text::grammar::Grammar;
use attention::text::{Tokens, vocabulary};
use engine::learned::{self, LearnedKey, LearnedLayer, ModelKey};
use engine::training_run::StackSizes;
pub use progress::Progress;

/// The model of a state.
pub fn model(state: &State) -> ModelKey {
    ModelKey {
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

/// The layer of a state.
///
/// # Errors
/// As [`LearnedKey::new`], where the model cannot read the text.
pub fn key(state: &State) -> Result<LearnedKey, Error> {
    LearnedKey::new(model(state), state.trained, state.layer - 1, &state.text)
}

/// The grammar that a model learns for a text.
pub fn grammar(text: &str) -> &'static Grammar {
    learned::grammar(has_han(text))
}

/// Whether the text of a state has a target word, so that there is a loss.
pub fn has_loss(state: &State) -> bool {
    key(state).is_ok_and(|key| key.has_loss())
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

/// Whether one text becomes the other where words are exchanged that can stand for each other.
pub fn are_exchanged(one: &str, other: &str) -> bool {
    if has_han(one) != has_han(other) {
        return false;
    }
    let grammar = grammar(one);
    let known = grammar.words();
    let [one, other] = [one, other].map(|text| vocabulary::read(&known, text));
    let (Ok(one), Ok(other)) = (one, other) else {
        return false;
    };
    let is_other = |(one, other): (&usize, &usize)| {
        one == other || grammar.alternatives(known[*one]).contains(&known[*other])
    };
    one.len() == other.len() && one.iter().zip(&other).all(is_other)
}

/// Whether a text that the model cannot read may become one that it can while it is typed on: no word of it is other than
/// known or the beginning of a known one. Input methods write letters until a Chinese character is chosen.
pub fn is_unfinished(text: &str) -> bool {
    let grammar = grammar(text);
    let is_chinese = has_han(text);
    let is_typed = |c: &char| !(is_chinese && (c.is_ascii_alphabetic() || *c == '\''));
    let typed: String = text.chars().filter(is_typed).collect();
    vocabulary::may_become(&grammar.words(), &typed)
}

/// Trains the model of a state a few steps further, ahead of use; returns whether steps are left.
///
/// # Errors
/// As [`learned::layer`], and where the model cannot read the text.
pub fn advance(state: &State) -> Result<bool, Error> {
    learned::advance(&key(state)?, progress::STEPS)
}

/// The key of a state whose weights were learned.
pub fn key_if_learned(state: &State) -> Option<LearnedKey> {
    let is_learned = state.origin == Origin::Learned;
    is_learned.then(|| key(state).ok()).flatten()
}

/// Caches the layer of a state, as [`LearnedLayer::to_numbers`] wrote it; numbers of any other layer are passed over.
pub fn receive(state: &State, numbers: &[f32]) {
    if let Ok(key) = key(state) {
        learned::receive(key, numbers);
    }
}

/// The layer of a state whose weights were learned; `None` where it is not cached.
pub fn cached_for(state: &State) -> Option<Arc<LearnedLayer>> {
    learned::cached(&key_if_learned(state)?)
}

#[cfg(test)]
mod tests;
