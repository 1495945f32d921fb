//! Inference: the same steps as [`Model::forward`], saving nothing for gradients, up to the last result that is wanted.
//!
//! Linear maps are multiplied a block of outputs at a time, widened where the numbers are [stored](Model::stored), so that no more than 64 KiB
//! of them, or eight outputs, are held at once; of the embedding only the rows of the words are read. Products are [`kernels::multiply_lines`],
//! whose sums have another order than those of [`Model::forward`]: results differ from its by the rounding. A word's rows have the same bits
//! whatever other words are computed with it, so a pass over [kept keys and values](KeyValues) gives the bits of a pass over all words.

mod attention;
mod head;
mod inputs;
mod key_values;
mod pass;
mod product;

use ndarray::Array3;

use crate::layout::NormSlots;
use crate::part::norm;
use crate::step::{cap_logits, check_range};
use crate::{HiddenCells, Model, ModelConfig, Words};
use ::attention::{Code, Error};

pub use inputs::LayerInputs;
pub use key_values::KeyValues;
use pass::Pass;

/// Which logits are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WantedLogits {
    /// None.
    #[default]
    None,
    /// Those of the last word of each sequence.
    Last,
    /// Those of every word.
    All,
}

/// Which results a pass is to give, and what is changed in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inference {
    /// Heads whose weights are wanted, a layer and a head of it each.
    pub weights: Vec<(usize, usize)>,
    /// Where the residual path is wanted: `l` is what enters layer `l`; the number of layers stands for the rows after the last of them and the
    /// final norm, which logits are made of.
    pub hidden: Vec<usize>,
    /// Which logits are wanted.
    pub logits: WantedLogits,
    /// Heads that are switched off, a layer and a head of it each: `Σ_g C_g·W_O[g]` is taken over the others, as in
    /// [`Model::without_head`].
    pub off: Vec<(usize, usize)>,
    /// Cells that heads do not see, as in [`Model::with_hidden`], besides those of the model. They count from the beginning of the sequence.
    pub hide: Vec<HiddenCells>,
}

/// Results of a pass, in the order in which [`Inference`] asks for them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inferred {
    /// `[batch, n, keys]` of each head: a row for each word of the pass, a column for each word of the sequence.
    pub weights: Vec<Array3<f32>>,
    /// `[batch·n, d_model]` of each place.
    pub hidden: Vec<Vec<f32>>,
    /// `[batch·n, vocabulary]`, or `[batch, vocabulary]` of the last words.
    pub logits: Vec<f32>,
}

impl Model {
    /// Results of whole sequences.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] for a layer, a head or a cell that the model does not have, by the field of [`Inference`];
    /// [`Code::NotApplicable`] for logits of a model without; [`Code::NotFinite`] where numbers leave the range of 32 bits;
    /// [`Code::TooLarge`] for weights or logits that do not fit into memory.
    pub fn infer(&self, words: &Words, how: &Inference) -> Result<Inferred, Error> {
        self.check_inference(how)?;
        Pass::new(self, words, how, None).run()
    }

    /// Results of the words that come after those of `past`, which then holds them too. Only they are computed: the next word of a sequence
    /// costs one row. Nothing is kept of a pass that fails.
    ///
    /// # Errors
    /// As [`infer`](Self::infer); [`Code::NotApplicable`] where `past` belongs to a model of another config or to another
    /// [`Inference::off`] or [`Inference::hide`]; [`Code::ShapeMismatch`] for more than one sequence, or one that becomes longer than the
    /// model takes.
    pub fn infer_next(
        &self,
        words: &Words,
        how: &Inference,
        past: &mut KeyValues,
    ) -> Result<Inferred, Error> {
        self.check_inference(how)?;
        past.check(self, words, how)?;
        let length = past.length();
        let result = Pass::new(self, words, how, Some(past)).run();
        past.set_length(match result {
            Ok(_) => length + words.length(),
            Err(_) => length,
        });
        result
    }

    /// What rows of the residual path, `[rows, d_model]`, say of the next word: the logits `[rows, vocabulary]` that they give where the layers
    /// after them are left out (the "logit lens", nostalgebraist 2020).
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] for no whole number of rows; [`Code::NotApplicable`] for a model without logits; [`Code::NotFinite`] for
    /// numbers out of range; [`Code::TooLarge`].
    pub fn unembed(&self, rows: &[f32]) -> Result<Vec<f32>, Error> {
        self.check_rows(rows)?;
        let mut rows = rows.to_vec();
        if let Some(norm) = self.layout.norm {
            self.norm(&mut rows, norm);
        }
        self.logits(&rows)
    }

    /// Refuses rows that no logits are made of.
    fn check_rows(&self, rows: &[f32]) -> Result<(), Error> {
        let width = self.config.d_model;
        if !rows.len().is_multiple_of(width) {
            let rule = format!("must be whole rows of {width} (d_model)");
            return Err(Error::new(Code::ShapeMismatch, "rows", rows.len(), rule));
        }
        self.check_has_logits()?;
        check_range("rows", rows)
    }

    /// `X·U`, capped.
    fn logits(&self, x: &[f32]) -> Result<Vec<f32>, Error> {
        let ModelConfig {
            d_model,
            vocabulary,
            logit_cap,
            ..
        } = self.config;
        let (numbers, layout) = (&self.numbers, &self.layout);
        let mut logits = product::reserved("logits", &[x.len() / d_model, vocabulary])?;
        product::into(
            x,
            d_model,
            &mut logits,
            vocabulary,
            |which, out| match layout.unembedding {
                Some(map) => numbers.outputs(map, which, out),
                None => numbers.rows(layout.tokens, which, out),
            },
        );
        if let Some(cap) = logit_cap {
            cap_logits(&mut logits, cap);
        }
        check_range("logits", &logits)?;
        Ok(logits)
    }

    fn norm(&self, x: &mut [f32], slots: NormSlots) {
        let shift = slots.shift.map(|shift| self.numbers.vector(shift));
        let scale = self.numbers.vector(slots.scale);
        norm::apply(x, self.config.epsilon, &scale, shift.as_deref());
    }

    fn check_has_logits(&self) -> Result<(), Error> {
        if self.config.logits {
            return Ok(());
        }
        let rule = "the model ends without logits";
        Err(Error::new(Code::NotApplicable, "logits", "wanted", rule))
    }

    fn check_inference(&self, how: &Inference) -> Result<(), Error> {
        let named = |field: &str, error: Error| Error {
            field: field.to_owned(),
            ..error
        };
        for (field, heads) in [("weights", &how.weights), ("off", &how.off)] {
            let mut heads = heads.iter();
            let check = |(layer, head): &(usize, usize)| self.check_head(*layer, *head);
            heads
                .try_for_each(check)
                .map_err(|error| named(field, error))?;
        }
        let mut hidden = how.hide.iter();
        hidden
            .try_for_each(|cells| self.check_hidden(cells))
            .map_err(|error| named("hide", error))?;
        let layers = self.config.layers;
        if let Some(beyond) = how.hidden.iter().find(|layer| **layer > layers) {
            let rule = format!("must be at most {layers} (layers)");
            return Err(Error::new(Code::ShapeMismatch, "hidden", beyond, rule));
        }
        match how.logits {
            WantedLogits::None => Ok(()),
            WantedLogits::Last | WantedLogits::All => self.check_has_logits(),
        }
    }
}
