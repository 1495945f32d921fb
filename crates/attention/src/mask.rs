//! Masks: which keys a query sees. `true` is visible, everywhere.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;

use crate::{Error, ExplicitMask, Sizes};

/// A cell of the attention of one head: which batch entry, head, query row and key column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellIndex {
    /// Batch entry.
    pub batch: usize,
    /// Query head.
    pub head: usize,
    /// Query row.
    pub query: usize,
    /// Key column.
    pub key: usize,
}

/// Which cells of the score matrix are visible. Structured masks compare positions: query `i`, key `j`.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Mask {
    /// Every cell.
    #[default]
    Full,
    /// `j ≤ i`: no query sees the future.
    Causal,
    /// `j < valid`: the rest of the keys is padding.
    Padding {
        /// How many keys are real.
        valid: usize,
    },
    /// `j ≥ padded`: the first keys are padding.
    LeftPadding {
        /// How many keys in front are padding.
        padded: usize,
    },
    /// `i < valid`: the rest of the queries is padding, and their rows see nothing.
    PaddedQueries {
        /// How many queries are real.
        valid: usize,
    },
    /// `|i − j| ≤ window` (Beltagy et al. 2020, sliding window).
    Local {
        /// Reach to either side; 0 leaves the diagonal.
        window: usize,
    },
    /// `(i − j) mod stride = 0` (Child et al. 2019, the second head of strided attention).
    Strided {
        /// Distance between visible keys.
        stride: NonZeroUsize,
    },
    /// `j < length` or `j ≤ i`: the prefix is seen by all, what follows is causal (Raffel et al. 2020, §3.2.1).
    Prefix {
        /// Keys that every query sees.
        length: usize,
    },
    /// `i` and `j` lie in the same document: packed texts do not see each other.
    Documents(Documents),
    /// Cell by cell.
    Painted(ExplicitMask),
    /// A mask whose rules take query row `i` for `i + queries`: `queries` is where the first query stands among the keys. Painted cells
    /// and padded queries keep their rows.
    Offset {
        /// Where the first query stands.
        queries: i64,
        /// The mask.
        mask: Box<Mask>,
    },
    /// Visible where all of these are; an empty list hides nothing.
    All(Vec<Mask>),
    /// Visible where at least one of these is; an empty list hides everything.
    Any(Vec<Mask>),
}

/// Lengths of documents that stand one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Documents {
    /// Where each ends, not included.
    ends: Arc<[usize]>,
}

impl Documents {
    /// Documents of these lengths; their sum is checked where the request is made.
    pub fn new(lengths: impl IntoIterator<Item = usize>) -> Self {
        let ends = lengths.into_iter().scan(0usize, |end, length| {
            *end = end.saturating_add(length);
            Some(*end)
        });
        Self {
            ends: ends.collect(),
        }
    }

    /// The places of each document.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(&0).chain(self.ends.iter());
        starts
            .zip(self.ends.iter())
            .map(|(start, end)| *start..*end)
    }

    /// The places of the document that `place` lies in; none beyond the last.
    fn around(&self, place: i64) -> Range<usize> {
        let Ok(place) = usize::try_from(place) else {
            return 0..0;
        };
        let at = self.ends.partition_point(|end| *end <= place);
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.ends.get(at).map_or(0..0, |end| start..*end)
    }
}

/// Where a query stands among the keys.
fn place_of(query: usize, start: i64) -> i64 {
    start.saturating_add_unsigned(query as u64)
}

/// `place mod stride`, at least 0.
fn remainder(place: i64, stride: NonZeroUsize) -> usize {
    let stride = stride.get() as u64;
    let rest = place.unsigned_abs() % stride;
    let rest = if place < 0 && rest > 0 {
        stride - rest
    } else {
        rest
    };
    rest as usize
}

impl Mask {
    /// The mask of queries of which the first stands at key `queries` instead of the first key.
    pub fn from_place(self, queries: i64) -> Self {
        if queries == 0 || self.is_full() {
            return self;
        }
        Self::Offset {
            queries,
            mask: Box::new(self),
        }
    }

    /// Whether the cell `at` is visible. `at` lies inside the shape that the mask was checked against.
    pub fn visible(&self, at: CellIndex) -> bool {
        self.visible_from(0, at)
    }

