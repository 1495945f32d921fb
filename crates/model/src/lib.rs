//! Models: stacks of attention layers with all that stands between words and predictions.
//!
//! A [`ModelConfig`] says what a [`Model`] is made of; its numbers lie one after the other, tensor by tensor ([`TensorSpec`]). The steps
//! ([`ModelOperation`]) are followed downwards to compute logits and upwards to compute gradients; the attention of a layer is the
//! package's own executor. [`infer`] follows them without keeping anything, also for models whose numbers stay as they are
//! [stored](Model::stored), and [`attribute`] splits its scores and logits over what they are made of. [`Optimizer`] takes a step along the gradients. Everything is the same on every machine, bit by bit.
//!
//! | tensor | shape |
//! |---|---|
//! | residual path, branches | `[batch·n, d_model]` |
//! | logits | `[batch·n, vocabulary]` |
//!
//! Its tensors, `y = x·w + b` for a row `x`. Those of norms are `.scale` and, of layer norms, `.shift`; a model has those that its config
//! asks for:
//!
//! | name | shape |
//! |---|---|
//! | `tokens` | `[vocabulary, d_model]` |
//! | `positions` | `[first_position + length, d_model]` |
//! | `token_types` | `[token_types, d_model]` |
//! | `embedding_norm`, `norm` | `[d_model]` |
//! | `rotary_divisors` | `[rotary_columns/2]` |
//! | `layers.L.norm_1`, `.norm_1_after`, `.norm_2`, `.norm_2_after` | `[d_model]`: before and after attention and MLP |
//! | `layers.L.w_q`, `.b_q` | `[d_model, heads·d_k]`, `[heads·d_k]` |
//! | `layers.L.w_k`, `.w_v`, `.b_k`, `.b_v` | `[d_model, kv_heads·d_k]`, `[kv_heads·d_k]` |
//! | `layers.L.w_o`, `.b_o` | `[heads·d_k, d_model]`, `[d_model]` |
//! | `layers.L.q_norm`, `.k_norm` | `[d_k]` |
//! | `layers.L.w_up`, `.w_gate`, `.b_up`, `.b_gate` | `[d_model, mlp]`, `[mlp]` |
//! | `layers.L.w_down`, `.b_down` | `[mlp, d_model]`, `[d_model]` |
//! | `unembedding` | `[d_model, vocabulary]` |

#![deny(missing_docs)]

mod adam;
pub mod attribute;
pub mod behaviour;
mod config;
mod executor;
pub mod fit;
mod hidden;
pub mod infer;
mod init;
mod layout;
mod local;
mod numbers;
mod optimizer;
mod part;
mod pass;
mod plan;
pub mod reference;
mod refined_config;
mod sampling;
mod step;
pub mod task;
mod training;
mod words;

use std::sync::Arc;

use ndarray::ArrayD;

pub use config::{
    Activation, MOST_GIVEN, MOST_NUMBERS, ModelConfig, ModelPositions, Norm, NormPlace,
};
pub use hidden::HiddenCells;
pub use init::Init;
use layout::Layout;
pub use layout::{AttentionSlots, LinearSlots, MlpSlots, NormSlots, Slot, TableSlots, TensorSpec};
pub use local::{Local, LocalLayers};
pub use numbers::{Blocks, StoredNumbers};
pub use optimizer::{Optimizer, OptimizerKind, OptimizerOptions, StepReport, Update};
pub use part::cross_entropy::Score;
pub use pass::{Forward, Gradients, LayerGradients};
pub use plan::{ModelOperation, ModelStep};
pub use sampling::{Drawn, Sampler, likeliest};
pub use training::{Training, TrainingStep};
pub use words::{Examples, Words};

use numbers::Numbers;

use attention::check_finite;
use attention::{Code, Error, Layer};

/// A model: its config and its numbers.
#[derive(Debug, Clone)]
pub struct Model {
    config: ModelConfig,
    layout: Layout,
    numbers: Numbers,
    hidden: Vec<HiddenCells>,
}

impl Model {
    /// A model of given tensors; `tensor` is called with the name of each.
    ///
    /// # Errors
    /// As [`ModelConfig::check`]; [`Code::TooLarge`] beyond [`MOST_GIVEN`] or what the machine can hold; [`Code::MissingField`], [`Code::ShapeMismatch`] and
    /// [`Code::NotFinite`] for a tensor, as `tensors.layers.0.w_q`.
    pub fn from_tensors(
        config: ModelConfig,
        mut tensor: impl FnMut(&str) -> Option<ArrayD<f32>>,
    ) -> Result<Self, Error> {
        let layout = Layout::new(&config, MOST_GIVEN)?;
        let mut numbers = Vec::new();
        for spec in &layout.specs {
            let field = format!("tensors.{}", spec.name);
            let Some(found) = tensor(&spec.name) else {
                let rule = format!("the model needs it, {:?}", spec.shape);
                return Err(Error::missing(field, rule));
            };
            if found.shape() != spec.shape {
                return Err(Error::shape(
                    field,
                    found.shape(),
                    &spec.shape,
                    "by the config",
                ));
            }
            check_finite(&field, &found)?;
            numbers.try_reserve_exact(found.len()).map_err(|_| {
                let rule = "the model does not fit into memory";
                Error::new(Code::TooLarge, &field, found.len(), rule)
            })?;
            numbers.extend(found.iter());
        }
        Ok(Self::of(config, layout, Numbers::widened(numbers)))
    }

