//! One head's weights together with the tokens and visibility of their rows and columns.

use super::entropy;

/// Relation between key positions and query positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Places {
    /// Self-attention: key `i` is the token of query `i`.
    Same,
    /// Cross-attention: keys are tokens of another text, in its own order.
    Other,
    /// Keys are mixtures of tokens, as in Linformer: they have no place and no word.
    None,
}

/// Which cells a mask lets be seen; made once for all heads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visible {
    keys: usize,
    cells: Vec<bool>,
    counts: Vec<usize>,
}

impl Visible {
    /// Asks `sees` for each cell (query, key).
    pub fn new(queries: usize, keys: usize, sees: impl Fn(usize, usize) -> bool) -> Self {
        let cells = (0..queries).flat_map(|query| (0..keys).map(move |key| (query, key)));
        let cells: Vec<bool> = cells.map(|(query, key)| sees(query, key)).collect();
        let count = |query| {
            let row = &cells[query * keys..(query + 1) * keys];
            row.iter().filter(|sees| **sees).count()
        };
        Self {
            keys,
            counts: (0..queries).map(count).collect(),
            cells,
        }
    }

    /// How many rows there are.
    pub fn queries(&self) -> usize {
        self.counts.len()
    }

    /// How many columns there are.
    pub fn keys(&self) -> usize {
        self.keys
    }

    /// Whether `query` sees `key`; `false` off the map.
    pub fn sees(&self, query: usize, key: usize) -> bool {
        key < self.keys
            && self
                .cells
                .get(query * self.keys + key)
                .copied()
                .unwrap_or(false)
    }

    /// How many keys `query` sees.
    pub fn count(&self, query: usize) -> usize {
        self.counts.get(query).copied().unwrap_or(0)
    }
}

/// The weights `A`, `[n, keys]`, of one head under a mask.
#[derive(Debug, Clone)]
pub struct Rows<'a> {
    weights: &'a [f32],
    visible: &'a Visible,
    totals: Vec<f64>,
    entropies: &'a [f64],
}

impl<'a> Rows<'a> {
    /// Takes weights in row-major order. There are as many rows as weights and mask both have.
    pub fn new(weights: &'a [f32], visible: &'a Visible) -> Self {
        let rows = weights.chunks_exact(visible.keys.max(1));
        let total = |row: &[f32]| row.iter().map(|weight| f64::from(*weight)).sum();
        Self {
            weights,
            visible,
            totals: rows.take(visible.counts.len()).map(total).collect(),
            entropies: &[],
        }
    }

    /// Takes the entropies of the rows from where they are known already.
    #[must_use]
    pub fn with_entropies(self, entropies: &'a [f64]) -> Self {
        Self { entropies, ..self }
    }

    /// How many rows there are.
    pub fn queries(&self) -> usize {
        self.totals.len()
    }

    /// The mask.
    pub fn visible(&self) -> &'a Visible {
        self.visible
    }

    /// The weights of one query; nothing for a row that there is not.
    pub fn row(&self, query: usize) -> &'a [f32] {
        let keys = self.visible.keys;
        self.weights
            .get(query * keys..(query + 1) * keys)
            .unwrap_or_default()
    }

    /// The sum of a row's weights: 1, or less where weights were hidden after the softmax, or 0 where nothing is visible.
    pub fn total(&self, query: usize) -> f64 {
        self.totals.get(query).copied().unwrap_or(0.0)
    }

    /// [`entropy`] of a row, in nats.
    pub fn entropy(&self, query: usize) -> f64 {
        let known = self.entropies.get(query).copied();
        known.unwrap_or_else(|| entropy(self.row(query)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_rows_as_weights_and_mask_have() {
        let visible = Visible::new(3, 2, |query, key| query != 1 && key <= query);
        assert_eq!([0, 1, 2, 3].map(|query| visible.count(query)), [1, 0, 2, 0]);
        assert!(
            visible.sees(2, 1) && !visible.sees(0, 1) && !visible.sees(2, 2) && !visible.sees(3, 0)
        );
        let weights = [1.0, 0.0, 0.0, 0.0, 0.5];
        let rows = Rows::new(&weights, &visible);
        assert_eq!(rows.queries(), 2);
        assert_eq!((rows.row(0), rows.row(2)), (&[1.0, 0.0][..], &[][..]));
        assert_eq!((rows.total(0), rows.total(1)), (1.0, 0.0));
        let none = Visible::new(4, 0, |_, _| true);
        assert_eq!(Rows::new(&[], &none).queries(), 0);
    }
}
