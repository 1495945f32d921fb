//! Softmax over the visible keys of each row.

use std::ops::Range;

use crate::exp::{exp, exp_lanes};
use crate::simd::{F32x4, LANES, vectors};

/// Turns rows of scores into weights in place: `w[k] = exp(s[k] − max) / Σ_j exp(s[j] − max)`.
///
/// `scores` holds rows of `keys` numbers; `visible` is empty (all visible) or as long as `scores`, 1 where a key is
/// visible and 0 where it is hidden. Hidden keys get 0; a row with nothing visible becomes zero. No infinity is used.
/// Source: Vaswani et al. 2017, eq. 1.
pub fn softmax_rows(scores: &mut [f32], visible: &[f32], keys: usize) {
    if keys == 0 {
        return;
    }
    if visible.is_empty() {
        scores.chunks_exact_mut(keys).for_each(softmax_all);
    } else {
        let rows = scores
            .chunks_exact_mut(keys)
            .zip(visible.chunks_exact(keys));
        rows.for_each(|(row, seen)| softmax_visible(row, seen));
    }
}

/// [`softmax_rows`] for one row of which the keys in `visible` are visible: the same bits, without a look at the others.
///
/// # Panics
/// If `visible` reaches beyond the row.
pub fn softmax_range(row: &mut [f32], visible: Range<usize>) {
    if visible.is_empty() {
        row.fill(0.0);
        return;
    }
    // From the first vector to the last, so that the sum has the lanes that it has in the whole row.
    let start = visible.start / LANES * LANES;
    let end = visible.end.next_multiple_of(LANES).min(row.len());
    row[..start].fill(0.0);
    row[end..].fill(0.0);
    let max = largest(&row[visible.clone()]);
    row[start..visible.start].fill(max);
    row[visible.end..end].fill(max);
    exponentials(&mut row[start..end], max);
    row[start..visible.start].fill(0.0);
    row[visible.end..end].fill(0.0);
    normalise(&mut row[start..end]);
}

fn softmax_all(row: &mut [f32]) {
    let max = largest(row);
    exponentials(row, max);
    normalise(row);
}

fn softmax_visible(row: &mut [f32], seen: &[f32]) {
    let visible = row.iter().zip(seen).filter(|(_, seen)| **seen > 0.0);
    let Some(max) = visible.map(|(score, _)| *score).reduce(f32::max) else {
        row.fill(0.0);
        return;
    };
    exponentials_of_visible(row, seen, max);
    normalise(row);
}

fn largest(row: &[f32]) -> f32 {
    let (whole, rest) = vectors(row);
    let max = whole.fold(F32x4::splat(f32::MIN), |max, scores| scores.max(max));
    rest.iter().copied().fold(max.largest(), f32::max)
}

fn exponentials(row: &mut [f32], max: f32) {
    let offset = F32x4::splat(max);
    let (whole, rest) = row.as_chunks_mut::<LANES>();
    for chunk in whole {
        *chunk = exp_lanes(F32x4::new(*chunk).sub(offset)).to_array();
    }
    for score in rest {
        *score = exp(*score - max);
    }
}

/// A hidden score can lie far above `max`; it is replaced by `max` before the exponential and by 0 after it.
fn exponentials_of_visible(row: &mut [f32], seen: &[f32], max: f32) {
    for (score, seen) in row.iter_mut().zip(seen) {
        *score = if *seen > 0.0 { *score } else { max };
    }
    exponentials(row, max);
    for (weight, seen) in row.iter_mut().zip(seen) {
        *weight *= seen;
    }
}

fn normalise(row: &mut [f32]) {
    let (whole, rest) = vectors(row);
    let sum = whole.fold(F32x4::splat(0.0), F32x4::add).sum() + rest.iter().sum::<f32>();
    let divisor = F32x4::splat(sum);
    let (whole, rest) = row.as_chunks_mut::<LANES>();
    for chunk in whole {
        *chunk = F32x4::new(*chunk).div(divisor).to_array();
    }
    for weight in rest {
        *weight /= sum;
    }
}
