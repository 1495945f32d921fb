//! `Y = concat_g(C_g)·W_O + b_O` with `C_g = A_g·V`, `A_g = softmax(scale·Q_g·Kᵀ − penalty)` (Vaswani et al. 2017, eq. 1): the layer's own
//! executor computes it. For each sequence and head:
//!
//! ```text
//! dA = dC·Vᵀ                       [n, n]
//! dV = Σ_g Aᵀ·dC                   [n, d_k], over the query heads that share it
//! dS = A ∘ (dA − Σ_keys dA ∘ A)    [n, n]; 0 where A is 0: hidden cells learn nothing
//! dQ = scale·dS·K                  [n, d_k]
//! dK = Σ_g scale·dSᵀ·Q             [n, d_k], over the query heads that share it
//! dX = dQ·W_Qᵀ + dK·W_Kᵀ + dV·W_Vᵀ
//! ```
//!
//! With a cap `dS` is multiplied by `1 − (S/cap)²` before it goes on, `S` being without the penalty. Rotated queries and keys are rotated back before their norms and
//! projections.

use std::sync::Arc;

use kernels::{Packed, multiply_scaled};
use ndarray::{Array1, Array2, Array3, Array4};

use super::{linear, norm};
use crate::ModelConfig;
use crate::layout::{AttentionSlots, LinearSlots, NormSlots, Slot};
use crate::part::linear::transposed;
use attention::cpu::{Run, turn_back};
use attention::plan::{RowSink, WeightRows};
use attention::{
    CallOptions, Error, HeadNorms, Layer, LayerOptions, Linear, Mask, Outputs, Refinements,
    Request, Scoring, Trace, Weights, kv_head_of,
};

/// Values saved for the backward pass.
pub(crate) struct Saved {
    x: Vec<f32>,
    trace: Trace<f32>,
}

impl Saved {
    /// Attention weights, `[batch, heads, n, n]`.
    pub(crate) fn weights(&self) -> Option<&Array4<f32>> {
        self.trace.weights.as_ref()
    }

    /// The same without the rest.
    pub(crate) fn into_weights(self) -> Option<Array4<f32>> {
        self.trace.weights
    }

    /// The rows that enter, `[batch·n, d_model]`.
    pub(crate) fn input(&self) -> &[f32] {
        &self.x
    }
}

/// The layer that the numbers of a model make.
pub(crate) fn layer(
    config: &ModelConfig,
    at: usize,
    slots: AttentionSlots,
    numbers: &[f32],
) -> Result<Layer, Error> {
    let linear = |slots: LinearSlots| Linear {
        w: Array2::from_shape_vec(
            (slots.w.rows, slots.w.columns),
            slots.w.of(numbers).to_vec(),
        )
        .unwrap_or_default(),
        b: slots.b.map(|b| Array1::from(b.of(numbers).to_vec())),
    };
    let weights = Weights {
        query: linear(slots.query),
        key: linear(slots.key),
        value: linear(slots.value),
        output: Some(linear(slots.output)),
        additive: None,
    };
    let options = LayerOptions {
        heads: config.heads,
        kv_heads: Some(config.kv_heads),
        scoring: Scoring::Dot,
        scale: Some(config.scale()),
        position: config.position_in(at),
    };
    Layer::new(weights, options)?.refined(refinements(config, slots, numbers))
}

fn refinements(config: &ModelConfig, slots: AttentionSlots, numbers: &[f32]) -> Refinements {
    let vector = |slot: Slot| Array1::from(slot.of(numbers).to_vec());
    Refinements {
        norms: slots.head_norms.map(|[query, key]| HeadNorms {
            query: vector(query),
            key: vector(key),
            epsilon: config.epsilon,
        }),
        rotary_divisors: slots.divisors.map(vector),
        cap: config.score_cap,
    }
}

/// Takes no notice of weights: they are in the trace.
struct NoSink;

