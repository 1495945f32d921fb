//! Scores in 64 bits, where they are too large for 32.
//!
//! A score of 1000 is stored to within 3·10⁻⁵ in 32 bits, and a weight is off by as much: more than the promised accuracy.
//! Softmax needs differences only, which are small again. Such a score is therefore computed in 64 bits from the inputs on, and
//! those of its row are rounded to 32 bits after the row's maximum was subtracted. Which scores these are depends on their own
//! query and key alone, and which rows on the keys that these see: no other token changes a bit of them. Ordinary tiles do not
//! use this module.

use std::ops::Range;

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, Axis, s};

use super::head_norm::normalized;
use super::rotary::turns;
use super::tile::Tile;
use crate::{Linear, Position, Request, Source, kv_head_of, sinusoid};

/// Scores whose bound lies below this are exact enough in 32 bit: 32·2⁻²⁴ is 2·10⁻⁶.
const LARGE: f32 = 32.0;
/// Numbers up to here are added to others in 32 bit without a loss that a tanh would show.
const EXACT: f32 = 4.0;

/// Divisor of scores before they are compared with [`LARGE`]: the temperature, and below 1 its square. A low temperature enlarges
/// the errors of queries and keys that are differences of larger terms, which a bound by their own lengths passes over.
pub(super) fn strictness(temperature: f32) -> f32 {
    temperature * temperature.min(1.0)
}

/// Whether `|score| ≤ ‖q‖·‖k‖·|scale|` allows scores beyond [`LARGE`] for queries and keys no longer than these. `scale` is
/// divided by [`strictness`].
pub(super) fn may_be_large(query: f32, key: f32, scale: f32) -> bool {
    // A norm that overflows gives infinity or NaN, and belongs here too.
    let bound = query * key * scale.abs();
    bound.is_nan() || bound > LARGE
}

/// The same for additive scores, whose bound is `Σ_c |w_a[c]|`. Columns in which queries and keys
/// are large themselves count for more: they may cancel, and the difference decides.
pub(super) fn additive_may_be_large(q: &[f32], k: &[f32], w_a: &[f32], divisor: f32) -> bool {
    let columns = q.iter().zip(k).zip(w_a).map(|((q, k), a)| {
        let size = (q.abs() + k.abs()) / EXACT;
        // Not `max`, which passes over NaN.
        a.abs() * if size < 1.0 { 1.0 } else { size }
    });
    let bound = columns.sum::<f32>() / divisor;
    bound.is_nan() || bound > LARGE
}

/// The largest magnitude in each column, or NaN where there is one.
pub(super) fn largest_by_column(rows: ArrayView2<f32>) -> Vec<f32> {
    let mut largest = vec![0.0f32; rows.ncols()];
    for row in rows.outer_iter() {
        for (largest, x) in largest.iter_mut().zip(row) {
            if x.abs() > *largest || x.is_nan() {
                *largest = x.abs();
            }
        }
    }
    largest
}

/// Which scores of a tile may be large, among those that are read.
pub(super) struct Large {
    /// `[rows, keys]`.
    pub(super) cells: Array2<bool>,
    /// Whether there are others.
    pub(super) leaves_any: bool,
}

impl Large {
    /// Looks at each score that is read: those of a row have the keys that `read` gives.
    pub(super) fn find<T>(
        queries: &[T],
        keys: &[T],
        read: impl Fn(usize) -> Range<usize>,
        is_large: impl Fn(&T, &T) -> bool,
    ) -> Self {
        let mut cells = vec![false; queries.len() * keys.len()];
        let mut leaves_any = false;
        let rows = cells.chunks_exact_mut(keys.len().max(1)).zip(queries);
        for (row, (cells, query)) in rows.enumerate() {
            let read = read(row);
            for (cell, key) in cells[read.clone()].iter_mut().zip(&keys[read]) {
                *cell = is_large(query, key);
                leaves_any |= !*cell;
            }
        }
        let shape = (queries.len(), keys.len());
        Self {
            cells: Array2::from_shape_vec(shape, cells).unwrap_or_default(),
            leaves_any,
        }
    }
}

/// 64-bit keys of the head that was worked on last.
pub(super) struct Wide {
    keys: Option<(usize, usize, Array2<f64>)>,
}

impl Wide {
    pub(super) fn new() -> Self {
        Self { keys: None }
    }

