//! Masks given cell by cell.

use std::sync::Arc;

use ndarray::{Array4, s};

use crate::{CellIndex, Error, Sizes};

/// An explicit mask `[batch, heads, n, m]`; a leading axis of length 1 serves every batch entry or head.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplicitMask {
    pub(crate) cells: Arc<Array4<bool>>,
}

impl ExplicitMask {
    /// Takes the cells, `true` = visible. Whether the shape fits is checked where the request is made.
    pub fn new(cells: Array4<bool>) -> Self {
        Self {
            cells: Arc::new(cells),
        }
    }

    pub(crate) fn write_row(&self, first: CellIndex, row: &mut [f32]) {
        let (batches, heads, _, _) = self.cells.dim();
        let (batch, head) = (first.batch.min(batches - 1), first.head.min(heads - 1));
        let cells = self.cells.slice(s![batch, head, first.query, ..]);
        for (cell, seen) in row.iter_mut().zip(cells) {
            *cell = f32::from(u8::from(*seen));
        }
    }

    pub(crate) fn visible(&self, at: CellIndex) -> bool {
        let (batches, heads, _, _) = self.cells.dim();
        self.cells[[
            at.batch.min(batches - 1),
            at.head.min(heads - 1),
            at.query,
            at.key,
        ]]
    }

    pub(crate) fn check(&self, sizes: &Sizes) -> Result<(), Error> {
        let (batches, heads, n, m) = self.cells.dim();
        let fits = (batches == 1 || batches == sizes.batch)
            && (heads == 1 || heads == sizes.heads)
            && (n, m) == (sizes.n, sizes.m);
        if fits {
            return Ok(());
        }
        let wanted = [sizes.batch, sizes.heads, sizes.n, sizes.m];
        let axes = "batch, heads, n, m; the first two may be left out or 1";
        Err(Error::shape("mask", self.cells.shape(), &wanted, axes))
    }
}
