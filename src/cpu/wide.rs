//! Scores in 64 bit, for the tiles whose scores are too large for 32.
//!
//! A score of 1000 is stored to within 3·10⁻⁵ in 32 bit, and a weight is off by as much: more than the accuracy that
//! is promised. Softmax only needs differences, and those are small again, so such a tile is computed in 64 bit from
//! the inputs on, and its scores are narrowed after the row's largest was taken away. Ordinary tiles never come here.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, Axis, s};

use super::tile::Tile;
use crate::attention::{Layer, Linear, Position, Request, Source, kv_head_of, sinusoid};

/// Scores whose bound lies below this are exact enough in 32 bit: 32·2⁻²⁴ is 2·10⁻⁶.
const LARGE: f32 = 32.0;

/// Whether `|score| ≤ ‖q‖·‖k‖·|scale|` allows scores beyond [`LARGE`] for any pair of rows.
pub(super) fn may_be_large(q: ArrayView2<f32>, k: ArrayView2<f32>, scale: f32) -> bool {
    let longest = |rows: ArrayView2<f32>| {
        let squares = rows.outer_iter().map(|row| row.iter().map(|x| x * x).sum());
        squares.fold(0.0f32, f32::max).sqrt()
    };
    // A norm that overflows gives infinity or NaN, and belongs here too.
    let bound = longest(q) * longest(k) * scale.abs();
    bound.is_nan() || bound > LARGE
}

/// 64-bit keys of the head that was worked on last.
pub(super) struct Wide {
    keys: Option<(usize, usize, Array2<f64>)>,
}

impl Wide {
    pub(super) fn new() -> Self {
        Self { keys: None }
    }

    /// `Q·Kᵀ` of a tile, `[rows, keys]`.
    pub(super) fn dot_scores(&mut self, request: &Request, tile: Tile) -> Array2<f64> {
        let sizes = request.sizes();
        let kv_head = kv_head_of(tile.head, sizes.heads, sizes.kv_heads);
        let q = queries(request, tile);
        q.dot(&self.keys(request, tile.batch, kv_head).t())
    }

    fn keys(&mut self, request: &Request, batch: usize, kv_head: usize) -> &Array2<f64> {
        let known = self
            .keys
            .take()
            .filter(|(b, h, _)| (*b, *h) == (batch, kv_head));
        let keys = known.unwrap_or_else(|| (batch, kv_head, keys(request, batch, kv_head)));
        &self.keys.insert(keys).2
    }
}

fn queries(request: &Request, tile: Tile) -> Array2<f64> {
    let rows = tile.first..tile.first + tile.rows;
    match request.source() {
        Source::Heads(given) => given.q.slice(s![tile.head, rows, ..]).mapv(f64::from),
        Source::Layer { layer, queries, .. } => {
            let inputs = queries.index_axis(Axis(0), tile.batch);
            let x = positioned(inputs, rows, layer);
            project(&x, &layer.weights.query, tile.head, request.sizes().d_k)
        }
    }
}

/// Keys as the scores see them, `[keys, d_k]`: shortened along the sequence with Linformer.
fn keys(request: &Request, batch: usize, kv_head: usize) -> Array2<f64> {
    let k = match request.source() {
        Source::Heads(given) => given.k.index_axis(Axis(0), kv_head).mapv(f64::from),
        Source::Layer {
            layer,
            queries,
            keys_values,
        } => {
            let inputs = keys_values
                .as_ref()
                .unwrap_or(queries)
                .index_axis(Axis(0), batch);
            let x = positioned(inputs, 0..request.sizes().m, layer);
            project(&x, &layer.weights.key, kv_head, request.sizes().d_k)
        }
    };
    match &request.call().linformer {
        None => k,
        Some(linformer) => linformer.e.mapv(f64::from).dot(&k),
    }
}

/// Rows of the inputs, with positions where the layer adds them.
fn positioned(inputs: ArrayView2<f32>, rows: Range<usize>, layer: &Layer) -> Array2<f64> {
    let (first, d_model) = (rows.start, layer.d_model());
    let mut x = inputs.slice(s![rows, ..]).mapv(f64::from);
    if layer.position == Position::Sinusoidal {
        x.indexed_iter_mut()
            .for_each(|((i, c), x)| *x += sinusoid(first + i, c, d_model));
    }
    x
}

/// `x·w + b` for the columns of one head.
fn project(x: &Array2<f64>, linear: &Linear, head: usize, width: usize) -> Array2<f64> {
    let columns = head * width..(head + 1) * width;
    let y = x.dot(&linear.w.slice(s![.., columns.clone()]).mapv(f64::from));
    match &linear.b {
        None => y,
        Some(b) => y + b.slice(s![columns]).mapv(f64::from),
    }
}