    fn visible_from(&self, start: i64, at: CellIndex) -> bool {
        let place = place_of(at.query, start);
        let key = at.key as i64;
        match self {
            Self::Full => true,
            Self::Causal => key <= place,
            Self::Padding { valid } => at.key < *valid,
            Self::LeftPadding { padded } => at.key >= *padded,
            Self::PaddedQueries { valid } => at.query < *valid,
            Self::Local { window } => place.abs_diff(key) <= *window as u64,
            Self::Strided { stride } => place.abs_diff(key).is_multiple_of(stride.get() as u64),
            Self::Prefix { length } => at.key < *length || key <= place,
            Self::Documents(documents) => documents.around(place).contains(&at.key),
            Self::Painted(painted) => painted.visible(at),
            Self::Offset { queries, mask } => mask.visible_from(start.saturating_add(*queries), at),
            Self::All(masks) => masks.iter().all(|mask| mask.visible_from(start, at)),
            Self::Any(masks) => masks.iter().any(|mask| mask.visible_from(start, at)),
        }
    }

    /// Writes a query's row of the mask: 1 where `row[key]` is visible, 0 where it is hidden. `first` names batch
    /// entry, head and query; its key is 0. The same cells as [`visible`](Self::visible), a row at a time.
    pub fn write_row(&self, first: CellIndex, row: &mut [f32]) {
        self.write_row_from(0, first, row);
    }

    fn write_row_from(&self, start: i64, first: CellIndex, row: &mut [f32]) {
        if let Some(seen) = self.visible_range_from(start, first, row.len()) {
            row.fill(0.0);
            row[seen].fill(1.0);
            return;
        }
        match self {
            Self::Strided { stride } => {
                row.fill(0.0);
                let place = place_of(first.query, start);
                let seen = row.iter_mut().skip(remainder(place, *stride));
                seen.step_by(stride.get()).for_each(|cell| *cell = 1.0);
            }
            Self::Painted(painted) => painted.write_row(first, row),
            Self::Offset { queries, mask } => {
                mask.write_row_from(start.saturating_add(*queries), first, row);
            }
            Self::All(masks) => {
                row.fill(1.0);
                let mut other = vec![0.0; row.len()];
                for mask in masks {
                    mask.write_row_from(start, first, &mut other);
                    row.iter_mut()
                        .zip(&other)
                        .for_each(|(cell, other)| *cell *= other);
                }
            }
            _ => self.write_cells(start, first, row),
        }
    }

    /// The keys, of `0 .. keys`, that a query sees, where the rule makes one range of them for every query; `None` for other rules.
    /// `first` is as in [`write_row`](Self::write_row).
    pub fn visible_range(&self, first: CellIndex, keys: usize) -> Option<Range<usize>> {
        self.visible_range_from(0, first, keys)
    }

    fn visible_range_from(
        &self,
        start: i64,
        first: CellIndex,
        keys: usize,
    ) -> Option<Range<usize>> {
        let place = place_of(first.query, start);
        // Clamped before it is converted: on wasm32 the end of a long window does not fit into a `usize`.
        let last = i64::try_from(keys).unwrap_or(i64::MAX);
        let key_at = |place: i64| place.clamp(0, last) as usize;
        let seen = match self {
            Self::Full => 0..keys,
            Self::Causal => 0..key_at(place.saturating_add(1)),
            Self::Padding { valid } => 0..*valid,
            Self::LeftPadding { padded } => *padded..keys,
            Self::PaddedQueries { valid } if first.query < *valid => 0..keys,
            Self::PaddedQueries { .. } => 0..0,
            Self::Local { window } => {
                let window = i64::try_from(*window).unwrap_or(i64::MAX);
                let end = place.saturating_add(window).saturating_add(1);
                key_at(place.saturating_sub(window))..key_at(end)
            }
            Self::Prefix { length } => 0..key_at(place.saturating_add(1)).max(*length),
            Self::Documents(documents) => documents.around(place),
            Self::Offset { queries, mask } => {
                return mask.visible_range_from(start.saturating_add(*queries), first, keys);
            }
            Self::All(masks) => {
                let mut ranges = masks
                    .iter()
                    .map(|mask| mask.visible_range_from(start, first, keys));
                ranges.try_fold(0..keys, |all, range| {
                    let range = range?;
                    Some(all.start.max(range.start)..all.end.min(range.end))
                })?
            }
            _ => return None,
        };
        let end = seen.end.min(keys);
        Some(seen.start.min(end)..end)
    }

