//! What a single layer makes of the rows that enter it.

use ndarray::Array3;

use super::Inference;
use super::pass::Pass;
use crate::plan::{ModelStep, steps};
use crate::step::{Paths, check_range, enter};
use crate::{Model, Words};
use attention::{Code, Error};

/// Queries, keys and values of a layer as they meet: biased, normalized and rotated where the model does that.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerInputs {
    /// `[heads, n, d_k]`, times `scale·√d_k`, so that `q·k/√d_k` is the score whatever the model scales by.
    pub q: Array3<f32>,
    /// `[kv_heads, n, d_k]`.
    pub k: Array3<f32>,
    /// `[kv_heads, n, d_k]`.
    pub v: Array3<f32>,
}

impl Model {
    /// Those of one sequence, from the `rows` `[n, d_model]` that enter the layer on the residual path ([`Inference::hidden`]).
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] where the model has no such layer, for more than one sequence, and where there are not as many rows as words;
    /// [`Code::NotFinite`] for numbers out of range.
    pub fn layer_inputs(
        &self,
        words: &Words,
        layer: usize,
        rows: &[f32],
    ) -> Result<LayerInputs, Error> {
        let Some(slots) = self.layout.layers.get(layer) else {
            return Err(self.no_layer(layer));
        };
        let wanted = [words.length(), self.config.d_model];
        if words.batch() != 1 || rows.len() != wanted[0] * wanted[1] {
            return Err(Error::shape("rows", &[rows.len()], &wanted, "n, d_model"));
        }
        let how = Inference::default();
        let pass = Pass::new(self, words, &how, None);
        let mut paths = Paths::entering(rows.to_vec());
        if let Some(step) = self.step_before(layer) {
            pass.step(step, &mut paths);
        }
        let x = enter(layer, &mut paths)?;
        let [mut q, k, v] = pass.projections(layer, slots.attention, &x, true);
        let d_k = self.config.d_k;
        let factor = (f64::from(self.config.scale()) * (d_k as f64).sqrt()) as f32;
        q.iter_mut().for_each(|own| *own *= factor);
        let by_heads = |name, rows: Vec<f32>| {
            check_range(name, &rows)?;
            let shape = (words.length(), rows.len() / wanted[0].max(1) / d_k, d_k);
            let rows = Array3::from_shape_vec(shape, rows).map_err(|error| {
                let rule = "must be n, heads, d_k";
                Error::new(Code::ShapeMismatch, name, error, rule)
            })?;
            Ok(rows
                .permuted_axes([1, 0, 2])
                .as_standard_layout()
                .into_owned())
        };
        Ok(LayerInputs {
            q: by_heads("q", q)?,
            k: by_heads("k", k)?,
            v: by_heads("v", v)?,
        })
    }

    /// What rows `[rows, d_model]` say that have left the last layer and the final norm: their logits, `[rows, vocabulary]`.
    ///
    /// # Errors
    /// As [`unembed`](Self::unembed).
    pub fn logits_of(&self, rows: &[f32]) -> Result<Vec<f32>, Error> {
        self.check_rows(rows)?;
        self.logits(rows)
    }

    /// What leads from the residual path into the attention of a layer.
    fn step_before(&self, layer: usize) -> Option<ModelStep> {
        let steps = steps(&self.config, &self.layout);
        let is_own = |step: &ModelStep| matches!(step, ModelStep::Attention(own) if *own == layer);
        let at = steps.iter().position(is_own)?;
        steps.get(at.checked_sub(1)?).copied()
    }
}
