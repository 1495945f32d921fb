//! Masks given cell by cell.

use std::sync::Arc;

use ndarray::{Array4, s};

use crate::{CellIndex, Error, Sizes};

/// An explicit mask `[batch, heads, n, m]`; an axis of length 1 serves every batch entry, head, query or key.
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
        let [batch, head, query, _] = self.own(first);
        let cells = self.cells.slice(s![batch, head, query, ..]);
        let number = |seen: &bool| f32::from(u8::from(*seen));
        match (cells.len(), cells.first()) {
            (1, Some(seen)) => row.fill(number(seen)),
            _ => row
                .iter_mut()
                .zip(cells)
                .for_each(|(cell, seen)| *cell = number(seen)),
        }
    }

    pub(crate) fn visible(&self, at: CellIndex) -> bool {
        self.cells[self.own(at)]
    }

    /// Where a cell stands in an array whose axes may have length 1.
    fn own(&self, at: CellIndex) -> [usize; 4] {
        let (batches, heads, n, m) = self.cells.dim();
        let [batch, head, query, key] = [
            (at.batch, batches),
            (at.head, heads),
            (at.query, n),
            (at.key, m),
        ]
        .map(|(at, length)| if length == 1 { 0 } else { at });
        [batch, head, query, key]
    }

    pub(crate) fn check(&self, sizes: &Sizes) -> Result<(), Error> {
        let wanted = [sizes.batch, sizes.heads, sizes.n, sizes.m];
        let mut axes = self.cells.shape().iter().zip(wanted);
        if axes.all(|(found, wanted)| *found == 1 || *found == wanted) {
            return Ok(());
        }
        let axes = "batch, heads, n, m; each may be 1, the first two may be left out";
        Err(Error::shape("mask", self.cells.shape(), &wanted, axes))
    }
}
