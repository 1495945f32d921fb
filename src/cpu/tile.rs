//! The tile of query rows that the executor works on: everything quadratic passes through here.

use ndarray::{Array2, ArrayView2, s};

use super::{score, softmax_rows};
use crate::attention::{At, Mask};

/// How many scores a tile holds at most; 64 Ki numbers (256 KiB) stay in a second-level cache.
const TILE_SCORES: usize = 64 * 1024;
const MOST_ROWS: usize = 64;

/// Rows `first .. first + rows` of one head of one batch entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tile {
    pub(super) batch: usize,
    pub(super) head: usize,
    pub(super) first: usize,
    pub(super) rows: usize,
}

/// How many query rows a tile takes for `keys` key columns.
pub(super) fn rows_for(keys: usize) -> usize {
    (TILE_SCORES / keys.max(1)).clamp(1, MOST_ROWS)
}

/// Reused buffers for one tile: scores (later weights), and which cells are visible.
pub(super) struct Scratch {
    pub(super) scores: Array2<f32>,
    visible: Vec<f32>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        Self {
            scores: Array2::zeros((0, 0)),
            visible: Vec::new(),
        }
    }

    /// Empties the buffers and gives them the tile's shape.
    pub(super) fn start(&mut self, rows: usize, keys: usize) {
        self.visible.clear();
        if self.scores.dim() != (rows, keys) {
            self.scores = Array2::zeros((rows, keys));
        }
    }

    pub(super) fn dot_scores(&mut self, q: ArrayView2<f32>, k: ArrayView2<f32>) {
        score::dot(q, k, self.scores.view_mut());
    }

    pub(super) fn additive_scores(&mut self, q: ArrayView2<f32>, k: ArrayView2<f32>, w_a: &[f32]) {
        score::additive(q, k, w_a, self.scores.view_mut());
    }

    pub(super) fn scale(&mut self, scale: f32) {
        self.scores.mapv_inplace(|score| score * scale);
    }

    /// Marks hidden cells, or writes `fill` over their scores and lets them take part.
    pub(super) fn mask(&mut self, tile: Tile, mask: &Mask, fill: Option<f32>) {
        for ((row, key), score) in self.scores.indexed_iter_mut() {
            let at = At {
                batch: tile.batch,
                head: tile.head,
                query: tile.first + row,
                key,
            };
            let seen = mask.visible(at);
            match fill {
                Some(fill) if !seen => *score = fill,
                Some(_) => {}
                None => self.visible.push(f32::from(u8::from(seen))),
            }
        }
    }

    pub(super) fn softmax(&mut self) {
        let keys = self.scores.ncols();
        if let Some(scores) = self.scores.as_slice_mut() {
            softmax_rows(scores, &self.visible, keys);
        }
    }

    /// `out = weights·v`.
    pub(super) fn weighted_sum(&self, v: ArrayView2<f32>, out: ndarray::ArrayViewMut2<f32>) {
        super::matmul::multiply(self.scores.view(), v, out);
    }

    /// The tile's rows of scores or weights.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[f32]> {
        (0..self.scores.nrows()).filter_map(|row| self.scores.slice(s![row, ..]).to_slice())
    }
}
