//! The tile of query rows that the executor works on; all quadratic results are made here.

use std::ops::Range;

use ndarray::{Array2, ArrayViewMut1, Zip, s};

use super::f64_scores::Large;
use super::kv_head::Values;
use super::matmul::contiguous_mut;
use super::visible::Visible;
use crate::plan::WeightRows;
use crate::{Bias, Places, Request, Rows, Sizes, kv_head_of};
use kernels::{
    Blocks, Packed, additive_scores, multiply, multiply_scaled, multiply_sparse, softmax_rows,
};

/// Rows `first .. first + rows` of one head of one batch entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tile {
    pub(super) batch: usize,
    pub(super) head: usize,
    pub(super) first: usize,
    pub(super) rows: usize,
}

impl Tile {
    pub(super) fn rows(self) -> Range<usize> {
        self.first..self.first + self.rows
    }

    pub(super) fn kv_head(self, sizes: &Sizes) -> usize {
        kv_head_of(self.head, sizes.heads, sizes.kv_heads)
    }
}

/// Reused buffers for one tile: scores (later weights), and which cells are visible.
pub(super) struct Scratch {
    pub(super) scores: Array2<f32>,
    /// The same scores in 64 bit, where any may be large; those that are not are what they are in 32.
    wide: Option<Array2<f64>>,
    /// The rows whose weights are made from `wide`.
    wide_rows: Vec<bool>,
    visible: Visible,
    /// The blocks that hold a visible cell, where `hides` says that there is a mask.
    blocks: Blocks,
    hides: Hides,
    /// Whether the softmax has to leave hidden cells out.
    is_masked: bool,
}

/// Work that a mask makes unnecessary; none without a mask.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hides {
    /// Scores of hidden cells take no part in the softmax.
    from_softmax: bool,
    /// Scores of hidden cells are not read.
    pub(super) scores: bool,
    /// Weights of hidden cells are 0.
    pub(super) weights: bool,
}

impl Hides {
    pub(super) fn for_request(request: &Request) -> Self {
        let (config, call) = (request.config(), request.call());
        let from_softmax = config.masked && !config.mask_after;
        Self {
            from_softmax,
            scores: from_softmax && !call.want.scores,
            weights: config.masked && call.masked_score.is_none(),
        }
    }
}

impl Scratch {
    pub(super) fn new() -> Self {
        Self {
            scores: Array2::zeros((0, 0)),
            wide: None,
            wide_rows: Vec::new(),
            visible: Visible::default(),
            blocks: Blocks::default(),
            hides: Hides::default(),
            is_masked: false,
        }
    }

    /// Gives the buffers the tile's shape and looks at its part of the mask. Scores are what the last tile has left.
    pub(super) fn start(&mut self, tile: Tile, request: &Request) {
        let keys = request.sizes().keys;
        self.is_masked = false;
        self.wide = None;
        if self.scores.dim() != (tile.rows, keys) {
            self.scores = Array2::zeros((tile.rows, keys));
        }
        self.hides = Hides::for_request(request);
        if request.config().masked {
            self.visible.fill(tile, keys, &request.call().mask);
        }
        if self.hides.scores || self.hides.weights {
            self.blocks.clear(tile.rows, keys);
            self.visible.insert_into(&mut self.blocks);
        }
    }

    /// `Q·Kᵀ·scale`, where it is read; `k` is the transpose.
    pub(super) fn dot_scores(&mut self, q: &[f32], k: &Packed, scale: f32) {
        let blocks = self.hides.scores.then_some(&self.blocks);
        let scores = contiguous_mut(self.scores.view_mut());
        multiply_scaled(q, k, scale, blocks, scores);
    }

    /// Finds the rows that have a large score among those that make their weights; whether any large score is read.
    pub(super) fn needs_wide(&mut self, large: &Large) -> bool {
        let rows = large.cells.outer_iter().enumerate().map(|(row, large)| {
            if self.hides.from_softmax {
                self.visible.any(row, large)
            } else {
                large.iter().any(|large| *large)
            }
        });
        self.wide_rows = rows.collect();
        if self.hides.scores {
            self.wide_rows.iter().any(|large| *large)
        } else {
            large.cells.iter().any(|large| *large)
        }
    }

