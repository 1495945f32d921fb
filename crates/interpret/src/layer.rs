//! Queries, keys and values of a layer for a text.

use model::infer::LayerInputs;
use ndarray::Array3;

use crate::{Interpreter, Token};
use attention::Error;

/// What meets in the heads of a layer.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerOfText {
    /// The text's tokens.
    pub tokens: Vec<Token>,
    /// Queries, keys and values.
    pub inputs: LayerInputs,
    /// How far back a query sees, where that is limited.
    pub window: Option<usize>,
    /// `[heads, n, n]`, in a model that caps its scores, of which queries and keys alone give other weights.
    pub weights: Option<Array3<f32>>,
}

impl Interpreter {
    /// The queries, keys and values of a layer.
    ///
    /// # Errors
    /// As [`read`](Self::read) and [`Model::layer_inputs`](model::Model::layer_inputs).
    pub fn layer(&mut self, text: &str, layer: usize) -> Result<LayerOfText, Error> {
        let config = *self.model.config();
        self.pass(text)?;
        let Some(pass) = self.pass.as_ref().filter(|_| layer < config.layers) else {
            let rule = format!("the model has {} layers", config.layers);
            return Err(Error::new(
                attention::Code::ShapeMismatch,
                "layer",
                layer,
                rule,
            ));
        };
        let local = config.local.filter(|_| config.is_local(layer));
        Ok(LayerOfText {
            tokens: pass.tokens().to_vec(),
            inputs: self
                .model
                .layer_inputs(pass.words(), layer, pass.hidden(layer))?,
            window: local.map(|local| local.window),
            weights: config.score_cap.and_then(|_| {
                let n = pass.words().length();
                let heads = layer * config.heads..(layer + 1) * config.heads;
                let maps = heads
                    .map(|head| pass.map(head))
                    .collect::<Vec<_>>()
                    .concat();
                Array3::from_shape_vec((config.heads, n, n), maps).ok()
            }),
        })
    }
}
