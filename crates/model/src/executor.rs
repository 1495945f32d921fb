//! What an executor elsewhere, such as a graphics card's, is told of a model: the steps, and where their numbers are.

use std::ops::Range;

use super::layout::{AttentionSlots, Slot, TableSlots};
use super::numbers::{Numbers, StoredNumbers};
use super::part::embedding;
use super::plan::{self, ModelStep};
use super::{Model, ModelPositions};
use attention::{Error, Mask};

impl Model {
    /// The steps in order, each with its numbers.
    pub fn steps(&self) -> Vec<ModelStep> {
        plan::steps(&self.config, &self.layout)
    }

    /// The numbers of a layer's attention; `None` where the model has no such layer.
    pub fn attention_slots(&self, layer: usize) -> Option<AttentionSlots> {
        self.layout.layers.get(layer).map(|slots| slots.attention)
    }

    /// Returns the tables.
    pub fn tables(&self) -> TableSlots {
        let layout = &self.layout;
        TableSlots {
            tokens: layout.tokens,
            positions: layout.positions,
            token_types: layout.token_types,
            unembedding: layout.unembedding,
        }
    }

    /// How many lines a tensor has for [`lines`](Self::lines), and how many numbers each: its rows, or its columns where it is a linear map of
    /// [stored](Self::stored) numbers.
    pub fn line_shape(&self, tensor: usize) -> [usize; 2] {
        let shape = &self.layout.specs[tensor].shape;
        let [rows, columns] = [
            if shape.len() > 1 { shape[0] } else { 1 },
            shape.last().copied().unwrap_or(0),
        ];
        if self.has_columns(tensor) {
            [columns, rows]
        } else {
            [rows, columns]
        }
    }

    /// Whether the lines of a tensor are its columns.
    pub fn has_columns(&self, tensor: usize) -> bool {
        let tables = self.tables();
        let tables = [Some(tables.tokens), tables.positions, tables.token_types];
        let is_table = tables.iter().flatten().any(|table| table.tensor == tensor);
        self.is_stored() && !is_table && self.layout.specs[tensor].shape.len() > 1
    }

    /// Writes lines of a tensor one after the other.
    pub fn lines(&self, tensor: usize, which: Range<usize>, out: &mut [f32]) {
        let [_, width] = self.line_shape(tensor);
        let slot = Slot::of_tensor(tensor, &self.layout.specs[tensor], width);
        self.numbers.rows(slot, which, out);
    }

    /// The numbers as they are stored, where they are.
    pub fn stored_numbers(&self) -> Option<&dyn StoredNumbers> {
        match &self.numbers {
            Numbers::Stored(numbers) => Some(&**numbers),
            Numbers::Widened(_) => None,
        }
    }

    /// The mask of a layer for sequences of `n` words.
    pub fn layer_mask(&self, layer: usize, n: usize) -> Mask {
        self.mask(layer, n)
    }

    /// The vectors that are added to those of `n` words by their places, `[n, d_model]`, where they are no numbers of the model.
    pub fn sinusoids(&self, n: usize) -> Option<Vec<f32>> {
        let is_sinusoidal = self.config.positions == ModelPositions::Sinusoidal;
        is_sinusoidal.then(|| embedding::places(0..n, &self.config, &self.layout, &self.numbers))
    }

    /// Refuses a model without logits.
    ///
    /// # Errors
    /// As [`score`](Self::score).
    pub fn check_loss(&self) -> Result<(), Error> {
        self.check_logits()
    }

    /// Refuses a model without logits, or one that cannot learn.
    ///
    /// # Errors
    /// As [`gradients`](Self::gradients).
    pub fn check_gradients(&self) -> Result<(), Error> {
        self.check_logits()?;
        self.numbers.all()?;
        self.check_learns()
    }
}
