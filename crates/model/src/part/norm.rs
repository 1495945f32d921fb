//! `y = scale ∘ x̂ + shift` for each row, with `x̂ = (x − mean)·r` and `r = 1/√(variance + ε)` (Ba et al. 2016, eq. 4), or
//! `x̂ = x·r` and `r = 1/√(mean square + ε)` (Zhang and Sennrich 2019, eq. 4). With `g = scale ∘ dy`:
//!
//! ```text
//! dscale = Σ_rows dy ∘ x̂
//! dshift = Σ_rows dy
//! dx     = r·(g − mean(g) − x̂·mean(g ∘ x̂))     RMS: without mean(g)
//! ```

use super::linear::add;
use crate::layout::NormSlots;

/// Values saved for the backward pass.
pub(crate) struct Saved {
    /// `x̂`, `[rows, d_model]`.
    normalized: Vec<f32>,
    /// `r` of each row.
    factors: Vec<f32>,
}

/// `y`, `[rows, d_model]`. A norm that has a shift takes the mean off.
pub(crate) fn forward(
    x: &[f32],
    epsilon: f32,
    slots: NormSlots,
    numbers: &[f32],
) -> (Vec<f32>, Saved) {
    let width = slots.scale.columns;
    let mut normalized = x.to_vec();
    let factors = normalized
        .chunks_exact_mut(width)
        .map(|row| normalize(row, epsilon, slots.shift.is_some()))
        .collect();
    let mut y = normalized.clone();
    let shift = slots.shift.map(|shift| shift.of(numbers));
    for row in y.chunks_exact_mut(width) {
        stretch(row, slots.scale.of(numbers), shift);
    }
    (
        y,
        Saved {
            normalized,
            factors,
        },
    )
}

/// The same without saving anything, in place.
pub(crate) fn apply(x: &mut [f32], epsilon: f32, scale: &[f32], shift: Option<&[f32]>) {
    for row in x.chunks_exact_mut(scale.len()) {
        normalize(row, epsilon, shift.is_some());
        stretch(row, scale, shift);
    }
}

fn stretch(row: &mut [f32], scale: &[f32], shift: Option<&[f32]>) {
    row.iter_mut().zip(scale).for_each(|(y, scale)| *y *= scale);
    if let Some(shift) = shift {
        add(row, shift);
    }
}

/// Makes `x̂` of a row and returns `r`.
fn normalize(row: &mut [f32], epsilon: f32, takes_mean_off: bool) -> f32 {
    if takes_mean_off {
        let mean = mean(row.iter().copied()) as f32;
        row.iter_mut().for_each(|x| *x -= mean);
    }
    let square = mean(row.iter().map(|x| x * x));
    let factor = (1.0 / (square + f64::from(epsilon)).sqrt()) as f32;
    row.iter_mut().for_each(|x| *x *= factor);
    factor
}

/// Returns `dx` and adds the gradients of scale and shift.
pub(crate) fn backward(
    saved: &Saved,
    dy: &[f32],
    slots: NormSlots,
    numbers: &[f32],
    gradients: &mut [f32],
) -> Vec<f32> {
    let width = slots.scale.columns;
    let scale = slots.scale.of(numbers);
    let mut dx = dy.to_vec();
    let rows = dx
        .chunks_exact_mut(width)
        .zip(saved.normalized.chunks_exact(width));
    for ((row, normalized), factor) in rows.zip(&saved.factors) {
        if let Some(shift) = slots.shift {
            add(shift.of_mut(gradients), row);
        }
        let dscale = slots.scale.of_mut(gradients);
        for ((dscale, dy), x) in dscale.iter_mut().zip(row.iter()).zip(normalized) {
            *dscale += dy * x;
        }
        row.iter_mut().zip(scale).for_each(|(g, scale)| *g *= scale);
        let along = mean(row.iter().zip(normalized).map(|(g, x)| g * x)) as f32;
        let even = match slots.shift {
            Some(_) => mean(row.iter().copied()) as f32,
            None => 0.0,
        };
        for (g, x) in row.iter_mut().zip(normalized) {
            *g = factor * (*g - even - x * along);
        }
    }
    dx
}

fn mean(numbers: impl ExactSizeIterator<Item = f32>) -> f64 {
    let count = numbers.len() as f64;
    numbers.map(f64::from).sum::<f64>() / count
}