    /// Takes scores that were computed in 64 bit, where they are large.
    pub(super) fn wide_scores(&mut self, mut scores: Array2<f64>, large: &Large) {
        if large.leaves_any {
            let cells = Zip::from(&mut scores).and(&large.cells).and(&self.scores);
            cells.for_each(|score, large, narrow| {
                if !large {
                    *score = f64::from(*narrow);
                }
            });
        }
        self.wide = Some(scores);
    }

    /// The keys whose scores some row reads.
    pub(super) fn read_keys(&self) -> Range<usize> {
        let rows = (0..self.scores.nrows()).map(|row| self.read_keys_of(row));
        let visible = rows.filter(|keys| !keys.is_empty());
        let union = |a: Range<usize>, b: Range<usize>| a.start.min(b.start)..a.end.max(b.end);
        visible.reduce(union).unwrap_or(0..0)
    }

    /// The same of one row; where it sees no range, all.
    pub(super) fn read_keys_of(&self, row: usize) -> Range<usize> {
        let ranges = self.visible.ranges().filter(|_| self.hides.scores);
        ranges.map_or(0..self.scores.ncols(), |ranges| ranges[row].clone())
    }

    pub(super) fn additive_scores(&mut self, q: &[f32], k: &[f32], w_a: &[f32]) {
        let blocks = self.hides.scores.then_some(&self.blocks);
        additive_scores(q, k, w_a, blocks, contiguous_mut(self.scores.view_mut()));
    }

    /// `S ← cap·tanh(S/cap)` where scores are read. Computed in 64 bit: an error of the tangent is `cap` times as large.
    pub(super) fn cap(&mut self, cap: f32) {
        let cap = f64::from(cap);
        let capped = |score: f64| cap * libm::tanh(score / cap);
        for row in 0..self.scores.nrows() {
            let keys = s![row, self.read_keys_of(row)];
            let mut scores = self.scores.slice_mut(keys);
            scores.mapv_inplace(|score| capped(f64::from(score)) as f32);
            if let Some(wide) = &mut self.wide {
                wide.slice_mut(keys).mapv_inplace(capped);
            }
        }
    }

    /// Takes `penalty · |i − j|` off every score that is read.
    pub(super) fn subtract_alibi(&mut self, tile: Tile, penalty: f64, places: &Places) {
        self.change_in_64_bits(tile, |query, keys, mut scores| {
            let query = places.query(tile.batch, query);
            for (score, key) in scores.iter_mut().zip(keys) {
                *score -= penalty * query.abs_diff(places.key(tile.batch, key)) as f64;
            }
        });
    }

    /// Adds a bias to every score that is read.
    pub(super) fn add_bias(&mut self, tile: Tile, bias: &Bias) {
        self.change_in_64_bits(tile, |query, keys, mut scores| {
            let bias = bias.row(tile.batch, tile.head, query);
            scores.zip_mut_with(&bias.slice(s![keys]), |score, bias| {
                *score += f64::from(*bias)
            });
        });
    }

    /// Changes the scores that are read row by row: of a query and the keys that it reads. In 64 bit, since what is left may be a small
    /// difference of large numbers.
    fn change_in_64_bits(
        &mut self,
        tile: Tile,
        change: impl Fn(usize, Range<usize>, ArrayViewMut1<f64>),
    ) {
        let mut wide = self.take_wide();
        for (row, mut scores) in wide.outer_iter_mut().enumerate() {
            let keys = self.read_keys_of(row);
            change(tile.first + row, keys.clone(), scores.slice_mut(s![keys]));
        }
        self.wide = Some(wide);
        self.wide_rows = vec![true; tile.rows];
    }

    /// The scores as they are: infinite where they lie beyond 32 bits. Only differences are clamped, which then make weights of 0.
    pub(super) fn copy_scores(&self, out: &mut Rows) {
        match &self.wide {
            Some(wide) => out.extend(wide.iter().map(|score| *score as f32)),
            None => out.extend_from_slice(self.numbers()),
        }
    }

    fn take_wide(&mut self) -> Array2<f64> {
        let wide = self.wide.take();
        wide.unwrap_or_else(|| self.scores.mapv(f64::from))
    }

