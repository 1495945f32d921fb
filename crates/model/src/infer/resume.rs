//! Passes that begin where another one is still right.

use super::pass::Pass;
use super::{Inference, Inferred};
use crate::{HiddenCells, Model, ModelConfig, Words};
use attention::{Code, Error};

/// The rows that enter every layer in a pass, so that others over the same words, which change only later layers, need not compute the
/// earlier ones again. `4·layers·batch·n·d_model` bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    config: ModelConfig,
    hidden: Vec<HiddenCells>,
    words: Words,
    how: Inference,
    /// `[batch·n, d_model]` of each layer.
    rows: Vec<Vec<f32>>,
}

impl Kept {
    /// The words of the pass.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// The first layer that has to be computed for `how`, and the rows that enter it.
    fn first(&self, how: &Inference) -> (usize, &[f32]) {
        let layers = 0..self.config.layers;
        let changed = layers
            .clone()
            .find(|layer| of_layer(how, *layer) != of_layer(&self.how, *layer));
        let wanted = how.weights.iter().chain(&how.contexts);
        let wanted = wanted.map(|(layer, _)| *layer);
        let all = wanted.chain(how.hidden.iter().copied()).chain(changed);
        let first = all.fold(layers.end - 1, usize::min);
        (first, &self.rows[first])
    }
}

impl Model {
    /// What was kept of a pass without changes whose `rows` are given: `[batch·n, d_model]` that enter each layer.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] for rows of another number of layers or words.
    pub fn keep(&self, words: &Words, rows: Vec<Vec<f32>>) -> Result<Kept, Error> {
        let wanted = [
            self.config.layers,
            words.batch() * words.length() * self.config.d_model,
        ];
        let odd = rows.iter().map(Vec::len).find(|own| *own != wanted[1]);
        if rows.len() != wanted[0] || odd.is_some() {
            let found = [rows.len(), odd.unwrap_or(wanted[1])];
            return Err(Error::shape("rows", &found, &wanted, "layers, numbers"));
        }
        Ok(Kept {
            config: self.config,
            hidden: self.hidden.clone(),
            words: words.clone(),
            how: Inference::default(),
            rows,
        })
    }

    /// As [`infer`](Self::infer), with the rows that [`infer_again`](Self::infer_again) begins with.
    ///
    /// # Errors
    /// As [`infer`](Self::infer).
    pub fn infer_and_keep(
        &self,
        words: &Words,
        how: &Inference,
    ) -> Result<(Inferred, Kept), Error> {
        let mut all = how.clone();
        all.hidden.extend(0..self.config.layers);
        let mut found = self.infer(words, &all)?;
        let rows = found.hidden.split_off(how.hidden.len());
        let kept = Kept {
            config: self.config,
            hidden: self.hidden.clone(),
            words: words.clone(),
            how: how.changes(),
            rows,
        };
        Ok((found, kept))
    }

    /// What [`infer`](Self::infer) gives for the same words, bit for bit, from the first layer on that is changed in another way than in the
    /// pass that was kept, or that something is wanted of.
    ///
    /// # Errors
    /// As [`infer`](Self::infer); [`Code::NotApplicable`] where `kept` belongs to a model of another config or other hidden cells.
    pub fn infer_again(&self, how: &Inference, kept: &Kept) -> Result<Inferred, Error> {
        if (kept.config, &kept.hidden) != (self.config, &self.hidden) {
            let (found, rule) = (
                "another than that of the kept rows",
                "must be the model that they were computed with",
            );
            return Err(Error::new(Code::NotApplicable, "model", found, rule));
        }
        self.check_inference(&kept.words, how)?;
        Pass::new(self, &kept.words, how, None)
            .from(kept.first(how))
            .run()
    }
}

/// What is changed in a layer.
fn of_layer(how: &Inference, layer: usize) -> Inference {
    let mut own = how.changes();
    own.off.retain(|(of, _)| *of == layer);
    own.hide.retain(|cells| cells.layer == layer);
    own.patch.retain(|patch| patch.layer == layer);
    own
}
