//! Packed keys and values of a head: computed once, and reused by the tiles of all heads that share
//! them.

use kernels::{Packed, all_finite, largest_norm};
use ndarray::ArrayView2;

use super::f64_scores::largest_by_column;
use super::matmul::{contiguous, pack, pack_transposed};
use super::tile::Tile;
use crate::Sizes;

/// Keys and values of one head of one batch entry; each part is computed on first use.
#[derive(Default)]
pub(super) struct KvHead {
    batch: usize,
    head: usize,
    keys: Option<Packed>,
    values: Option<Values>,
    longest_key: Option<f32>,
    largest_keys: Option<Vec<f32>>,
}

/// Packed values.
pub(super) struct Values {
    pub(super) packed: Packed,
    /// Whether they are all finite, so that a weight of 0 takes no part in a sum.
    pub(super) are_finite: bool,
}

impl KvHead {
    /// Selects the head of a tile; the data of another one are dropped.
    pub(super) fn select(&mut self, tile: Tile, sizes: &Sizes) -> &mut Self {
        let (batch, head) = (tile.batch, tile.kv_head(sizes));
        if (self.batch, self.head) != (batch, head) {
            *self = Self {
                batch,
                head,
                ..Self::default()
            };
        }
        self
    }

    /// `Kᵀ`, `[d_k, keys]`, from `K`.
    pub(super) fn keys(&mut self, k: ArrayView2<f32>) -> &Packed {
        self.keys.get_or_insert_with(|| pack_transposed(k))
    }

    /// `V`, `[keys, d_v]`.
    pub(super) fn values(&mut self, v: ArrayView2<f32>) -> &Values {
        self.values.get_or_insert_with(|| Values {
            packed: pack(v),
            are_finite: all_finite(&contiguous(v)),
        })
    }

    /// The largest `‖k‖` of `K`'s rows.
    pub(super) fn longest_key(&mut self, k: ArrayView2<f32>) -> f32 {
        *self
            .longest_key
            .get_or_insert_with(|| largest_norm(&contiguous(k), k.ncols()))
    }

    /// The largest magnitude in each column of `K`, `[d_k]`.
    pub(super) fn largest_keys(&mut self, k: ArrayView2<f32>) -> &[f32] {
        self.largest_keys
            .get_or_insert_with(|| largest_by_column(k))
    }
}