    fn write_cells(&self, start: i64, first: CellIndex, row: &mut [f32]) {
        for (key, cell) in row.iter_mut().enumerate() {
            let at = CellIndex { key, ..first };
            *cell = f32::from(u8::from(self.visible_from(start, at)));
        }
    }

    /// Whether the mask hides nothing whatever the shape, so that the mask step can be left out.
    pub fn is_full(&self) -> bool {
        match self {
            Self::Full => true,
            Self::All(masks) => masks.iter().all(Self::is_full),
            Self::Any(masks) => masks.iter().any(Self::is_full),
            Self::Offset { mask, .. } => mask.is_full(),
            _ => false,
        }
    }

    /// Whether the rules guarantee, whatever the shape, that no query row sees a key of a higher number. Painted
    /// cells are ignored.
    pub fn is_causal(&self) -> bool {
        match self {
            Self::Causal => true,
            Self::All(masks) => masks.iter().any(Self::is_causal),
            Self::Offset { queries, mask } => *queries <= 0 && mask.is_causal(),
            _ => false,
        }
    }

    /// Whether a query sees no key.
    fn hides_all(&self, first: CellIndex, keys: usize) -> bool {
        match self.visible_range(first, keys) {
            Some(range) => range.is_empty(),
            None => !(0..keys).any(|key| self.visible(CellIndex { key, ..first })),
        }
    }

    /// How many rows of the mask, as it was given, hide every key.
    ///
    /// A mask that is the same for all heads (or batch entries) counts each of its query rows once; a mask painted
    /// per head or per batch entry counts the rows of each.
    pub fn empty_rows(&self, sizes: &Sizes) -> usize {
        let (batches, heads) = self.own_axes();
        let mut empty = 0;
        for batch in 0..batches.min(sizes.batch) {
            for head in 0..heads.min(sizes.heads) {
                let first = |query| CellIndex {
                    batch,
                    head,
                    query,
                    key: 0,
                };
                let is_empty = |query: &usize| self.hides_all(first(*query), sizes.keys);
                empty += (0..sizes.n).filter(is_empty).count();
            }
        }
        empty
    }

    /// Batch entries and heads for which this mask differs.
    pub fn own_axes(&self) -> (usize, usize) {
        match self {
            Self::Painted(painted) => (painted.cells.dim().0, painted.cells.dim().1),
            Self::Offset { mask, .. } => mask.own_axes(),
            Self::All(masks) | Self::Any(masks) => masks
                .iter()
                .map(Self::own_axes)
                .fold((1, 1), |(batches, heads), (b, h)| {
                    (batches.max(b), heads.max(h))
                }),
            _ => (1, 1),
        }
    }

