//! Memory that a run takes, computed before any of it is allocated.

use attention::{Outputs, Sizes};
use gpu::MEASURED_ROW_BYTES;

/// How many numbers a tensor of these lengths holds. Axes of length 0 count as 1, so that no later product of lengths can overflow.
pub fn numbers_in(axes: &[u64]) -> u64 {
    axes.iter()
        .fold(1, |product, axis| product.saturating_mul((*axis).max(1)))
}

/// Bytes of the results that are wanted.
pub(super) fn result_bytes(sizes: &Sizes, want: &Outputs) -> u64 {
    let Sizes {
        batch,
        heads,
        kv_heads,
        n,
        m,
        keys,
        d_k,
        d_v,
        d_out,
        ..
    } = *sizes;
    let results = [
        (want.q, 4, [batch, heads, n, d_k]),
        (want.k, 4, [batch, kv_heads, m, d_k]),
        (want.v, 4, [batch, kv_heads, m, d_v]),
        (want.scores, 4, [batch, heads, n, keys]),
        (want.weights, 4, [batch, heads, n, keys]),
        (want.stats, MEASURED_ROW_BYTES, [batch, heads, n, 1]),
        (want.context, 4, [batch, heads, n, d_v]),
        (want.output, 4, [batch, 1, n, d_out]),
    ];
    let wanted = results.into_iter().filter(|(is_wanted, ..)| *is_wanted);
    let bytes = wanted.map(|(_, each, axes)| {
        let numbers = numbers_in(&axes.map(|axis| axis as u64));
        numbers.saturating_mul(each)
    });
    bytes.fold(0, u64::saturating_add)
}

/// Bytes of everything that a run keeps until its end, inputs included.
pub fn memory_of(sizes: &Sizes, want: &Outputs) -> u64 {
    let of = |axes: &[usize]| numbers_in(&axes.iter().map(|axis| *axis as u64).collect::<Vec<_>>());
    let Sizes {
        batch,
        heads,
        kv_heads,
        n,
        m,
        keys,
        d_model,
        d_k,
        d_v,
        d_out,
    } = *sizes;
    let d_model = d_model.unwrap_or(0);
    // A Linformer's projected keys and values, and its two projections.
    let projected = [
        of(&[batch, kv_heads, keys, d_k]),
        of(&[batch, kv_heads, keys, d_v]),
        of(&[2, keys, m]),
    ];
    let projected = projected.into_iter().filter(|_| keys != m);
    let linear = [
        of(&[batch, n, d_model]),
        of(&[batch, m, d_model]),
        of(&[batch, heads, n, d_k]),
        of(&[batch, kv_heads, m, d_k]),
        of(&[batch, kv_heads, m, d_v]),
        of(&[batch, heads, n, d_v]),
        of(&[batch, heads, n, d_v]),
        of(&[batch, n, d_out]),
    ];
    let square = of(&[batch, heads, n, keys])
        .saturating_mul(u64::from(want.scores) + u64::from(want.weights));
    linear
        .into_iter()
        .chain(projected)
        .fold(square, u64::saturating_add)
        .saturating_mul(4)
}
