//! Which scores may be too large for 32 bits. The longest query and key say so of a run; where they do, the lengths of all say it
//! of each row, by the keys that take part in its softmax. No other key changes a bit of it.

use std::ops::Range;

use crate::results::Tile;
use attention::{CellIndex, Error, Request};

/// Scores whose bound lies below this are exact enough in 32 bit: they are off by a few times 64·2⁻²⁴, and a weight by
/// at most half of the difference of two such errors.
const LARGE: f32 = 64.0;
/// Numbers of queries and keys up to which their rounding counts no more than that of tanh.
const PLAIN_COLUMN: f32 = 4.0;

/// Upper bound of the scores, from the lengths of queries and keys: `‖q‖·‖k‖·|scale|`, or
/// `Σ_c |w_a[c]|` for additive scores and more where queries and keys are large, divided by the
/// temperature.
struct Bound {
    scale: f32,
    /// `Σ_c |w_a[c]|`.
    additive: Option<f32>,
    d_k: f32,
    temperature: f32,
}

impl Bound {
    fn new(request: &Request) -> Self {
        let config = request.config();
        let total = |w_a: ndarray::ArrayView1<f32>| w_a.iter().map(|a| a.abs()).sum();
        Self {
            scale: config.scale.abs(),
            additive: request.additive().map(|w_a| total(w_a.view())),
            d_k: config.sizes.d_k as f32,
            temperature: config.temperature,
        }
    }

    /// Whether scores may be large of queries and keys that are no longer than these.
    ///
    /// # Errors
    /// [`Code::NotFinite`](attention::Code::NotFinite) where a length or a score may lie beyond the range.
    fn is_large(&self, query: f32, key: f32) -> Result<bool, Error> {
        for (field, length) in [("q", query), ("k", key)] {
            if !length.is_finite() {
                return Err(Error::beyond_range(field, length));
            }
        }
        let (largest, column) = match self.additive {
            Some(total) => {
                // What large columns lack in 32 bit is still there where a query and a key take each other away.
                let column = (query + key) / self.d_k.sqrt();
                (total, (column / PLAIN_COLUMN).max(1.0))
            }
            None => (query * key * self.scale, 1.0),
        };
        if !largest.is_finite() {
            return Err(Error::beyond_range("scores", largest));
        }
        Ok(largest * column / self.temperature > LARGE)
    }
}

/// Whether any score may be large or beyond the range, by the longest query and key.
pub(super) fn may_be_any(request: &Request, [query, key]: [f32; 2]) -> bool {
    Bound::new(request).is_large(query, key) != Ok(false)
}

/// The lengths of padded rows. None is longer than a device finds it, whatever the order of its sums, so that a run without
/// large scores as a whole has none by rows.
pub(super) fn lengths(padded: &[f32], stride: usize) -> Vec<f32> {
    let rounding = 4.0 * stride as f64 * f64::from(f32::EPSILON);
    let length = |row: &[f32]| {
        let squares: f64 = row.iter().map(|x| f64::from(*x).powi(2)).sum();
        let length = ((squares * (1.0 - rounding)) as f32).sqrt();
        if length.is_nan() {
            f32::INFINITY
        } else {
            length
        }
    };
    padded.chunks_exact(4 * stride.max(1)).map(length).collect()
}

/// The rows of a run that have large scores, if there are any.
pub(super) struct LargeRows {
    n: usize,
    /// `[batch·heads·n]`, 1 for those.
    pub(super) marks: Vec<u32>,
}

impl LargeRows {
    /// Finds them by the lengths of queries, `[batch·heads·n]`, and keys, `[batch·kv_heads·keys]`.
    ///
    /// # Errors
    /// [`Code::NotFinite`](attention::Code::NotFinite) where scores that take part in a softmax may lie beyond the range.
    pub(super) fn find(
        request: &Request,
        queries: &[f32],
        keys: &[f32],
    ) -> Result<Option<Self>, Error> {
        let (sizes, bound) = (request.sizes(), Bound::new(request));
        let mut marks = Vec::with_capacity(queries.len());
        for (slice, queries) in queries.chunks_exact(sizes.n.max(1)).enumerate() {
            let (batch, head) = (slice / sizes.heads, slice % sizes.heads);
            let of_head = batch * sizes.kv_heads + head / (sizes.heads / sizes.kv_heads);
            let mut seen = Seen::new(request, &keys[of_head * sizes.keys..][..sizes.keys]);
            for (query, length) in queries.iter().enumerate() {
                let first = CellIndex {
                    batch,
                    head,
                    query,
                    key: 0,
                };
                let longest = seen.longest(first);
                let is_large = longest.map_or(Ok(false), |key| bound.is_large(*length, key))?;
                marks.push(u32::from(is_large));
            }
        }
        let rows = Self { n: sizes.n, marks };
        Ok(rows.marks.contains(&1).then_some(rows))
    }

    /// Whether the tile has any.
    pub(super) fn are_in(&self, tile: Tile) -> bool {
        self.marks[tile.of_all(self.n)].contains(&1)
    }
}

/// The keys of one head that rows see.
struct Seen<'a> {
    request: &'a Request,
    /// Their lengths.
    keys: &'a [f32],
    cells: Vec<f32>,
    /// The last range, and the longest key in it: the next range often continues it.
    last: (Range<usize>, f32),
}

impl<'a> Seen<'a> {
    fn new(request: &'a Request, keys: &'a [f32]) -> Self {
        Self {
            request,
            keys,
            cells: vec![0.0; keys.len()],
            last: (0..0, 0.0),
        }
    }