    /// `Q·Kᵀ·scale` of a tile, `[rows, keys]`, 0 for keys that are not `read`.
    pub(super) fn dot_scores(
        &mut self,
        request: &Request,
        tile: Tile,
        read: Range<usize>,
    ) -> Array2<f64> {
        let sizes = request.sizes();
        let kv_head = kv_head_of(tile.head, sizes.heads, sizes.kv_heads);
        let q = queries(request, tile);
        let k = self.keys(request, tile.batch, kv_head);
        let mut scores = Array2::zeros((tile.rows, sizes.keys));
        let k = k.slice(s![read.clone(), ..]);
        general_mat_mul(1.0, &q, &k.t(), 0.0, &mut scores.slice_mut(s![.., read]));
        scores *= f64::from(request.config().scale);
        scores
    }

    /// `Σ_c w_a[c]·tanh(q[c] + k[c])` of a tile, `[rows, keys]`, 0 for keys that are not `read` and scores that are not `large`.
    pub(super) fn additive_scores(
        &mut self,
        request: &Request,
        tile: Tile,
        read: Range<usize>,
        large: &Large,
    ) -> Array2<f64> {
        let sizes = request.sizes();
        let kv_head = kv_head_of(tile.head, sizes.heads, sizes.kv_heads);
        let w_a = request.additive().map(|w_a| w_a.mapv(f64::from));
        let w_a = w_a.unwrap_or_default();
        let q = queries(request, tile);
        let k = self.keys(request, tile.batch, kv_head);
        Array2::from_shape_fn((q.nrows(), k.nrows()), |(i, j)| {
            if !read.contains(&j) || !large.cells[[i, j]] {
                return 0.0;
            }
            let columns = q.row(i).into_iter().zip(k.row(j)).zip(&w_a);
            columns.map(|((q, k), a)| a * libm::tanh(q + k)).sum()
        })
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
    let places = &request.call().places;
    let at: Vec<i64> = rows
        .clone()
        .map(|row| places.query(tile.batch, row))
        .collect();
    let q = match request.source() {
        Source::Heads(given) => {
            let q = given.q.slice(s![tile.head, rows.clone(), ..]);
            q.mapv(f64::from)
        }
        Source::Layer { layer, queries, .. } => {
            let inputs = queries.index_axis(Axis(0), tile.batch);
            let x = positioned(inputs, rows.clone(), &at, request);
            let q = project(&x, &layer.weights.query, tile.head, request.sizes().d_k);
            normalized(q, request, |norms| &norms.query)
        }
    };
    rotated(q, at, request)
}

/// Keys as the scores see them, `[keys, d_k]`: shortened along the sequence with Linformer.
fn keys(request: &Request, batch: usize, kv_head: usize) -> Array2<f64> {
    let rows = 0..request.sizes().m;
    let places = &request.call().places;
    let at: Vec<i64> = rows.clone().map(|row| places.key(batch, row)).collect();
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
            let x = positioned(inputs, rows, &at, request);
            let k = project(&x, &layer.weights.key, kv_head, request.sizes().d_k);
            normalized(k, request, |norms| &norms.key)
        }
    };
    let k = rotated(k, at, request);
    match &request.call().linformer {
        None => k,
        Some(linformer) => linformer.e.mapv(f64::from).dot(&k),
    }
}

/// Rows of the inputs, which stand at `places`, with positions where the layer adds them.
fn positioned(
    inputs: ArrayView2<f32>,
    rows: Range<usize>,
    places: &[i64],
    request: &Request,
) -> Array2<f64> {
    let d_model = inputs.ncols();
    let mut x = inputs.slice(s![rows, ..]).mapv(f64::from);
    if request.config().position == Position::Sinusoidal {
        x.indexed_iter_mut()
            .for_each(|((i, c), x)| *x += sinusoid(places[i], c, d_model));
    }
    x
}

/// Rows of queries or keys, which stand at `places`, rotated if positions are rotary.
fn rotated(mut x: Array2<f64>, places: Vec<i64>, request: &Request) -> Array2<f64> {
    let Some(rotation) = request.config().position.rotation() else {
        return x;
    };
    let width = x.ncols();
    let turns = turns(rotation, request.rotary_divisors(), places, width);
    let pairs = rotation.pair_count(width);
    for ((row, pair), (sin, cos)) in ndarray::indices((x.nrows(), pairs)).into_iter().zip(turns) {
        let [first, second] = rotation.columns_of(pair, width);
        let (a, b) = (x[[row, first]], x[[row, second]]);
        x[[row, first]] = a * cos - b * sin;
        x[[row, second]] = a * sin + b * cos;
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