    /// Refuses a mask that does not fit `sizes`.
    pub(crate) fn check(&self, sizes: &Sizes) -> Result<(), Error> {
        let refused = |field, value: &usize, rule| {
            let code = crate::Code::ShapeMismatch;
            Err(Error::new(code, field, value, rule))
        };
        let (n, m) = (sizes.n, sizes.m);
        let keys = || format!("must be at most the number of keys, m = {m}");
        match self {
            Self::Padding { valid } if *valid > m => refused("mask.valid", valid, keys()),
            Self::LeftPadding { padded } if *padded > m => refused("mask.padded", padded, keys()),
            Self::Prefix { length } if *length > m => refused("mask.length", length, keys()),
            Self::PaddedQueries { valid } if *valid > n => {
                let rule = format!("must be at most the number of queries, n = {n}");
                refused("mask.valid", valid, rule)
            }
            Self::Documents(documents) => {
                let sum = documents.ends.last().unwrap_or(&0);
                if *sum == m {
                    return Ok(());
                }
                let rule = format!("the lengths must add up to the number of keys, m = {m}");
                refused("mask.lengths", sum, rule)
            }
            Self::Painted(painted) => painted.check(sizes),
            Self::Offset { mask, .. } => mask.check(sizes),
            Self::All(masks) | Self::Any(masks) => {
                masks.iter().try_for_each(|mask| mask.check(sizes))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array4;

    fn picture(mask: &Mask, n: usize, m: usize) -> Vec<String> {
        let cell = |query, key| {
            if mask.visible(CellIndex {
                batch: 0,
                head: 0,
                query,
                key,
            }) {
                '1'
            } else {
                '.'
            }
        };
        (0..n)
            .map(|query| (0..m).map(|key| cell(query, key)).collect())
            .collect()
    }

    #[test]
    fn structured_masks_look_as_defined() {
        assert_eq!(picture(&Mask::Causal, 3, 5), ["1....", "11...", "111.."]);
        assert_eq!(picture(&Mask::Padding { valid: 2 }, 2, 3), ["11.", "11."]);
        let rows = Mask::PaddedQueries { valid: 2 };
        assert_eq!(picture(&rows, 3, 2), ["11", "11", ".."]);
        assert_eq!(
            picture(&Mask::Local { window: 1 }, 3, 5),
            ["11...", "111..", ".111."]
        );
        let stride = NonZeroUsize::new(2).expect("two is not zero");
        assert_eq!(picture(&Mask::Strided { stride }, 2, 5), ["1.1.1", ".1.1."]);
    }

    #[test]
    fn rows_are_written_as_cells_are_seen() {
        let stride = NonZeroUsize::new(3).expect("three is not zero");
        let cells = Array4::from_shape_fn((1, 1, 9, 5), |(_, _, i, j)| (i * 5 + j) % 7 != 2);
        let masks = [
            Mask::Full,
            Mask::Causal,
            Mask::Padding { valid: 3 },
            Mask::Padding { valid: 9 },
            Mask::PaddedQueries { valid: 4 },
            Mask::Local { window: 0 },
            Mask::Local { window: 2 },
            Mask::Local { window: usize::MAX },
            Mask::Strided { stride },
            Mask::Painted(ExplicitMask::new(cells)),
            Mask::Any(vec![Mask::Causal, Mask::Strided { stride }]),
            Mask::All(vec![]),
            Mask::All(vec![Mask::Causal, Mask::Local { window: 1 }]),
            Mask::All(vec![
                Mask::Local { window: 1 },
                Mask::Padding { valid: 2 },
                Mask::All(vec![Mask::PaddedQueries { valid: 6 }, Mask::Full]),
            ]),
            Mask::All(vec![Mask::Causal, Mask::Strided { stride }]),
        ];
        for mask in masks {
            for query in 0..9 {
                let first = CellIndex {
                    batch: 0,
                    head: 0,
                    query,
                    key: 0,
                };
                let (mut row, mut wanted) = ([0.5; 5], [0.5; 5]);
                mask.write_row(first, &mut row);
                mask.write_cells(0, first, &mut wanted);
                assert_eq!(row, wanted, "{mask:?}, query {query}");
            }
        }
    }

    #[test]
    fn combinations_are_and_and_or() {
        let both = vec![Mask::Causal, Mask::Local { window: 1 }];
        assert_eq!(
            picture(&Mask::All(both.clone()), 3, 4),
            ["1...", "11..", ".11."]
        );
        assert_eq!(picture(&Mask::Any(both), 3, 4), ["11..", "111.", "1111"]);
        assert_eq!(picture(&Mask::Any(vec![]), 1, 2), [".."]);
        assert_eq!(picture(&Mask::All(vec![]), 1, 2), ["11"]);
    }

    #[test]
    fn leading_axes_of_one_serve_all() {
        let mask = Mask::Painted(ExplicitMask::new(Array4::from_shape_fn(
            (1, 2, 1, 2),
            |(_, h, _, k)| h == k,
        )));
        assert!(mask.visible(CellIndex {
            batch: 4,
            head: 1,
            query: 0,
            key: 1
        }));
        assert!(!mask.visible(CellIndex {
            batch: 4,
            head: 1,
            query: 0,
            key: 0
        }));
    }

    #[test]
    fn empty_rows_are_counted_once_per_row_of_the_mask() {
        let sizes = Sizes {
            batch: 3,
            heads: 4,
            kv_heads: 2,
            n: 5,
            m: 7,
            keys: 7,
            d_model: None,
            d_k: 1,
            d_v: 1,
            d_out: 4,
        };
        assert_eq!(Mask::Padding { valid: 0 }.empty_rows(&sizes), 5);
        let per_head = ExplicitMask::new(Array4::from_shape_fn((1, 4, 5, 7), |(_, h, i, _)| {
            h != 2 || i != 1
        }));
        assert_eq!(Mask::Painted(per_head).empty_rows(&sizes), 1);
        assert_eq!(
            Mask::Full.empty_rows(&Sizes {
                m: 0,
                keys: 0,
                ..sizes
            }),
            5
        );
    }
}
