//! Keys and values of the words so far.

use super::Inference;
use crate::{HiddenCells, Model, ModelConfig, Words};
use attention::{Code, Error};

/// Keys and values of every layer of a causal model for the words of one sequence so far. Those of a word depend on the words before it alone, so that the
/// next ones need no others. `8·layers·kv_heads·d_k` bytes a word.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyValues {
    config: ModelConfig,
    off: Vec<(usize, usize)>,
    hide: Vec<HiddenCells>,
    length: usize,
    layers: Vec<LayerKeyValues>,
}

/// Those of a layer: `[words, d_k]` of each key/value head, keys as they meet the queries, rotated and all.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LayerKeyValues {
    pub(super) keys: Vec<Vec<f32>>,
    pub(super) values: Vec<Vec<f32>>,
}

impl LayerKeyValues {
    pub(super) fn empty(kv_heads: usize) -> Self {
        Self {
            keys: vec![Vec::new(); kv_heads],
            values: vec![Vec::new(); kv_heads],
        }
    }

    /// Adds those of more words, `[n, d_k]` of each head; values may be missing.
    pub(super) fn append(&mut self, keys: &[Vec<f32>], values: &[Vec<f32>]) {
        for (all, more) in [(&mut self.keys, keys), (&mut self.values, values)] {
            let heads = all.iter_mut().zip(more);
            heads.for_each(|(all, more)| all.extend_from_slice(more));
        }
    }
}

impl KeyValues {
    /// Those of no words, for passes of `model` that switch off and hide what `how` does.
    ///
    /// # Errors
    /// [`Code::NotApplicable`] for a model that is not causal: there, the next word changes what came before.
    pub fn new(model: &Model, how: &Inference) -> Result<Self, Error> {
        let config = model.config;
        if !config.causal {
            let rule = "only a causal model keeps its keys and values";
            return Err(Error::new(Code::NotApplicable, "causal", "false", rule));
        }
        Ok(Self {
            config,
            off: how.off.clone(),
            hide: how.hide.clone(),
            length: 0,
            layers: vec![LayerKeyValues::empty(config.kv_heads); config.layers],
        })
    }

    /// Words that are kept.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Forgets all words but the first `length`; nothing where there are no more.
    pub fn truncate(&mut self, length: usize) {
        self.set_length(length.min(self.length));
    }

    pub(super) fn layer(&mut self, layer: usize) -> &mut LayerKeyValues {
        &mut self.layers[layer]
    }

    /// Takes the first `length` words that its layers have to be all.
    pub(super) fn set_length(&mut self, length: usize) {
        self.length = length;
        let numbers = length * self.config.d_k;
        let heads = self.layers.iter_mut();
        let heads = heads.flat_map(|layer| layer.keys.iter_mut().chain(&mut layer.values));
        heads.for_each(|head| head.truncate(numbers));
    }

    /// Refuses words and ways of a pass that these do not belong to.
    pub(super) fn check(&self, model: &Model, words: &Words, how: &Inference) -> Result<(), Error> {
        let refuse = |field: &str, rule: &str| {
            let code = Code::NotApplicable;
            Err(Error::new(
                code,
                field,
                "another than that of the kept keys and values",
                rule,
            ))
        };
        let rule = "must be what the words so far were computed with";
        if self.config != model.config {
            return refuse("model", rule);
        }
        if self.off != how.off {
            return refuse("off", rule);
        }
        if self.hide != how.hide {
            return refuse("hide", rule);
        }
        if !how.patch.is_empty() {
            let rule = "belongs to passes over whole sequences";
            let (code, found) = (Code::NotApplicable, how.patch.len());
            return Err(Error::new(code, "patch", found, rule));
        }
        if words.batch() != 1 {
            let rule = "keys and values are those of one sequence";
            return Err(Error::new(
                Code::ShapeMismatch,
                "tokens",
                words.batch(),
                rule,
            ));
        }
        let (all, most) = (
            self.length.saturating_add(words.length()),
            self.config.length,
        );
        if all > most {
            let rule = format!("a sequence may have at most {most} words (length)");
            return Err(Error::new(Code::ShapeMismatch, "tokens", all, rule));
        }
        Ok(())
    }
}
