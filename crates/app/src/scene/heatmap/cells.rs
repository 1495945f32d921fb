//! Weights and hidden cells of one head, and the codes of its blocks.

use std::ops::Range;

use super::{Axis, HIDDEN, PoolBy, Scale, Style};
use crate::state::ColourScale;

/// Which cells of a map are hidden: one bit per cell, made once per mask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    queries: usize,
    keys: usize,
    /// `words` 64-bit words per query, bit `k % 64` of word `k / 64` for key `k`.
    bits: Vec<u64>,
    words: usize,
    /// Whether each query sees nothing at all.
    empty: Vec<bool>,
}

impl Hidden {
    /// Nothing hidden among `queries × keys` cells.
    pub fn none(queries: usize, keys: usize) -> Self {
        let words = keys.div_ceil(64);
        Self {
            queries,
            keys,
            bits: vec![0; queries * words],
            words,
            empty: vec![false; queries],
        }
    }

    /// The cells `(query, key)` for which `is_hidden` says so. Note the polarity: masks usually say what is visible.
    pub fn new(queries: usize, keys: usize, is_hidden: impl Fn(usize, usize) -> bool) -> Self {
        let words = keys.div_ceil(64);
        let word = |query, word: usize| {
            let bit = |key| u64::from(is_hidden(query, key)) << (key % 64);
            (64 * word..keys.min(64 * word + 64)).fold(0, |bits, key| bits | bit(key))
        };
        let bits: Vec<u64> = (0..queries)
            .flat_map(|query| (0..words).map(move |w| (query, w)))
            .map(|(q, w)| word(q, w))
            .collect();
        let is_empty = |row: &[u64]| {
            row.iter()
                .map(|word| word.count_ones() as usize)
                .sum::<usize>()
                == keys
        };
        let empty = if words == 0 {
            vec![false; queries]
        } else {
            bits.chunks_exact(words).map(is_empty).collect()
        };
        Self {
            queries,
            keys,
            bits,
            words,
            empty,
        }
    }

    /// Whether cell `(query, key)` is hidden; cells outside are not.
    pub fn is_hidden(&self, query: usize, key: usize) -> bool {
        query < self.queries
            && key < self.keys
            && self.bits[query * self.words + key / 64] >> (key % 64) & 1 == 1
    }

    /// Whether `query` sees no key at all. A map without keys has no such query.
    pub fn is_row_empty(&self, query: usize) -> bool {
        self.empty.get(query).copied().unwrap_or(false)
    }

    /// The queries that see no key at all, in order.
    pub fn empty_rows(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.queries).filter(|&query| self.empty[query])
    }

    /// Whether a query that sees some keys does not see others.
    pub fn hides_some(&self) -> bool {
        let some = |query: usize| self.row(query).iter().any(|word| *word != 0);
        (0..self.queries).any(|query| !self.empty[query] && some(query))
    }

    /// Number of hidden cells.
    pub fn count(&self) -> usize {
        self.bits
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Number of keys that `query`, a row of the map, sees.
    pub fn visible_in(&self, query: usize) -> usize {
        let hidden = self.row(query).iter().map(|word| word.count_ones());
        self.keys - hidden.sum::<u32>() as usize
    }

    /// The words of one query's bits.
    fn row(&self, query: usize) -> &[u64] {
        &self.bits[query * self.words..(query + 1) * self.words]
    }
}

/// A slice that does not have the size the map needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("weights: {found} values, but {queries} queries × {keys} keys are to be drawn")]
pub struct GridError {
    /// Values given.
    pub found: usize,
    /// Query rows wanted.
    pub queries: usize,
    /// Key columns wanted.
    pub keys: usize,
}

/// The numbers of a map, such as the weights of one head, `[queries, keys]` row by row, and which of them are hidden.
///
/// Any matrix can be drawn so, with numbers of any sign: its rows and columns are then called queries and keys here.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    weights: &'a [f32],
    hidden: &'a Hidden,
}

impl<'a> Grid<'a> {
    /// Weights as large as `hidden`.
    ///
    /// # Errors
    /// [`GridError`] when `weights` does not hold exactly `queries · keys` values.
    pub fn new(weights: &'a [f32], hidden: &'a Hidden) -> Result<Self, GridError> {
        let (queries, keys) = (hidden.queries, hidden.keys);
        if queries.checked_mul(keys) != Some(weights.len()) {
            return Err(GridError {
                found: weights.len(),
                queries,
                keys,
            });
        }
        Ok(Self { weights, hidden })
    }

