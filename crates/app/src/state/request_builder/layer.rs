//! The layer of a state, and its cache key.

use std::sync::Arc;

use ndarray::Array1;

use super::{imported, position};
use crate::state::learned;
use crate::state::{ImportedData, Origin, PositionKind, ScoringKind, State};
use attention::text::{Sizes, teaching, xavier};
use attention::{Error, Layer, LayerOptions, Linear, Scoring, Weights};

/// Everything that a layer is made from: equal keys make equal layers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LayerKey {
    weights: WeightsKey,
    options: LayerOptions,
}

/// Everything that weights are made from.
#[derive(Clone, Debug, PartialEq)]
struct WeightsKey {
    /// Numbers that hold a layer.
    imported: Option<ImportedData>,
    drawn: Drawn,
    sizes: Sizes,
    /// Seed of `w_a`; `None` unless scores are additive.
    additive_seed: Option<u32>,
}

/// How the page makes weights.
#[derive(Clone, Debug, PartialEq)]
enum Drawn {
    Teaching { has_encoding: bool },
    Random { seed: u32 },
    Learned(engine::learned::LearnedKey),
}

impl LayerKey {
    /// # Errors
    /// As [`learned::key`].
    pub(super) fn new(state: &State) -> Result<Self, Error> {
        Ok(Self {
            weights: WeightsKey::new(state)?,
            options: options(state),
        })
    }

    /// Whether both layers have the same weights.
    pub(super) fn has_weights_of(&self, other: &Self) -> bool {
        self.weights == other.weights
    }

    /// The layer; `known` are its weights, where another layer has them.
    ///
    /// # Errors
    /// As [`Layer::new`].
    pub(super) fn layer(&self, known: Option<Weights>) -> Result<Arc<Layer>, Error> {
        let weights = match known {
            Some(weights) => weights,
            None => self.weights.weights()?,
        };
        Ok(Arc::new(Layer::new(weights, self.options)?))
    }
}

impl WeightsKey {
    fn new(state: &State) -> Result<Self, Error> {
        let has_layer = imported::layer(state.imported.as_ref()).is_some();
        Ok(Self {
            imported: state.imported.clone().filter(|_| has_layer),
            drawn: match state.origin {
                Origin::Teaching => Drawn::Teaching {
                    has_encoding: state.positions == PositionKind::Sinusoidal,
                },
                Origin::Random => Drawn::Random { seed: state.seed },
                Origin::Learned => Drawn::Learned(learned::key(state)?),
            },
            sizes: Sizes {
                d_model: state.d_model,
                d_k: state.d_k,
                heads: state.heads,
                kv_heads: state.kv_heads,
            },
            additive_seed: (state.scoring == ScoringKind::Additive).then_some(state.seed),
        })
    }

    fn weights(&self) -> Result<Weights, Error> {
        let additive = self
            .additive_seed
            .map(|seed| xavier::additive(self.sizes.d_k, seed));
        if let Some(imported) = imported::layer(self.imported.as_ref()) {
            return Ok(Weights {
                additive: additive.map(|own| imported.additive.clone().unwrap_or(own)),
                ..imported.clone()
            });
        }
        let made = match &self.drawn {
            Drawn::Teaching { has_encoding } => teaching::weights(self.sizes, *has_encoding),
            Drawn::Random { seed } => xavier::weights(self.sizes, *seed),
            Drawn::Learned(key) => engine::learned::layer(key)?.weights.clone(),
        };
        Ok(Weights { additive, ..made })
    }
}

/// The weights of every head, and `w_a` where scores are additive.
///
/// # Errors
/// As [`engine::learned::layer()`].
pub(crate) fn weights(state: &State) -> Result<Weights, Error> {
    WeightsKey::new(state)?.weights()
}

/// `w_a` of heads without a layer, where scores are additive.
pub(super) fn additive(state: &State) -> Option<Array1<f32>> {
    let is_additive = state.scoring == ScoringKind::Additive;
    is_additive.then(|| xavier::additive(state.d_k, state.seed))
}

/// The settings that stay with the weights.
pub(crate) fn options(state: &State) -> LayerOptions {
    let is_dot = state.scoring == ScoringKind::Dot;
    LayerOptions {
        heads: state.heads,
        kv_heads: Some(state.kv_heads),
        scoring: if is_dot {
            Scoring::Dot
        } else {
            Scoring::Additive
        },
        scale: (is_dot && !state.scaled).then_some(1.0),
        position: position(state),
    }
}

/// How many weights a layer has.
pub(super) fn length(weights: &Weights) -> usize {
    let of = |linear: &Linear| linear.w.len() + linear.b.as_ref().map_or(0, Array1::len);
    let projections = [&weights.query, &weights.key, &weights.value].map(of);
    projections.iter().sum::<usize>() + weights.output.as_ref().map_or(0, of)
}
