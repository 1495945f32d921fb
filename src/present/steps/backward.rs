//! The backward pass of one head (the formulas and their source: `attention::model`'s part for attention), from the gradient of what the layer
//! returns to those of its queries, keys and values:
//!
//! ```text
//! dC = dO·W_Oᵀ                     [n, d_v], the rows of W_O that are the head's
//! dA = dC·Vᵀ                       [n, n]
//! dV = Aᵀ·dC                       [n, d_v]
//! dS = A ∘ (dA − Σ_keys dA ∘ A)    [n, n]
//! dQ = dS·K/√d_k                   [n, d_k]
//! dK = dSᵀ·Q/√d_k                  [n, d_k]
//! ```
//!
//! Each is made in 64 bit of the 32-bit numbers of the one before it, as [`explain`](super::explain) repeats it. Where heads share keys and
//! values, `dK` and `dV` are this head's part.

use attention::Sizes;
use ndarray::{Array2, ArrayView2, s};

use super::Numbers;
use crate::state::StepKind;

/// A gradient; `None` for any other step, where the run has none, and where numbers are not of its size.
pub(super) fn gradient(step: StepKind, numbers: &Numbers<'_>) -> Option<Array2<f32>> {
    let sizes = numbers.request.sizes();
    let of = |step| gradient(step, numbers);
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
        StepKind::OutputGradient => numbers.learned?.loss()?.gradient.clone(),
        StepKind::ContextGradient => {
            let first = numbers.head * d_v;
            let w_o = &numbers.request.output()?.w;
            let own = w_o.slice(s![first..first + d_v, ..]);
            product(of(StepKind::OutputGradient)?.view(), own.t(), 1.0)
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
        _ => return None,
    })
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
