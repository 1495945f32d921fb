//! One head of one sequence: `A = softmax(scale·Q·Kᵀ − penalty)` over the keys that are seen, `C = A·V`.

use std::ops::Range;

use kernels::{Packed, multiply, multiply_lines, softmax_range, softmax_rows};

use crate::ModelConfig;
use crate::hidden::own_range;

/// Rows of weights are filled up with zeros to a multiple of this, so that sums over keys have the same order whatever keys come later.
const KEYS: usize = 4;

/// A head with queries `[n, d_k]` of the words after the `passed` first, keys `[keys, d_k]` and [values](packed_values) of all words.
pub(super) struct Head<'a> {
    pub(super) config: &'a ModelConfig,
    pub(super) layer: usize,
    pub(super) head: usize,
    pub(super) passed: usize,
    pub(super) q: &'a [f32],
    pub(super) keys: &'a [f32],
    /// None where the head gives nothing but weights.
    pub(super) values: Option<&'a Packed>,
}

/// `A`.
pub(super) struct Weights {
    all: Vec<f32>,
    stride: usize,
    /// Keys of a row.
    pub(super) keys: usize,
}

impl Weights {
    /// `[keys]` of each query.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[f32]> {
        let rows = self.all.chunks_exact(self.stride.max(1));
        rows.map(|row| &row[..self.keys])
    }

    /// `C`, `[n, d_k]`.
    pub(super) fn context(&self, values: &Packed, d_k: usize) -> Vec<f32> {
        let rows = self.all.len().checked_div(self.stride).unwrap_or(0);
        let mut context = vec![0.0; rows * d_k];
        multiply(&self.all, values, &mut context);
        context
    }
}

impl Head<'_> {
    /// `A` of some queries, without the `hidden` cells.
    pub(super) fn weights(&self, queries: Range<usize>, hidden: &[(usize, usize)]) -> Weights {
        let d_k = self.config.d_k;
        let keys = self.keys.len() / d_k;
        let stride = keys.next_multiple_of(KEYS);
        let mut all = vec![0.0; queries.len() * stride];
        let q = &self.q[queries.start * d_k..queries.end * d_k];
        multiply_lines(q, self.keys, d_k, &mut all, stride, 0);
        for (at, row) in queries.zip(all.chunks_exact_mut(stride.max(1))) {
            let query = self.passed + at;
            let range = own_range(self.config, self.layer, query, keys);
            let of_query = hidden.iter().filter(|(own, _)| *own == query);
            let seen = Seen::new(range, of_query.map(|(_, key)| *key), stride);
            self.weigh(query, row, &seen);
        }
        Weights { all, stride, keys }
    }

    /// Turns the products of a query with all keys into weights.
    fn weigh(&self, query: usize, row: &mut [f32], seen: &Seen) {
        let scale = self.config.scale();
        let own = &mut row[seen.range.clone()];
        own.iter_mut().for_each(|score| *score *= scale);
        if let Some(cap) = self.config.score_cap.map(f64::from) {
            let capped = |score: f32| (cap * libm::tanh(f64::from(score) / cap)) as f32;
            own.iter_mut().for_each(|score| *score = capped(*score));
        }
        let position = self.config.position_in(self.layer);
        if position.has_penalty() {
            subtract(
                row,
                seen,
                query,
                position.penalty(self.head, self.config.heads),
            );
        }
        match &seen.cells {
            None => softmax_range(row, seen.range.clone(), 1.0),
            Some(cells) => softmax_rows(row, cells, row.len(), 1.0),
        }
    }
}

/// `V`, `[keys, d_k]`, with as many rows as weights have columns.
pub(super) fn packed_values(values: &[f32], d_k: usize) -> Packed {
    let mut values = values.to_vec();
    values.resize((values.len() / d_k).next_multiple_of(KEYS) * d_k, 0.0);
    Packed::from_rows(&values, d_k, 0, d_k)
}

/// The keys that a query sees.
struct Seen {
    /// Those that the model shows.
    range: Range<usize>,
    /// 1 for those that are seen, where some of the range are hidden.
    cells: Option<Vec<f32>>,
}

impl Seen {
    fn new(range: Range<usize>, hidden: impl Iterator<Item = usize>, stride: usize) -> Self {
        let mut cells = None;
        for key in hidden.filter(|key| range.contains(key)) {
            let cells = cells.get_or_insert_with(|| {
                let mut cells = vec![0.0; stride];
                cells[range.clone()].fill(1.0);
                cells
            });
            cells[key] = 0.0;
        }
        Self { range, cells }
    }

    fn has(&self, key: usize) -> bool {
        self.cells.as_ref().is_none_or(|cells| cells[key] > 0.0)
    }
}

/// Takes `penalty·|query − key|` off every score in 64 bit, and the largest that is left off all: differences are small again.
fn subtract(row: &mut [f32], seen: &Seen, query: usize, penalty: f64) {
    let less = |key: usize| f64::from(row[key]) - penalty * query.abs_diff(key) as f64;
    let wide: Vec<f64> = seen.range.clone().map(less).collect();
    let visible = seen
        .range
        .clone()
        .zip(&wide)
        .filter(|(key, _)| seen.has(*key));
    let most = visible.map(|(_, score)| *score).fold(f64::MIN, f64::max);
    for (score, wide) in row[seen.range.clone()].iter_mut().zip(wide) {
        *score = ((wide - most) as f32).clamp(f32::MIN, f32::MAX);
    }
}