    /// A model of numbers that stay where they are: nothing of them is held here. It can [`infer`](Self::infer); what needs all numbers at
    /// once is refused.
    ///
    /// # Errors
    /// As [`ModelConfig::check`]; [`Code::TooLarge`] beyond [`MOST_GIVEN`].
    pub fn stored(config: ModelConfig, numbers: Arc<dyn StoredNumbers>) -> Result<Self, Error> {
        let layout = Layout::new(&config, MOST_GIVEN)?;
        Ok(Self::of(config, layout, Numbers::Stored(numbers)))
    }

    fn of(config: ModelConfig, layout: Layout, numbers: Numbers) -> Self {
        Self {
            config,
            layout,
            numbers,
            hidden: Vec::new(),
        }
    }

    /// A model of random numbers.
    ///
    /// # Errors
    /// As [`ModelConfig::check`] and [`Init::check`]; [`Code::TooLarge`] beyond [`MOST_NUMBERS`].
    pub fn random(config: ModelConfig, init: Init, seed: u32) -> Result<Self, Error> {
        init.check()?;
        let layout = Layout::new(&config, MOST_NUMBERS)?;
        let numbers = init.numbers(&layout.specs, seed);
        Ok(Self::of(config, layout, Numbers::widened(numbers)))
    }

    /// Returns the architecture.
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// Its tensors, in the order of its numbers.
    pub fn tensors(&self) -> &[TensorSpec] {
        &self.layout.specs
    }

    /// All its numbers; none where they are [stored](Self::stored).
    pub fn numbers(&self) -> &[f32] {
        match &self.numbers {
            Numbers::Widened(numbers) => numbers,
            Numbers::Stored(_) => &[],
        }
    }

    /// Whether its numbers are [stored](Self::stored).
    pub fn is_stored(&self) -> bool {
        matches!(self.numbers, Numbers::Stored(_))
    }

    /// The same stack with other numbers, in the order of [`numbers`](Self::numbers).
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] for another count of them, [`Code::NotFinite`].
    pub fn with_numbers(&self, numbers: &[f32]) -> Result<Self, Error> {
        if numbers.len() != self.layout.length {
            let wanted = [self.layout.length];
            return Err(Error::shape(
                "numbers",
                &[numbers.len()],
                &wanted,
                "all tensors",
            ));
        }
        check_finite("numbers", numbers)?;
        Ok(Self {
            numbers: Numbers::widened(numbers.to_vec()),
            ..self.clone()
        })
    }

    /// The model without one head: its rows of `W_O` are 0, so that `Σ_g C_g·W_O[g]` is taken over
    /// all others (Michel et al. 2019).
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] where the model has no such layer or head; [`Code::NotApplicable`] for one whose numbers are
    /// [stored](Self::stored): switch the head [off](infer::Inference::off).
    pub fn without_head(&self, layer: usize, head: usize) -> Result<Self, Error> {
        self.check_head(layer, head)?;
        let (slots, d_k) = (&self.layout.layers[layer], self.config.d_k);
        let mut numbers = self.numbers.all()?.to_vec();
        let w_o = slots.attention.output.w;
        let row = w_o.columns;
        w_o.of_mut(&mut numbers)[head * d_k * row..(head + 1) * d_k * row].fill(0.0);
        Ok(Self {
            numbers: Numbers::widened(numbers),
            ..self.clone()
        })
    }

    /// Its steps in order.
    pub fn operations(&self) -> impl Iterator<Item = ModelOperation> {
        self.steps().into_iter().map(|step| step.operation())
    }

    /// The attention of a layer by itself.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] where the model has no such layer; [`Code::NotApplicable`] for a model whose numbers are
    /// [stored](Self::stored).
    pub fn layer(&self, layer: usize) -> Result<Layer, Error> {
        let Some(slots) = self.layout.layers.get(layer) else {
            return Err(self.no_layer(layer));
        };
        part::attention::layer(&self.config, layer, slots.attention, self.numbers.all()?)
    }

    pub(crate) fn no_layer(&self, layer: usize) -> Error {
        let rule = format!("the model has {} layers", self.config.layers);
        Error::new(Code::ShapeMismatch, "layer", layer, rule)
    }
}
