//! Numbers that are added to the scores.

use std::sync::Arc;

use ndarray::{Array4, ArrayView1, s};

use crate::error::check_all_finite;
use crate::{Error, Sizes};

/// A bias `[batch, heads, n, m]` that is added to the scaled scores before the softmax, whatever the mask shows; an axis of length 1
/// among the first two serves every batch entry or head.
#[derive(Debug, Clone, PartialEq)]
pub struct Bias {
    numbers: Arc<Array4<f32>>,
}

impl Bias {
    /// Takes the numbers. Whether the shape fits and all are finite is checked where the request is made.
    pub fn new(numbers: Array4<f32>) -> Self {
        Self {
            numbers: Arc::new(numbers),
        }
    }

    /// All numbers.
    pub fn numbers(&self) -> &Array4<f32> {
        &self.numbers
    }

    /// How many matrices `[n, m]` it has.
    pub fn matrices(&self) -> usize {
        let (batches, heads, _, _) = self.numbers.dim();
        batches * heads
    }

    /// The bias of a query's row of scores, `[m]`.
    pub fn row(&self, batch: usize, head: usize, query: usize) -> ArrayView1<'_, f32> {
        let (batches, heads, _, _) = self.numbers.dim();
        let (batch, head) = (batch.min(batches - 1), head.min(heads - 1));
        self.numbers.slice(s![batch, head, query, ..])
    }

    pub(crate) fn check(&self, sizes: &Sizes) -> Result<(), Error> {
        let (batches, heads, n, m) = self.numbers.dim();
        let fits = (batches == 1 || batches == sizes.batch)
            && (heads == 1 || heads == sizes.heads)
            && (n, m) == (sizes.n, sizes.m);
        if !fits {
            let wanted = [sizes.batch, sizes.heads, sizes.n, sizes.m];
            let axes = "batch, heads, n, m; the first two may be left out or 1";
            return Err(Error::shape("bias", self.numbers.shape(), &wanted, axes));
        }
        check_all_finite("bias", &self.numbers)
    }
}
