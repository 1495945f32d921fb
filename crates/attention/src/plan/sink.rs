//! Receives finished rows of weights.

use std::ops::Range;

/// Receives the rows of weights as they are finished, those of each head in order: measures need no `n × m` matrix, and weights can
/// be kept where they are read.
pub trait RowSink {
    /// Takes the rows of a tile.
    fn take(&mut self, rows: WeightRows<'_>);
}

/// Finished rows of weights of one head.
#[derive(Debug, Clone, Copy)]
pub struct WeightRows<'a> {
    /// The batch entry.
    pub batch: usize,
    /// The query head.
    pub head: usize,
    /// The query of the first row.
    pub first: usize,
    /// How many rows there are.
    pub rows: usize,
    /// `[rows, keys]`.
    pub weights: &'a [f32],
    /// For each row the keys outside which all weights are 0; empty where that is not known.
    pub supports: &'a [Range<usize>],
}

/// One row of weights.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightRow<'a> {
    /// The batch entry.
    pub batch: usize,
    /// The query head.
    pub head: usize,
    /// The query.
    pub query: usize,
    /// `[keys]`.
    pub weights: &'a [f32],
    /// Outside of these keys all weights are 0.
    pub support: Range<usize>,
}

impl<'a> WeightRows<'a> {
    /// The length of a row.
    pub fn keys(&self) -> usize {
        self.weights.len().checked_div(self.rows).unwrap_or(0)
    }

    /// Each row.
    pub fn iter(self) -> impl Iterator<Item = WeightRow<'a>> {
        let keys = self.keys();
        (0..self.rows).map(move |at| WeightRow {
            batch: self.batch,
            head: self.head,
            query: self.first + at,
            weights: &self.weights[at * keys..][..keys],
            support: self.supports.get(at).cloned().unwrap_or(0..keys),
        })
    }
}
