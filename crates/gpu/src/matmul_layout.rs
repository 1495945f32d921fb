//! Offsets and strides of the operands of a matrix product, for the one kernel that computes all of them.

use crate::results::Tile;
use crate::uniforms::Product;

/// The matrices of one operand, one for each slice: batch entry and head. Distances count vectors of four.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Operand {
    base: u32,
    /// From one batch entry to the next, and from one head to the next.
    outer: usize,
    inner: usize,
    /// From one row to the next.
    stride: usize,
    /// Heads that share a matrix.
    group: usize,
}

impl Operand {
    /// One matrix for all slices.
    pub(super) fn shared(stride: usize) -> Self {
        Self {
            stride,
            group: 1,
            ..Self::default()
        }
    }

    /// `[batch, rows, stride]`: one matrix for all heads.
    pub(super) fn of_entries(rows: usize, stride: usize) -> Self {
        Self {
            outer: rows * stride,
            ..Self::shared(stride)
        }
    }

    /// `[batch, heads, rows, stride]`.
    pub(super) fn of_heads(heads: usize, rows: usize, stride: usize) -> Self {
        Self {
            inner: rows * stride,
            ..Self::of_entries(heads * rows, stride)
        }
    }

    /// `[batch or 1, heads or 1, rows, stride]`.
    pub(super) fn of_planes([batches, heads]: [usize; 2], rows: usize, stride: usize) -> Self {
        let step = |count, distance| if count > 1 { distance } else { 0 };
        Self {
            outer: step(batches, heads * rows * stride),
            inner: step(heads, rows * stride),
            ..Self::shared(stride)
        }
    }

    /// One matrix in which each head has the next `width` columns.
    pub(super) fn of_columns(stride: usize, width: usize) -> Self {
        Self {
            inner: width,
            ..Self::shared(stride)
        }
    }

    /// The scores of a tile, whose first slice lies at the beginning: the base is negative, wrapped around, as the
    /// shaders count.
    pub(super) fn of_tile(tile: Tile, heads: usize, stride: usize) -> Self {
        let before = tile.first_slice * tile.rows * stride;
        Self {
            base: 0u32.wrapping_sub(before as u32),
            ..Self::of_heads(heads, tile.rows, stride)
        }
    }

    /// The same from another row on.
    pub(super) fn starting_at(self, row: usize) -> Self {
        Self {
            base: self.base.wrapping_add((row * self.stride) as u32),
            ..self
        }
    }

    /// The same for `group` heads each.
    pub(super) fn shared_by(self, group: usize) -> Self {
        Self { group, ..self }
    }
}

impl Product {
    /// `c [rows, columns] = a [rows, inner]·b` for slices of so many heads.
    pub(super) fn new(
        [rows, inner, columns]: [usize; 3],
        heads: usize,
        [a, b, c]: [Operand; 3],
    ) -> Self {
        Self {
            rows: rows as u32,
            inner: inner as u32,
            columns: columns as u32,
            heads: heads as u32,
            a_base: a.base,
            a_outer: a.outer as u32,
            a_inner: a.inner as u32,
            a_stride: a.stride as u32,
            b_base: b.base,
            b_outer: b.outer as u32,
            b_inner: b.inner as u32,
            b_stride: b.stride as u32,
            c_base: c.base,
            c_outer: c.outer as u32,
            c_inner: c.inner as u32,
            c_stride: c.stride as u32,
            a_group: a.group as u32,
            b_group: b.group as u32,
            factor: 1.0,
            ..Self::default()
        }
    }

    /// The same with another operand `b`.
    pub(super) fn read_b(&mut self, b: Operand) {
        self.b_base = b.base;
        self.b_outer = b.outer as u32;
        self.b_inner = b.inner as u32;
        self.b_stride = b.stride as u32;
        self.b_group = b.group as u32;
    }

    /// Columns, rows and slices.
    pub(super) fn extent(&self, slices: usize) -> [u64; 3] {
        [u64::from(self.columns), u64::from(self.rows), slices as u64]
    }
}
