//! What the cells of a mask say about the call that is right for it.

use ndarray::{Array4, ArrayView2, Axis as ArrayAxis};

use super::ProgramError;
use crate::axes::to_i64;
use crate::rule::Align;
use crate::{Axes, Axis};

/// The most stretches of visible cells that a program lists.
pub const MOST_RUNS: usize = 1 << 13;

/// Visible keys `first .. end` of a query of a head of a batch entry.
pub(super) struct Run {
    pub(super) batch: usize,
    pub(super) head: usize,
    pub(super) query: usize,
    pub(super) first: usize,
    pub(super) end: usize,
}

/// The cells of a mask, `[batch or 1, heads or 1, n, m]`.
pub(crate) struct Cells {
    cells: Array4<bool>,
    /// `m − n`.
    offset: i64,
}

impl Cells {
    pub(crate) fn new(cells: Array4<bool>, axes: &Axes) -> Result<Self, ProgramError> {
        let (batch, heads, n, m) = cells.dim();
        let all = [
            (Axis::Keys, m, axes.m, false),
            (Axis::Queries, n, axes.n, false),
            (Axis::Heads, heads, axes.heads, true),
            (Axis::Batch, batch, axes.batch, true),
        ];
        for (axis, found, wanted, can_be_one) in all {
            if found != wanted && !(can_be_one && found == 1) {
                return Err(ProgramError::WrongLength {
                    axis,
                    found,
                    wanted,
                });
            }
        }
        let offset = axes.offset();
        Ok(Self { cells, offset })
    }

    pub(crate) fn shape(&self) -> [usize; 4] {
        let (batch, heads, n, m) = self.cells.dim();
        [batch, heads, n, m]
    }

    /// The map, if it is the same for all heads and batch entries.
    fn one(&self) -> Option<ArrayView2<'_, bool>> {
        let [batch, heads, ..] = self.shape();
        let is_one = batch == 1 && heads == 1;
        is_one.then(|| {
            let heads = self.cells.index_axis(ArrayAxis(0), 0);
            heads.index_axis_move(ArrayAxis(0), 0)
        })
    }

    pub(crate) fn are_all_visible(&self) -> bool {
        self.cells.iter().all(|seen| *seen)
    }

    /// Rows that show no key.
    pub(crate) fn empty_rows(&self) -> usize {
        let rows = self.cells.rows().into_iter();
        rows.filter(|row| !row.iter().any(|seen| *seen)).count()
    }

    /// How far the query is ahead of the key.
    fn ahead(&self, align: Align, query: usize, key: usize) -> i64 {
        let moved = match align {
            Align::Start => 0,
            Align::End => self.offset,
        };
        to_i64(query) + moved - to_i64(key)
    }

    pub(crate) fn is_causal(&self, align: Align) -> bool {
        self.one().is_some_and(|map| {
            let mut cells = map.indexed_iter();
            cells.all(|((query, key), seen)| *seen == (self.ahead(align, query, key) >= 0))
        })
    }

    /// The window `[before, after]` that shows these cells, the smallest.
    pub(super) fn window(&self, align: Align) -> Option<[i64; 2]> {
        let map = self.one()?;
        let ahead = |(query, key)| self.ahead(align, query, key);
        let seen = map.indexed_iter().filter(|(_, seen)| **seen);
        let distances: Vec<_> = seen.map(|(at, _)| ahead(at)).collect();
        let (before, last) = (*distances.iter().max()?, *distances.iter().min()?);
        let is_window = map.indexed_iter().all(|(at, seen)| {
            let distance = ahead(at);
            *seen == (last <= distance && distance <= before)
        });
        (is_window && last <= 0 && before >= 0).then_some([before, -last])
    }

    /// Lengths of documents that see only themselves, and whether they are causal.
    pub(super) fn documents(&self) -> Option<(Vec<usize>, bool)> {
        let map = self.one().filter(|map| map.is_square())?;
        let starts_document = |query: usize| query == 0 || !map[[query, query - 1]];
        let mut starts: Vec<_> = (0..map.nrows()).filter(|i| starts_document(*i)).collect();
        starts.push(map.nrows());
        let document = |position: usize| starts.partition_point(|start| *start <= position);
        let shows = |is_causal: bool| {
            let mut cells = map.indexed_iter();
            cells.all(|((query, key), seen)| {
                *seen == (document(query) == document(key) && (!is_causal || key <= query))
            })
        };
        let is_causal = shows(true);
        let lengths = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        (is_causal || shows(false)).then_some((lengths, is_causal))
    }

    /// Stretches of visible cells, in order.
    pub(super) fn runs(&self) -> Result<Vec<Run>, ProgramError> {
        let mut runs: Vec<Run> = Vec::new();
        let mut before = None;
        for ((batch, head, query, key), seen) in self.cells.indexed_iter() {
            if !seen {
                continue;
            }
            match runs.last_mut() {
                Some(run) if before == Some((batch, head, query)) && run.end == key => run.end += 1,
                _ => runs.push(Run {
                    batch,
                    head,
                    query,
                    first: key,
                    end: key + 1,
                }),
            }
            before = Some((batch, head, query));
        }
        let count = runs.len();
        if count > MOST_RUNS {
            return Err(ProgramError::TooManyRuns { runs: count });
        }
        Ok(runs)
    }
}