impl RowSink for NoSink {
    fn take(&mut self, _: WeightRows<'_>) {}
}

/// `Y`, `[batch·n, d_model]`, of `x`, whose shape is `[batch, n, d_model]`.
pub(crate) fn forward(
    x: Vec<f32>,
    shape: (usize, usize, usize),
    layer: Layer,
    mask: Mask,
) -> Result<(Vec<f32>, Saved), Error> {
    let want = Outputs {
        // The derivative of a cap is one of what it makes.
        scores: layer.refinements().cap.is_some(),
        stats: false,
        ..Outputs::ALL
    };
    let mut trace = trace(x.clone(), shape, layer, mask, want)?;
    let output = trace.output.take().unwrap_or_default();
    Ok((output.into_raw_vec_and_offset().0, Saved { x, trace }))
}

/// `A` of every head, `[batch, heads, n, n]`, and nothing besides.
pub(crate) fn weights(
    x: Vec<f32>,
    shape: (usize, usize, usize),
    layer: Layer,
    mask: Mask,
) -> Result<Array4<f32>, Error> {
    let want = Outputs {
        weights: true,
        ..Outputs::NOTHING
    };
    let trace = trace(x, shape, layer, mask, want)?;
    Ok(trace.weights.unwrap_or_default())
}

fn trace(
    x: Vec<f32>,
    shape: (usize, usize, usize),
    layer: Layer,
    mask: Mask,
    want: Outputs,
) -> Result<Trace<f32>, Error> {
    let queries = Array3::from_shape_vec(shape, x).unwrap_or_default();
    let call = CallOptions {
        mask,
        want,
        ..CallOptions::default()
    };
    let request = Request::new(Arc::new(layer), queries, None, call)?;
    let mut run = Run::new(request)?;
    while run.advance(&mut NoSink) {}
    Ok(run.finish())
}

/// Returns `dX` and adds the gradients of the projections.
pub(crate) fn backward(
    saved: &Saved,
    dy: &[f32],
    config: &ModelConfig,
    at: usize,
    slots: AttentionSlots,
    numbers: &[f32],
    gradients: &mut [f32],
) -> Vec<f32> {
    let Trace {
        q: Some(q),
        k: Some(k),
        v: Some(v),
        weights: Some(weights),
        context: Some(context),
        scores,
        ..
    } = &saved.trace
    else {
        unreachable!("a forward pass asks for all of them")
    };
    let dc = linear::backward(&merge_heads(context), dy, slots.output, numbers, gradients);
    let dc = split_heads(&dc, context.dim());
    let mut dq = Array4::zeros(q.dim());
    let mut dk = Array4::zeros(k.dim());
    let mut dv = Array4::zeros(v.dim());
    for (b, g) in ndarray::indices((q.dim().0, config.heads)) {
        let h = kv_head_of(g, config.heads, config.kv_heads);
        let head = Head {
            q: matrix(q, b, g),
            k: matrix(k, b, h),
            v: matrix(v, b, h),
            weights: matrix(weights, b, g),
            capped: config
                .score_cap
                .zip(scores.as_ref())
                .map(|(cap, scores)| Capped {
                    scores: matrix(scores, b, g),
                    cap,
                    penalty: config.position_in(at).penalty(g, config.heads) as f32,
                }),
            n: q.dim().2,
            d_k: config.d_k,
        };
        let gradient = head.backward(matrix(&dc, b, g), config.scale());
        linear::add(matrix_mut(&mut dq, b, g), &gradient.dq);
        linear::add(matrix_mut(&mut dk, b, h), &gradient.dk);
        linear::add(matrix_mut(&mut dv, b, h), &gradient.dv);
    }
    let position = config.position_in(at);
    turn_back(&mut dq, position);
    turn_back(&mut dk, position);
    let [mut dq, mut dk, dv] = [dq, dk, dv].map(|rows| merge_heads(&rows));
    if let Some(norms) = slots.head_norms {
        let projections = [(&mut dq, slots.query), (&mut dk, slots.key)];
        for ((dy, projection), scale) in projections.into_iter().zip(norms) {
            let rows = linear::forward(&saved.x, projection, numbers);
            let slots = NormSlots { scale, shift: None };
            let (_, saved) = norm::forward(&rows, config.epsilon, slots, numbers);
            *dy = norm::backward(&saved, dy, slots, numbers, gradients);
        }
    }
    let projections = [(dq, slots.query), (dk, slots.key), (dv, slots.value)];
    let mut dx = vec![0.0; saved.x.len()];
    for (dy, slots) in projections {
        let part = linear::backward(&saved.x, &dy, slots, numbers, gradients);
        linear::add(&mut dx, &part);
    }
    dx
}

/// One head of one sequence: `[n, d_k]` three times, and `[n, n]`.
struct Head<'a> {
    q: &'a [f32],
    k: &'a [f32],
    v: &'a [f32],
    weights: &'a [f32],
    capped: Option<Capped<'a>>,
    n: usize,
    d_k: usize,
}

/// Scores after their cap, `[n, n]`, and what a place of distance took off them after it.
struct Capped<'a> {
    scores: &'a [f32],
    cap: f32,
    penalty: f32,
}

