//! Forward pass of a model on one sequence.

use attention::Error;
use model::{Forward, Model, Words};

/// Forward pass of a model on one sequence.
pub struct Reading {
    /// The words of the sequence, as numbers.
    pub words: Vec<usize>,
    heads: usize,
    forward: Forward,
}

impl Reading {
    /// Runs `model` on `words`.
    ///
    /// # Errors
    /// As [`Words::new`] and [`Model::forward`].
    pub fn new(model: &Model, words: Vec<usize>) -> Result<Self, Error> {
        let checked = Words::new(model.config(), std::slice::from_ref(&words))?;
        Ok(Self {
            forward: model.forward(&checked)?,
            heads: model.config().heads,
            words,
        })
    }

    /// Attention weights of a head, row by row; heads count on through the layers.
    pub fn weights(&self, head: usize) -> &[f32] {
        let cells = self.words.len().pow(2);
        let layer = self.forward.weights().nth(head / self.heads);
        let all = layer.and_then(|weights| weights.as_slice());
        let first = head % self.heads * cells;
        all.and_then(|all| all.get(first..first + cells))
            .unwrap_or_default()
    }

    /// The rows that enter a layer's attention, `[n, d_model]`.
    pub fn inputs(&self, layer: usize) -> &[f32] {
        self.forward.inputs().nth(layer).unwrap_or_default()
    }

    /// The residual path beside a layer's attention, `[n, d_model]`.
    pub fn residual(&self, layer: usize) -> &[f32] {
        self.forward.residual().nth(layer).unwrap_or_default()
    }

    /// The weights of a head in one row.
    pub fn row(&self, head: usize, row: usize) -> &[f32] {
        let n = self.words.len();
        self.weights(head)
            .get(row * n..(row + 1) * n)
            .unwrap_or_default()
    }

    /// Predictions at a row: words with their probabilities (softmax of the logits), the likeliest
    /// first.
    pub fn prediction(&self, row: usize) -> Vec<(usize, f64)> {
        let logits = self.forward.logits();
        let vocabulary = logits.len() / self.words.len().max(1);
        let logits = logits
            .get(row * vocabulary..(row + 1) * vocabulary)
            .unwrap_or_default();
        let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let shares: Vec<f64> = logits
            .iter()
            .map(|l| libm::exp(f64::from(l - largest)))
            .collect();
        let sum: f64 = shares.iter().sum();
        let mut words: Vec<_> = shares
            .into_iter()
            .map(|share| share / sum)
            .enumerate()
            .collect();
        attention::sort::sort(&mut words, |a, b| b.1.total_cmp(&a.1));
        words
    }
}