    /// Number of query rows.
    pub const fn queries(&self) -> usize {
        self.hidden.queries
    }

    /// Number of key columns.
    pub const fn keys(&self) -> usize {
        self.hidden.keys
    }

    /// Which cells are hidden.
    pub const fn hidden(&self) -> &'a Hidden {
        self.hidden
    }

    /// Weight of cell `(query, key)`; `None` outside the map.
    pub fn weight(&self, query: usize, key: usize) -> Option<f32> {
        (key < self.keys()).then(|| {
            self.weights
                .get(query.checked_mul(self.keys())?.checked_add(key)?)
                .copied()
        })?
    }

    /// Factor applied to the weights of `query` before `scale` maps them: its number of visible
    /// keys on a scale relative to an even row, whose weights are `1 / visible`; otherwise 1.
    pub fn factor(&self, scale: &Scale, query: usize) -> f32 {
        if scale.kind() == ColourScale::Even {
            self.hidden.visible_in(query) as f32
        } else {
            1.0
        }
    }

    /// The weights of one query.
    fn row(&self, query: usize) -> &'a [f32] {
        &self.weights[query * self.keys()..(query + 1) * self.keys()]
    }
}

/// Largest value or sum over the visible cells of a block, and their number.
#[derive(Clone, Copy, Default)]
pub(super) struct Pool {
    value: f32,
    visible: u32,
}

/// Writes the code of each block in one row of blocks: an entry of the colour table, or [`HIDDEN`].
///
/// `queries` are the rows in the block row; `pool` is scratch space.
pub(super) fn codes(
    grid: &Grid<'_>,
    queries: Range<usize>,
    columns: &Axis,
    style: &Style<'_>,
    pool: &mut Vec<Pool>,
    codes: &mut [u16],
) {
    codes.fill(HIDDEN);
    let queries = queries.start..queries.end.min(grid.queries());
    let keys = columns.range();
    let keys = keys.start.min(grid.keys())..keys.end.min(grid.keys());
    if queries.len() == 1 && columns.pool() == 1 {
        return single_row(grid, (queries.start, keys), style, codes);
    }
    pool.clear();
    pool.resize(codes.len(), Pool::default());
    for query in queries {
        add_row(grid, (query, keys.clone()), columns.pool(), style, pool);
    }
    for (code, pool) in codes.iter_mut().zip(pool) {
        let share = if style.pool_by == PoolBy::Mean {
            pool.visible.max(1) as f32
        } else {
            1.0
        };
        if pool.visible > 0 {
            *code = u16::from(style.scale.index(pool.value / share));
        }
    }
}

/// The codes of the `keys` of one query, one cell per block.
fn single_row(
    grid: &Grid<'_>,
    (query, keys): (usize, Range<usize>),
    style: &Style<'_>,
    codes: &mut [u16],
) {
    let factor = grid.factor(style.scale, query);
    let first = keys.start;
    for (code, &weight) in codes.iter_mut().zip(&grid.row(query)[keys]) {
        *code = u16::from(style.scale.index(weight * factor));
    }
    for (at, word) in grid.hidden.row(query).iter().enumerate() {
        let mut left = *word;
        while left != 0 {
            let key = 64 * at + left.trailing_zeros() as usize;
            let code = key.checked_sub(first).and_then(|at| codes.get_mut(at));
            if let Some(code) = code {
                *code = HIDDEN;
            }
            left &= left - 1;
        }
    }
}

/// Adds the visible ones among the `keys` of one query to the blocks they belong to, `size` keys per block.
fn add_row(
    grid: &Grid<'_>,
    (query, keys): (usize, Range<usize>),
    size: usize,
    style: &Style<'_>,
    pool: &mut [Pool],
) {
    let (hidden, factor) = (grid.hidden.row(query), grid.factor(style.scale, query));
    let first = keys.start;
    for (block, (pool, weights)) in pool
        .iter_mut()
        .zip(grid.row(query)[keys].chunks(size))
        .enumerate()
    {
        for (key, &weight) in (first + block * size..).zip(weights) {
            if hidden[key / 64] >> (key % 64) & 1 == 1 {
                continue;
            }
            pool.visible += 1;
            let weight = weight * factor;
            pool.value = match style.pool_by {
                PoolBy::Max => pool.value.max(weight),
                PoolBy::Mean => pool.value + weight,
                PoolBy::Peak if weight.abs() > pool.value.abs() => weight,
                PoolBy::Peak => pool.value,
            };
        }
    }
}
