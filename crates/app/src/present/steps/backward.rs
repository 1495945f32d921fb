//! The backward pass of one head and of what stands around the layer (the formulas and their sources: `model`'s parts), from the
//! gradient of what the layer returns to that of the residual path before it:
//!
//! ```text
//! dC   = dO·W_Oᵀ                     [n, d_v], the rows of W_O that are the head's
//! dW_O = Cᵀ·dO                       [d_v, d_model]
//! dA   = dC·Vᵀ                       [n, n]
//! dV   = Aᵀ·dC                       [n, d_v]
//! dS   = A ∘ (dA − Σ_keys dA ∘ A)    [n, n]
//! dQ   = dS·K/√d_k                   [n, d_k]
//! dK   = dSᵀ·Q/√d_k                  [n, d_k]
//! dW_Q = Xᵀ·dQ                       [d_model, d_k]; so for keys and values
//! dH   = dO + norm'(dX)              [n, d_model]
//! ```
//!
//! Each is made in 64 bit of the 32-bit numbers of the one before it, as [`explain`](super::explain) repeats it. Where heads share keys and
//! values, `dK`, `dV` and what follows from them are this head's part. `dX` is that of all heads, so the model gives it; so are `dO` and, after
//! the last layer, the gradient of the logits.

use attention::Sizes;
use ndarray::{Array2, ArrayView1, ArrayView2, s};

use super::Numbers;
use crate::state::StepKind;
use engine::learned::{LayerNorm, LearnedLayer};

/// A gradient; `None` for any other step, where the run has none, and where numbers are not of its size.
pub(super) fn gradient(step: StepKind, numbers: &Numbers<'_>) -> Option<Array2<f32>> {
    let sizes = numbers.request.sizes();
    let of = |step| gradient(step, numbers);
    let loss = || numbers.learned?.loss();
    let Sizes {
        n,
        m,
        d_k,
        d_v,
        keys,
        ..
    } = *sizes;
    let scale = f64::from(numbers.request.config().scale);
    Some(match step {
        StepKind::LogitsGradient => {
            let (loss, row) = (loss()?, loss()?.logits.as_ref()?);
            let at = |(at, word)| if at == loss.row { row[word] } else { 0.0 };
            Array2::from_shape_fn((n, row.len()), at)
        }
        StepKind::OutputGradient => loss()?.gradient.clone(),
        StepKind::ContextGradient => {
            let first = numbers.head * d_v;
            let w_o = &numbers.request.output()?.w;
            let own = w_o.slice(s![first..first + d_v, ..]);
            product(of(StepKind::OutputGradient)?.view(), own.t(), 1.0)
        }
        StepKind::OutputWeightsGradient => {
            let first = numbers.head * n * d_v;
            let context = view(numbers.context.get(first..first + n * d_v)?, [n, d_v])?;
            product(context.t(), of(StepKind::OutputGradient)?.view(), 1.0)
        }
        StepKind::WeightsGradient => {
            let values = view(numbers.v, [m, d_v])?;
            product(of(StepKind::ContextGradient)?.view(), values.t(), 1.0)
        }
        StepKind::ValuesGradient => {
            let weights = view(numbers.weights, [n, keys])?;
            product(weights.t(), of(StepKind::ContextGradient)?.view(), 1.0)
        }
        StepKind::ScoresGradient => {
            let weights = view(numbers.weights, [n, keys])?;
            through_softmax(weights, of(StepKind::WeightsGradient)?.view())
        }
        StepKind::QueriesGradient => {
            let keys = view(numbers.k, [m, d_k])?;
            product(of(StepKind::ScoresGradient)?.view(), keys, scale)
        }
        StepKind::KeysGradient => {
            let queries = view(numbers.q, [n, d_k])?;
            product(of(StepKind::ScoresGradient)?.t(), queries, scale)
        }
        StepKind::QueryWeightsGradient
        | StepKind::KeyWeightsGradient
        | StepKind::ValueWeightsGradient => {
            let rows = &numbers.learned?.rows;
            product(rows.t(), of(projected(step))?.view(), 1.0)
        }
        StepKind::NormedGradient => loss()?.input.clone(),
        StepKind::ResidualGradient => {
            let [d_output, d_input] = [StepKind::OutputGradient, StepKind::NormedGradient].map(of);
            around_layer(numbers.learned?, d_output?, d_input?.view())
        }
        _ => return None,
    })
}

