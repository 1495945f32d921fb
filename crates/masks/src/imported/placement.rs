//! Which axes of the scores a shape can stand for.

use ndarray::Array4;

use super::ImportError;
use crate::{Axes, Axis};

/// Along which axes a reading is not the same throughout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Differs {
    /// It has numbers for each batch entry.
    pub batch: bool,
    /// It has numbers for each head.
    pub heads: bool,
    /// It has numbers for each query; else all queries share one row.
    pub queries: bool,
}

impl Differs {
    pub(super) fn of((batch, heads, _, _): (usize, usize, usize, usize), queries: usize) -> Self {
        Self {
            batch: batch > 1,
            heads: heads > 1,
            queries: queries > 1,
        }
    }
}

/// How numbers are laid over the scores.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Placement {
    /// As `[batch, heads, n, m]`, where an axis of length 1 serves all.
    Tensor([usize; 4]),
    /// As how many keys of each batch entry are real.
    Lengths,
}

/// All placements of a shape.
pub(super) fn placements(
    shape: &[usize],
    axes: &Axes,
    can_be_lengths: bool,
) -> Result<Vec<Placement>, ImportError> {
    let candidates = match *shape {
        [keys] => vec![[1, 1, 1, keys]],
        [first, keys] => vec![[1, 1, first, keys], [first, 1, 1, keys]],
        [first, queries, keys] => {
            let mut candidates = vec![[1, first, queries, keys], [first, 1, queries, keys]];
            if first == axes.batch.saturating_mul(axes.heads) {
                // PyTorch's nn.MultiheadAttention counts heads fastest.
                candidates.push([axes.batch, axes.heads, queries, keys]);
            }
            candidates
        }
        [batch, heads, queries, keys] => vec![[batch, heads, queries, keys]],
        _ => return Err(ImportError::WrongRank { axes: shape.len() }),
    };
    let misfit = candidates.first().and_then(|shape| misfit(shape, axes));
    let mut fitting: Vec<_> = candidates
        .into_iter()
        .filter(|shape| self::misfit(shape, axes).is_none())
        .map(Placement::Tensor)
        .collect();
    fitting.dedup();
    if can_be_lengths && *shape == [axes.batch] {
        fitting.push(Placement::Lengths);
    }
    match misfit {
        Some(misfit) if fitting.is_empty() => Err(misfit),
        _ => Ok(fitting),
    }
}

/// The first axis, from the last on, that fits neither as it is nor as one for all.
fn misfit(shape: &[usize; 4], axes: &Axes) -> Option<ImportError> {
    let [batch, heads, queries, keys] = *shape;
    let all = [
        (Axis::Keys, keys, axes.m, false),
        (Axis::Queries, queries, axes.n, true),
        (Axis::Heads, heads, axes.heads, true),
        (Axis::Batch, batch, axes.batch, true),
    ];
    let found = all
        .into_iter()
        .find(|(_, found, wanted, can_be_one)| found != wanted && !(*can_be_one && *found == 1));
    found.map(|(axis, found, wanted, _)| ImportError::WrongLength {
        axis,
        found,
        wanted,
    })
}

impl Placement {
    /// Batch entries and heads of its own, queries and keys of the scores.
    fn full_shape(&self, axes: &Axes) -> [usize; 4] {
        match self {
            Self::Tensor([batch, heads, _, _]) => [*batch, *heads, axes.n, axes.m],
            Self::Lengths => [axes.batch, 1, axes.n, axes.m],
        }
    }

    /// How many cells it has once its rows serve all queries.
    pub(super) fn full_cells(&self, axes: &Axes) -> usize {
        let shape = self.full_shape(axes).into_iter();
        shape.fold(1, usize::saturating_mul)
    }

    pub(super) fn differs(&self) -> Differs {
        match *self {
            Self::Tensor([batch, heads, queries, keys]) => {
                Differs::of((batch, heads, queries, keys), queries)
            }
            Self::Lengths => Differs {
                batch: true,
                heads: false,
                queries: false,
            },
        }
    }

    /// What `of` makes of the number behind each cell, given its index.
    pub(super) fn spread<T>(&self, axes: &Axes, of: impl Fn(usize) -> T) -> Array4<T> {
        let own = match *self {
            Self::Tensor(shape) => shape,
            Self::Lengths => [axes.batch, 1, 1, 1],
        };
        let at = |axis: usize, at: usize| at.min(own[axis].saturating_sub(1));
        Array4::from_shape_fn(self.full_shape(axes), |(batch, head, query, key)| {
            let row = (at(0, batch) * own[1] + at(1, head)) * own[2] + at(2, query);
            of(row * own[3] + at(3, key))
        })
    }
}
