//! Random weights, Xavier/Glorot uniform.

use ndarray::{Array1, Array2};

use super::Sizes;
use super::random::{StreamKind, Uniform};
use crate::{Linear, Linformer, Weights};

/// Weights of every head, drawn from `seed`, without biases.
///
/// Every matrix of every head is uniform in `±√(6 / (fan_in + fan_out))`: queries, keys and values
/// are `[d_model, d_k]` per head, as in Vaswani et al. 2017, section 3.2.2; the output is one
/// matrix `[heads·d_k, d_model]`. Source: Glorot and Bengio 2010, eq. 16.
///
/// Each column of a head (each row of the output) has a random stream of its own, so that another
/// head, a larger `d_k` or a larger `d_model` adds numbers and only rescales those already there.
pub fn weights(sizes: Sizes, seed: u32) -> Weights {
    let Sizes {
        d_model,
        d_k,
        heads,
        kv_heads,
    } = sizes;
    let projection = |kind, heads: usize| Linear {
        w: vectors(seed, kind, heads, d_k, d_model, limit(d_model, d_k)).reversed_axes(),
        b: None,
    };
    Weights {
        query: projection(StreamKind::Query, heads),
        key: projection(StreamKind::Key, kv_heads),
        value: projection(StreamKind::Value, kv_heads),
        output: Some(Linear {
            w: vectors(
                seed,
                StreamKind::Output,
                heads,
                d_k,
                d_model,
                limit(heads * d_k, d_model),
            ),
            b: None,
        }),
        additive: None,
    }
}

/// `w_a`, `[d_k]`, of additive scores, uniform in `±√(6 / (d_k + 1))`: a projection from `d_k` numbers to one. Every
/// head has the same.
pub fn additive(d_k: usize, seed: u32) -> Array1<f32> {
    let limit = limit(d_k, 1);
    Uniform::new(seed, StreamKind::Additive, 0)
        .take(d_k)
        .map(|x| x * limit)
        .collect()
}

/// Linformer's `E` and `F`, each `[length, m]`, uniform in `±√(6 / (m + length))`. Every row has a random stream of its
/// own, so that a longer sequence or projection adds numbers and only rescales those already there.
pub fn linformer(length: usize, m: usize, seed: u32) -> Linformer {
    let rows = |kind| vectors(seed, kind, 1, length, m, limit(m, length));
    Linformer {
        e: rows(StreamKind::ShortKeys),
        f: rows(StreamKind::ShortValues),
    }
}

/// The bound of Glorot and Bengio 2010, eq. 16. A square root is exactly rounded everywhere.
fn limit(fan_in: usize, fan_out: usize) -> f32 {
    (6.0 / (fan_in + fan_out) as f32).sqrt()
}

/// `[heads·d_k, length]`, one random stream per row.
fn vectors(
    seed: u32,
    kind: StreamKind,
    heads: usize,
    d_k: usize,
    length: usize,
    limit: f32,
) -> Array2<f32> {
    let mut rows = Array2::zeros((heads * d_k, length));
    for (r, mut row) in rows.outer_iter_mut().enumerate() {
        let stream = ((r / d_k) as u64) << 32 | (r % d_k) as u64;
        row.iter_mut()
            .zip(Uniform::new(seed, kind, stream))
            .for_each(|(cell, x)| *cell = x * limit);
    }
    rows
}
