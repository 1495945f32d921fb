//! The tile of query rows that the executor works on; all quadratic results are made here.

use ndarray::{Array2, ArrayView2, ArrayViewMut2, s};

use super::score;
use crate::{CellIndex, Mask};
use kernels::softmax_rows;

/// Rows `first .. first + rows` of one head of one batch entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tile {
    pub(super) batch: usize,
    pub(super) head: usize,
    pub(super) first: usize,
    pub(super) rows: usize,
}

/// Reused buffers for one tile: scores (later weights), and which cells are visible.
pub(super) struct Scratch {
    pub(super) scores: Array2<f32>,
    /// The same scores in 64 bit, where they may be large.
    wide: Option<Array2<f64>>,
    visible: Vec<f32>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        Self {
            scores: Array2::zeros((0, 0)),
            wide: None,
            visible: Vec::new(),
        }
    }

    /// Empties the buffers and gives them the tile's shape.
    pub(super) fn start(&mut self, rows: usize, keys: usize) {
        self.visible.clear();
        self.wide = None;
        if self.scores.dim() != (rows, keys) {
            self.scores = Array2::zeros((rows, keys));
        }
    }

    pub(super) fn dot_scores(&mut self, q: ArrayView2<f32>, k: ArrayView2<f32>) {
        score::dot(q, k, self.scores.view_mut());
    }

    /// Takes scores that were computed in 64 bit.
    pub(super) fn wide_scores(&mut self, scores: Array2<f64>) {
        self.scores
            .zip_mut_with(&scores, |score, wide| *score = to_f32(*wide));
        self.wide = Some(scores);
    }

    pub(super) fn additive_scores(&mut self, q: ArrayView2<f32>, k: ArrayView2<f32>, w_a: &[f32]) {
        score::additive(q, k, w_a, self.scores.view_mut());
    }

    pub(super) fn scale(&mut self, scale: f32) {
        match self.wide.take() {
            None => self.scores.mapv_inplace(|score| score * scale),
            Some(wide) => self.wide_scores(wide * f64::from(scale)),
        }
    }

    /// Takes `penalty · |i − j|` off every score, in 64 bit: what is left may be a small difference of large numbers.
    pub(super) fn subtract_alibi(&mut self, tile: Tile, penalty: f64) {
        let mut wide = self.take_wide();
        for ((row, key), score) in wide.indexed_iter_mut() {
            *score -= penalty * (tile.first + row).abs_diff(key) as f64;
        }
        self.wide_scores(wide);
    }

    /// The scores as they are: infinite where they lie beyond 32 bits. Only differences are clamped, which then make weights of 0.
    pub(super) fn copy_scores(&self, mut out: ArrayViewMut2<f32>) {
        match &self.wide {
            Some(wide) => out.zip_mut_with(wide, |score, wide| *score = *wide as f32),
            None => out.assign(&self.scores),
        }
    }

    fn take_wide(&mut self) -> Array2<f64> {
        let wide = self.wide.take();
        wide.unwrap_or_else(|| self.scores.mapv(f64::from))
    }

    /// Marks hidden cells, or writes `fill` over their scores and lets them take part.
    pub(super) fn mask(&mut self, tile: Tile, mask: &Mask, fill: Option<f32>) {
        self.fill_mask(tile, mask);
        if let Some(fill) = fill {
            self.overwrite_hidden(fill);
            self.visible.clear();
        }
    }

    fn fill_mask(&mut self, tile: Tile, mask: &Mask) {
        let (rows, keys) = self.scores.dim();
        self.visible.resize(rows * keys, 0.0);
        for (row, seen) in self.visible.chunks_exact_mut(keys.max(1)).enumerate() {
            let first = CellIndex {
                batch: tile.batch,
                head: tile.head,
                query: tile.first + row,
                key: 0,
            };
            mask.write_row(first, seen);
        }
    }

    /// Sets hidden weights to 0.
    pub(super) fn hide_weights(&mut self, tile: Tile, mask: &Mask) {
        self.fill_mask(tile, mask);
        for (weight, seen) in self.scores.iter_mut().zip(&self.visible) {
            *weight *= seen;
        }
    }

    fn overwrite_hidden(&mut self, fill: f32) {
        let hidden = |seen: &f32| *seen == 0.0;
        for (score, _) in self
            .scores
            .iter_mut()
            .zip(&self.visible)
            .filter(|(_, seen)| hidden(seen))
        {
            *score = fill;
        }
        let wide = self.wide.iter_mut().flatten().zip(&self.visible);
        for (score, _) in wide.filter(|(_, seen)| hidden(seen)) {
            *score = f64::from(fill);
        }
    }

    pub(super) fn softmax(&mut self, temperature: f32) {
        if temperature != 1.0 {
            self.wide = Some(self.take_wide());
        }
        self.narrow_to_differences(f64::from(temperature));
        let keys = self.scores.ncols();
        if let Some(scores) = self.scores.as_slice_mut() {
            softmax_rows(scores, &self.visible, keys);
        }
    }

    /// Puts 64-bit scores, less the largest visible one of their row and divided by the temperature, in place of the
    /// 32-bit ones.
    fn narrow_to_differences(&mut self, temperature: f64) {
        let Some(wide) = self.wide.take() else { return };
        let keys = wide.ncols();
        for (row, (wide, mut scores)) in wide
            .outer_iter()
            .zip(self.scores.outer_iter_mut())
            .enumerate()
        {
            let seen = |key: usize| {
                self.visible
                    .get(row * keys + key)
                    .is_none_or(|seen| *seen > 0.0)
            };
            let visible = wide.iter().enumerate().filter(|(key, _)| seen(*key));
            let max = visible.map(|(_, score)| *score).fold(f64::MIN, f64::max);
            scores.zip_mut_with(&wide, |score, wide| {
                *score = to_f32((wide - max) / temperature)
            });
        }
    }

    /// `out = weights·v`.
    pub(super) fn weighted_sum(&self, v: ArrayView2<f32>, out: ArrayViewMut2<f32>) {
        super::matmul::multiply(self.scores.view(), v, out);
    }

    /// The tile's rows of scores or weights.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[f32]> {
        (0..self.scores.nrows()).filter_map(|row| self.scores.slice(s![row, ..]).to_slice())
    }
}

/// The nearest 32-bit number, finite even where the 64-bit one lies beyond their range.
fn to_f32(wide: f64) -> f32 {
    (wide as f32).clamp(f32::MIN, f32::MAX)
}