    /// The length of the longest key that takes part in the softmax of a row; `None` where there is none.
    fn longest(&mut self, first: CellIndex) -> Option<f32> {
        let (config, mask) = (self.request.config(), &self.request.call().mask);
        let range = if config.masked && !config.mask_after {
            mask.visible_range(first, self.keys.len())
        } else {
            Some(0..self.keys.len())
        };
        if let Some(range) = range {
            return self.longest_in(range);
        }
        mask.write_row(first, &mut self.cells);
        let seen = self.keys.iter().zip(&self.cells);
        let seen = seen.filter(|(_, cell)| **cell > 0.0).map(|(key, _)| *key);
        seen.reduce(f32::max)
    }

    fn longest_in(&mut self, range: Range<usize>) -> Option<f32> {
        let (last, longest) = &self.last;
        let (from, longest) = if range.start == last.start && range.end >= last.end {
            (last.end, *longest)
        } else {
            (range.start, 0.0)
        };
        let longest = self.keys[from..range.end]
            .iter()
            .copied()
            .fold(longest, f32::max);
        self.last = (range.clone(), longest);
        (!range.is_empty()).then_some(longest)
    }
}

#[cfg(test)]
mod tests {
    use attention::{CallOptions, HeadInputs, LayerOptions, Mask};
    use ndarray::Array3;

    use super::*;

    /// Two heads of 4 queries that share 5 keys.
    fn request(call: CallOptions) -> Request {
        let inputs = HeadInputs {
            q: Array3::zeros((2, 4, 1)),
            k: Array3::zeros((1, 5, 1)),
            v: Array3::zeros((1, 5, 1)),
            additive: None,
            output: None,
        };
        let options = LayerOptions {
            heads: 2,
            kv_heads: Some(1),
            ..LayerOptions::default()
        };
        Request::from_heads(inputs, options, call).expect("valid")
    }

    fn marks(mask: Mask, mask_after: bool, queries: [f32; 8], keys: [f32; 5]) -> Vec<u32> {
        let call = CallOptions {
            mask,
            mask_after,
            ..CallOptions::default()
        };
        let found = LargeRows::find(&request(call), &queries, &keys);
        found
            .expect("within the range")
            .map_or(Vec::new(), |rows| rows.marks)
    }

    #[test]
    fn a_row_is_large_by_its_query_and_the_keys_that_it_sees() {
        let (ones, long) = ([1.0; 8], [1.0, 1.0, 100.0, f32::INFINITY, 1.0]);
        let keys = [1.0, 1.0, 100.0, 1.0, 1.0];
        assert_eq!(
            marks(Mask::Causal, false, ones, keys),
            [0, 0, 1, 1, 0, 0, 1, 1]
        );
        let near = Mask::Local { window: 1 };
        assert_eq!(marks(near, false, ones, keys), [0, 1, 1, 1, 0, 1, 1, 1]);
        let even = Mask::Any(vec![Mask::Strided {
            stride: std::num::NonZeroUsize::new(2).expect("two is not zero"),
        }]);
        assert_eq!(marks(even, false, ones, keys), [1, 0, 1, 0, 1, 0, 1, 0]);
        let mut queries = ones;
        queries[5] = 70.0;
        let two = Mask::Padding { valid: 2 };
        assert_eq!(
            marks(two.clone(), false, queries, long),
            [0, 0, 0, 0, 0, 1, 0, 0]
        );
        assert!(marks(two.clone(), false, ones, long).is_empty());
        assert_eq!(marks(two, true, ones, keys), [1; 8]);
        queries[3] = f32::INFINITY;
        let rows = Mask::PaddedQueries { valid: 2 };
        assert_eq!(
            marks(rows, false, queries, [1.0; 5]),
            [0, 0, 0, 0, 0, 1, 0, 0]
        );
    }

    #[test]
    fn lengths_beyond_the_range_are_refused_where_they_count() {
        let refused = |queries: [f32; 8], keys: [f32; 5]| {
            let found = LargeRows::find(&request(CallOptions::default()), &queries, &keys);
            found.err().map(|error| error.field)
        };
        let (mut queries, mut keys) = ([1.0; 8], [1.0; 5]);
        keys[4] = f32::INFINITY;
        assert_eq!(refused(queries, keys), Some("k".to_owned()));
        queries[7] = f32::INFINITY;
        assert_eq!(refused(queries, [1.0; 5]), Some("q".to_owned()));
        assert_eq!(refused([1e20; 8], [1e20; 5]), Some("scores".to_owned()));
    }

    /// Sums of 32 bits may come out below or above the exact one.
    #[test]
    fn no_length_is_above_that_of_sums_in_32_bits() {
        for stride in [1usize, 3, 16, 250] {
            let padded: Vec<f32> = (0..40 * 4 * stride)
                .map(|at| ((at * 7919) % 1013) as f32 / 97.0)
                .collect();
            for (row, length) in padded
                .chunks_exact(4 * stride)
                .zip(lengths(&padded, stride))
            {
                let sum = row.iter().fold(0.0f32, |sum, x| sum + x * x);
                assert!(length <= sum.sqrt() && length > 0.999 * sum.sqrt());
            }
        }
        assert_eq!(lengths(&[f32::NAN, 0.0, 0.0, 0.0], 1), [f32::INFINITY]);
        assert_eq!(lengths(&[3e38, 0.0, 0.0, 0.0], 1), [f32::INFINITY]);
    }
}
