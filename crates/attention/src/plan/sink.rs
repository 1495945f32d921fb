//! Receives finished rows of weights.

/// Receives each finished row of weights, so that measures need no `n × m` matrix.
pub trait RowSink {
    /// `weights` (`[keys]`) of query row `query` of head `head` in batch entry `batch`.
    fn row(&mut self, batch: usize, head: usize, query: usize, weights: &[f32]);
}