    /// Lets the softmax leave hidden cells out, or writes `fill` over their scores and lets them take part.
    pub(super) fn mask(&mut self, fill: Option<f32>) {
        let Some(fill) = fill else {
            self.is_masked = true;
            return;
        };
        self.fill_hidden(fill);
        if let Some(wide) = &mut self.wide {
            for (row, scores) in wide.outer_iter_mut().enumerate() {
                self.visible.fill_hidden(row, scores, f64::from(fill));
            }
        }
    }

    /// Sets hidden weights to 0.
    pub(super) fn hide_weights(&mut self) {
        self.fill_hidden(0.0);
    }

    fn fill_hidden(&mut self, value: f32) {
        for (row, scores) in self.scores.outer_iter_mut().enumerate() {
            self.visible.fill_hidden(row, scores, value);
        }
    }

    /// The temperature divides the differences of scores: 32 bits are enough for both where they are enough for the scores.
    pub(super) fn softmax(&mut self, temperature: f32) {
        // Bounded, since 0 times infinity is no number.
        let inverse_temperature = (1.0 / temperature).min(f32::MAX);
        let rows = self.scores.nrows();
        let Some(wide) = self.wide.take() else {
            return self.softmax_of(0..rows, inverse_temperature);
        };
        self.narrow_to_differences(wide, f64::from(temperature));
        for row in 0..rows {
            let inverse_temperature = if self.wide_rows[row] {
                1.0
            } else {
                inverse_temperature
            };
            self.softmax_of(row..row + 1, inverse_temperature);
        }
    }

    fn softmax_of(&mut self, rows: Range<usize>, inverse_temperature: f32) {
        let keys = self.scores.ncols();
        let mut scores = self.scores.slice_mut(s![rows.clone(), ..]);
        let scores = contiguous_mut(scores.view_mut());
        if self.is_masked {
            self.visible.softmax(rows, scores, inverse_temperature);
        } else {
            softmax_rows(scores, &[], keys, inverse_temperature);
        }
    }

    /// Puts 64-bit scores, less the largest visible one of their row and divided by the temperature, in place of the
    /// 32-bit ones, in rows whose weights are made from them.
    fn narrow_to_differences(&mut self, wide: Array2<f64>, temperature: f64) {
        let rows = wide.outer_iter().zip(self.scores.outer_iter_mut());
        let ranges = self.visible.ranges().filter(|_| self.is_masked);
        for (row, (wide, mut scores)) in rows.enumerate().filter(|(row, _)| self.wide_rows[*row]) {
            let keys = ranges.map_or(0..wide.len(), |ranges| ranges[row].clone());
            let max = if self.is_masked {
                self.visible.largest(row, wide)
            } else {
                wide.fold(f64::MIN, |max, score| max.max(*score))
            };
            let keys = s![keys];
            let mut scores = scores.slice_mut(keys);
            scores.zip_mut_with(&wide.slice(keys), |score, wide| {
                *score = to_f32((wide - max) / temperature)
            });
        }
    }

    /// `out = weights·v`.
    pub(super) fn weighted_sum(&self, v: &Values, out: &mut [f32]) {
        let weights = self.numbers();
        // A weight of 0 takes no part, unless its value is infinite: the run is refused then, wherever the value stands.
        if self.hides.weights && v.are_finite {
            multiply_sparse(weights, &self.blocks, &v.packed, out);
        } else {
            multiply(weights, &v.packed, out);
        }
    }

    /// The finished weights of `tile`.
    pub(super) fn weight_rows(&self, tile: Tile) -> WeightRows<'_> {
        let ranges = self.visible.ranges().filter(|_| self.hides.weights);
        WeightRows {
            batch: tile.batch,
            head: tile.head,
            first: tile.first,
            rows: tile.rows,
            weights: self.numbers(),
            supports: ranges.unwrap_or_default(),
        }
    }

    /// The tile's scores or weights.
    fn numbers(&self) -> &[f32] {
        self.scores.as_slice().unwrap_or_default()
    }
}

/// The nearest 32-bit number, finite even where the 64-bit one lies beyond their range.
fn to_f32(wide: f64) -> f32 {
    (wide as f32).clamp(f32::MIN, f32::MAX)
}