impl Capped<'_> {
    /// Turns the gradient of capped scores into one of those before: the derivative of `cap·tanh(s/cap)` is `1 − tanh²`. Where a
    /// weight is 0 the gradient is too, whatever stands among the scores.
    fn backward(&self, ds: &mut [f32], n: usize) {
        let cells = ds.iter_mut().zip(self.scores).enumerate();
        for (at, (ds, score)) in cells.filter(|(_, (ds, _))| **ds != 0.0) {
            let distance = (at / n).abs_diff(at % n) as f32;
            let tanh = (score + self.penalty * distance) / self.cap;
            *ds *= 1.0 - tanh * tanh;
        }
    }
}

/// `[n, d_k]` each.
struct HeadGradient {
    dq: Vec<f32>,
    dk: Vec<f32>,
    dv: Vec<f32>,
}

impl Head<'_> {
    fn backward(&self, dc: &[f32], scale: f32) -> HeadGradient {
        let (n, d_k) = (self.n, self.d_k);
        let values = Packed::from_transposed(self.v, n, d_k);
        let mut ds = product(dc, &values, n, 1.0);
        let rows = ds.chunks_exact_mut(n).zip(self.weights.chunks_exact(n));
        rows.for_each(|(da, weights)| softmax_backward(da, weights));
        if let Some(capped) = &self.capped {
            capped.backward(&mut ds, n);
        }
        let [weights, scores] = [self.weights, &ds].map(|matrix| transposed(matrix, n));
        let [k, q, dc] = [self.k, self.q, dc].map(|rows| Packed::from_rows(rows, d_k, 0, d_k));
        HeadGradient {
            dq: product(&ds, &k, n, scale),
            dk: product(&scores, &q, n, scale),
            dv: product(&weights, &dc, n, 1.0),
        }
    }
}

/// Turns a row of `dA` into one of `dS = A ∘ (dA − Σ dA ∘ A)`.
fn softmax_backward(da: &mut [f32], weights: &[f32]) {
    let along: f32 = da.iter().zip(weights).map(|(da, a)| da * a).sum();
    for (da, a) in da.iter_mut().zip(weights) {
        *da = a * (*da - along);
    }
}

/// `factor` times the product of `[rows, inner]` with a packed matrix.
fn product(a: &[f32], b: &Packed, rows: usize, factor: f32) -> Vec<f32> {
    let mut out = vec![0.0; rows * b.columns()];
    multiply_scaled(a, b, factor, None, &mut out);
    out
}

/// The numbers of one sequence and head of `[batch, heads, n, columns]`.
fn matrix(array: &Array4<f32>, sequence: usize, head: usize) -> &[f32] {
    let (_, heads, n, columns) = array.dim();
    let first = (sequence * heads + head) * n * columns;
    &array.as_slice().unwrap_or_default()[first..][..n * columns]
}

fn matrix_mut(array: &mut Array4<f32>, sequence: usize, head: usize) -> &mut [f32] {
    let (_, heads, n, columns) = array.dim();
    let first = (sequence * heads + head) * n * columns;
    &mut array.as_slice_mut().unwrap_or_default()[first..][..n * columns]
}

/// `[batch·n, heads·columns]` of `[batch, heads, n, columns]`.
fn merge_heads(array: &Array4<f32>) -> Vec<f32> {
    let (batch, heads, n, columns) = array.dim();
    let from = array.as_slice().unwrap_or_default();
    copy_rows(from, columns, (batch, n, heads), |b, i, g| {
        (b * heads + g) * n + i
    })
}

/// `[batch, heads, n, columns]` of `[batch·n, heads·columns]`.
fn split_heads(rows: &[f32], shape: (usize, usize, usize, usize)) -> Array4<f32> {
    let (batch, heads, n, columns) = shape;
    let split = copy_rows(rows, columns, (batch, heads, n), |b, g, i| {
        (b * n + i) * heads + g
    });
    Array4::from_shape_vec(shape, split).unwrap_or_default()
}

/// Rows of `columns` numbers in another order: at `[a, b, c]` of `shape` stands row `row_at(a, b, c)` of `from`.
fn copy_rows(
    from: &[f32],
    columns: usize,
    shape: (usize, usize, usize),
    row_at: impl Fn(usize, usize, usize) -> usize,
) -> Vec<f32> {
    let mut to = Vec::with_capacity(from.len());
    for a in 0..shape.0 {
        for b in 0..shape.1 {
            for c in 0..shape.2 {
                to.extend_from_slice(&from[row_at(a, b, c) * columns..][..columns]);
            }
        }
    }
    to
}
