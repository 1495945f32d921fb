//! Inference: the same steps as [`Model::forward`], saving nothing for gradients, up to the last result that is wanted.
//!
//! Linear maps are multiplied a block of outputs at a time, widened where the numbers are [stored](Model::stored), so that no more than 64 KiB
//! of them, or eight outputs, are held at once; of the embedding only the rows of the words are read. Products are [`kernels::multiply_lines`],
//! whose sums have another order than those of [`Model::forward`]: results differ from its by the rounding. A word's rows have the same bits
//! whatever other words are computed with it, so a pass over [kept keys and values](KeyValues) gives the bits of a pass over all words.

mod attention;
mod check;
mod head;
mod inputs;
mod key_values;
mod pass;
mod patch;
pub(crate) mod product;
mod resume;

use ndarray::Array3;

use crate::layout::{NormSlots, Slot};
use crate::part::{linear, mlp, norm};
use crate::step::{cap_logits, check_range};
use crate::{HiddenCells, Model, ModelConfig, Words};
use ::attention::{Code, Error};

pub use inputs::LayerInputs;
pub use key_values::KeyValues;
pub(crate) use pass::Pass;
pub use patch::Patch;
pub use resume::Kept;

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
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inference {
    /// Heads whose weights are wanted, a layer and a head of it each.
    pub weights: Vec<(usize, usize)>,
    /// Heads whose outputs `C = A·V` are wanted, likewise.
    pub contexts: Vec<(usize, usize)>,
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
    /// Heads whose outputs are taken from elsewhere; not from those that are off.
    pub patch: Vec<Patch>,
}

/// Results of a pass, in the order in which [`Inference`] asks for them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inferred {
    /// `[batch, n, keys]` of each head: a row for each word of the pass, a column for each word of the sequence.
    pub weights: Vec<Array3<f32>>,
    /// `[batch·n, d_k]` of each head, after it was switched off or patched.
    pub contexts: Vec<Vec<f32>>,
    /// `[batch·n, d_model]` of each place.
    pub hidden: Vec<Vec<f32>>,
    /// `[batch·n, vocabulary]`, or `[batch, vocabulary]` of the last words.
    pub logits: Vec<f32>,
}

impl Model {
    /// Results of whole sequences.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] for a layer, a head or a cell that the model does not have, or a patch of another shape, by the field of
    /// [`Inference`]; [`Code::NotApplicable`] for logits of a model without, and for a patch of a head that is off; [`Code::NotFinite`]
    /// where numbers of a patch are not, or others leave the range of 32 bits; [`Code::TooLarge`] for weights or logits that do not fit into memory.
    pub fn infer(&self, words: &Words, how: &Inference) -> Result<Inferred, Error> {
        self.check_inference(words, how)?;
        Pass::new(self, words, how, None).run()
    }

    /// Results of the words that come after those of `past`, which then holds them too. Only they are computed: the next word of a sequence
    /// costs one row. Nothing is kept of a pass that fails.
    ///
    /// # Errors
    /// As [`infer`](Self::infer); [`Code::NotApplicable`] for patches, and where `past` belongs to a model of another config or to another
    /// [`Inference::off`] or [`Inference::hide`]; [`Code::ShapeMismatch`] for more than one sequence, or one that becomes longer than the
    /// model takes.
    pub fn infer_next(
        &self,
        words: &Words,
        how: &Inference,
        past: &mut KeyValues,
    ) -> Result<Inferred, Error> {
        self.check_inference(words, how)?;
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

    /// `X·U`, capped, after the head for masked words where there is one.
    fn logits(&self, x: &[f32]) -> Result<Vec<f32>, Error> {
        let Some(head) = self.layout.masked_head else {
            return self.capped_logits(x, None);
        };
        let mapped = product::linear(x, head.map, &self.numbers);
        let mut rows = mlp::hidden(&mapped, None, self.config.activation);
        if let Some(norm) = head.norm {
            self.norm(&mut rows, norm);
        }
        self.capped_logits(&rows, Some(head.bias))
    }

    /// `X·U + b`, capped.
    fn capped_logits(&self, x: &[f32], bias: Option<Slot>) -> Result<Vec<f32>, Error> {
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
        if let Some(bias) = bias {
            linear::add_to_rows(&mut logits, &numbers.vector(bias));
        }
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
}
