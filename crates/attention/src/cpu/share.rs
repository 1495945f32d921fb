//! The heads of a run: all, or one half where two threads compute a request together.

use std::ops::Range;

use ndarray::{Array4, ArrayView2, s};

use super::tile::Tile;
use crate::{Request, Sizes, kv_head_of};

/// Which heads a run computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// All of them.
    All,
    /// The first half.
    FirstHalf,
    /// The second half. Its output lacks the bias, which comes with the first.
    SecondHalf,
}

impl Share {
    /// Whether the heads have halves that share no keys and values.
    pub const fn has_halves(sizes: &Sizes) -> bool {
        Self::divides(sizes.heads, sizes.kv_heads)
    }

    pub(crate) const fn divides(heads: usize, kv_heads: usize) -> bool {
        heads.is_multiple_of(2) && kv_heads.is_multiple_of(2)
    }

    /// The heads of `count` that it takes. Heads of an odd count have no halves.
    pub const fn heads(self, count: usize) -> Range<usize> {
        match self {
            Self::All => 0..count,
            Self::FirstHalf => 0..count / 2,
            Self::SecondHalf => count / 2..count,
        }
    }

    /// The heads whose part of the output is one product: the halves, if there are any, wherever they are computed, so that the
    /// sums have the same order.
    pub(super) fn output_groups(self, heads: usize) -> Vec<Range<usize>> {
        match self {
            Self::All if heads.is_multiple_of(2) => [Self::FirstHalf, Self::SecondHalf]
                .map(|half| half.heads(heads))
                .into(),
            _ => vec![self.heads(heads)],
        }
    }

    /// The sizes of its tensors. Without `W_O` the output holds the heads side by side.
    pub fn sizes(self, request: &Request) -> Sizes {
        let sizes = *request.sizes();
        let heads = self.heads(sizes.heads).len();
        let d_out = match request.output() {
            Some(_) => sizes.d_out,
            None => heads * sizes.d_v,
        };
        Sizes {
            heads,
            kv_heads: self.heads(sizes.kv_heads).len(),
            d_out,
            ..sizes
        }
    }

    /// The index of a tile's head in tensors that hold no other heads.
    pub(super) fn head_index(self, tile: Tile, sizes: &Sizes) -> usize {
        tile.head - self.heads(sizes.heads).start
    }

    /// A tile's rows of the queries `[batch, heads, n, d_k]`.
    pub(super) fn queries<'a>(
        self,
        tile: Tile,
        q: &'a Array4<f32>,
        sizes: &Sizes,
    ) -> ArrayView2<'a, f32> {
        let head = self.head_index(tile, sizes);
        q.slice(s![tile.batch, head, tile.rows(), ..])
    }

    /// The keys or values, of `[batch, kv_heads, keys, d]`, that the head of a tile reads.
    pub(super) fn keys_or_values<'a>(
        self,
        tile: Tile,
        rows: &'a Array4<f32>,
        sizes: &Sizes,
    ) -> ArrayView2<'a, f32> {
        let head = kv_head_of(tile.head, sizes.heads, sizes.kv_heads);
        let first = self.heads(sizes.kv_heads).start;
        rows.slice(s![tile.batch, head - first, .., ..])
    }
}
