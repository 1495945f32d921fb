//! Softmax over the visible keys of each row.

use std::ops::Range;

use crate::exp::{exp, exp_lanes};
use crate::simd::{F32x4, LANES, larger, largest_of, vectors};

/// Turns rows of scores into weights in place: `w[k] = exp(β·(s[k] − max)) / Σ_j exp(β·(s[j] − max))`, `β` being `inverse_temperature`.
///
/// `scores` holds rows of `keys` numbers; `visible` is empty (all visible) or as long as `scores`, 1 where a key is
/// visible and 0 where it is hidden. Hidden keys get 0; a row with nothing visible becomes zero. No infinity is used.
/// Source: Vaswani et al. 2017, eq. 1.
pub fn softmax_rows(scores: &mut [f32], visible: &[f32], keys: usize, inverse_temperature: f32) {
    if keys == 0 {
        return;
    }
    if visible.is_empty() {
        let rows = scores.chunks_exact_mut(keys);
        rows.for_each(|row| softmax_all(row, inverse_temperature));
    } else {
        let rows = scores
            .chunks_exact_mut(keys)
            .zip(visible.chunks_exact(keys));
        rows.for_each(|(row, seen)| softmax_visible(row, seen, inverse_temperature));
    }
}

/// [`softmax_rows`] for one row of which the keys in `visible` are visible: the same bits, without a look at the others.
///
/// # Panics
/// If `visible` reaches beyond the row.
pub fn softmax_range(row: &mut [f32], visible: Range<usize>, inverse_temperature: f32) {
    if visible.is_empty() {
        row.fill(0.0);
        return;
    }
    // From the first vector to the last, so that the sum has the lanes that it has in the whole row.
    let start = visible.start / LANES * LANES;
    let end = visible.end.next_multiple_of(LANES).min(row.len());
    row[..start].fill(0.0);
    row[end..].fill(0.0);
    let max = largest_of(&row[visible.clone()], f32::MIN);
    row[start..visible.start].fill(max);
    row[visible.end..end].fill(max);
    exponentials(&mut row[start..end], max, inverse_temperature);
    row[start..visible.start].fill(0.0);
    row[visible.end..end].fill(0.0);
    normalise(&mut row[start..end]);
}

fn softmax_all(row: &mut [f32], inverse_temperature: f32) {
    let max = largest_of(row, f32::MIN);
    exponentials(row, max, inverse_temperature);
    normalise(row);
}

fn softmax_visible(row: &mut [f32], seen: &[f32], inverse_temperature: f32) {
    let visible = row.iter().zip(seen).filter(|(_, seen)| **seen > 0.0);
    let Some(max) = visible.map(|(score, _)| *score).reduce(larger) else {
        row.fill(0.0);
        return;
    };
    exponentials_of_visible(row, seen, max, inverse_temperature);
    normalise(row);
}

fn exponentials(row: &mut [f32], max: f32, inverse_temperature: f32) {
    let (offset, factor) = (F32x4::splat(max), F32x4::splat(inverse_temperature));
    let (whole, rest) = row.as_chunks_mut::<LANES>();
    for chunk in whole {
        *chunk = exp_lanes(F32x4::new(*chunk).sub(offset).mul(factor)).to_array();
    }
    for score in rest {
        *score = exp((*score - max) * inverse_temperature);
    }
}

/// A hidden score can lie far above `max`; it is replaced by `max` before the exponential and by 0 after it.
fn exponentials_of_visible(row: &mut [f32], seen: &[f32], max: f32, inverse_temperature: f32) {
    for (score, seen) in row.iter_mut().zip(seen) {
        *score = if *seen > 0.0 { *score } else { max };
    }
    exponentials(row, max, inverse_temperature);
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