/// The gradient of the queries, keys or values that a weight matrix makes, for that of the matrix.
pub(super) fn projected(step: StepKind) -> StepKind {
    match step {
        StepKind::QueryWeightsGradient => StepKind::QueriesGradient,
        StepKind::KeyWeightsGradient => StepKind::KeysGradient,
        _ => StepKind::ValuesGradient,
    }
}

/// `Z = (H + O)·W_U`, `[n, vocabulary]`; `None` but after the last layer of a model.
pub(super) fn logits(numbers: &Numbers<'_>) -> Option<Array2<f32>> {
    let sum = super::matrix(StepKind::Sum, numbers)?;
    let rows = view(&sum.values, [sum.rows, sum.columns])?;
    let unembedding = numbers.learned?.unembedding.as_ref()?;
    Some(product(rows, unembedding.view(), 1.0))
}

fn view(numbers: &[f32], shape: [usize; 2]) -> Option<ArrayView2<'_, f32>> {
    ArrayView2::from_shape(shape, numbers).ok()
}

/// `factor·A·B`.
fn product(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>, factor: f64) -> Array2<f32> {
    Array2::from_shape_fn((a.nrows(), b.ncols()), |(row, column)| {
        let pairs = a.row(row).into_iter().zip(b.column(column));
        let sum: f64 = pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
        (factor * sum) as f32
    })
}

/// `A ∘ (dA − Σ_keys dA ∘ A)`.
fn through_softmax(a: ArrayView2<'_, f32>, da: ArrayView2<'_, f32>) -> Array2<f32> {
    let mean = |row| {
        let pairs = a.row(row).into_iter().zip(da.row(row));
        pairs
            .map(|(a, da)| f64::from(*a) * f64::from(*da))
            .sum::<f64>()
    };
    let means: Vec<f64> = (0..a.nrows()).map(mean).collect();
    Array2::from_shape_fn(a.dim(), |at| {
        (f64::from(a[at]) * (f64::from(da[at]) - means[at.0])) as f32
    })
}

/// `dO`, and what comes back through the norm.
fn around_layer(
    learned: &LearnedLayer,
    mut sum: Array2<f32>,
    d_input: ArrayView2<'_, f32>,
) -> Array2<f32> {
    let rows = learned.residual.rows().into_iter().zip(d_input.rows());
    for (mut sum, (residual, d_input)) in sum.rows_mut().into_iter().zip(rows) {
        let norm = NormBackward::new(&learned.norm, residual, d_input);
        for (column, sum) in sum.iter_mut().enumerate() {
            *sum = (f64::from(*sum) + norm.at(column)) as f32;
        }
    }
    sum
}

/// A row on its way back through layer norm: `dx = (g − mean(g) − x̂·mean(g ∘ x̂))/√(variance + ε)` with `g = scale ∘ dy`.
pub(super) struct NormBackward {
    /// `x̂`.
    pub normalized: Vec<f64>,
    /// `g`.
    scaled: Vec<f64>,
    /// `√(variance + ε)`.
    pub deviation: f64,
    /// `mean(g)`.
    pub mean: f64,
    /// `mean(g ∘ x̂)`.
    pub along: f64,
}

impl NormBackward {
    /// `x` is the row that was normed, `dy` the gradient of what the norm made of it.
    pub(super) fn new(norm: &LayerNorm, x: ArrayView1<'_, f32>, dy: ArrayView1<'_, f32>) -> Self {
        let x: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        let middle = mean(x.iter().copied());
        let variance = mean(x.iter().map(|x| (x - middle) * (x - middle)));
        let deviation = libm::sqrt(variance + f64::from(norm.epsilon));
        let normalized: Vec<f64> = x.iter().map(|x| (x - middle) / deviation).collect();
        let pairs = norm.scale.iter().zip(dy);
        let scaled: Vec<f64> = pairs
            .map(|(scale, dy)| f64::from(*scale) * f64::from(*dy))
            .collect();
        Self {
            mean: mean(scaled.iter().copied()),
            along: mean(scaled.iter().zip(&normalized).map(|(g, x)| g * x)),
            normalized,
            scaled,
            deviation,
        }
    }

    /// The gradient of a component of the row.
    pub(super) fn at(&self, column: usize) -> f64 {
        let even = self.scaled[column] - self.mean;
        (even - self.normalized[column] * self.along) / self.deviation
    }
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len() as f64;
    numbers.sum::<f64>() / count
}
