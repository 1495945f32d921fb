//! Where the rows of a call stand in the sequence.

use std::sync::Arc;

use ndarray::Array2;

use crate::plan::Side;
use crate::{Code, Error, Sizes};

/// Places of query rows and key rows. Without any, query `i` stands at `i` and key `j` at `j`.
///
/// They are for what encodes positions: sinusoids, rotation, ALiBi. A mask that counts from the same start is made by
/// [`Mask::from_place`](crate::Mask::from_place).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// Where the first query stands among the keys. `m − n` puts the last query at the last key, as in decoding with kept keys; below 0
    /// where there are more queries than keys.
    pub query_start: i64,
    /// The position of each key, `[1 or batch, m]`, where they do not count from 0; query `i` has that of key `query_start + i`.
    pub positions: Option<Arc<Array2<u32>>>,
}

/// The farthest that queries may start from the first key, either way: positions stay exact in 32-bit numbers.
pub const MOST_QUERY_START: i64 = 1 << 24;

impl Places {
    /// Batch entries that differ.
    pub fn entries(&self) -> usize {
        self.positions.as_ref().map_or(1, |own| own.nrows())
    }

    /// The first place that a query or a key stands at, where `positions` name no others; below 0 where queries begin before the keys.
    pub fn first(&self) -> i64 {
        self.query_start.min(0)
    }

    /// So many positions in a row from [`first`](Self::first): with as many as the longer side has rows, those of every query and key.
    pub fn from_first(&self, count: usize) -> Vec<i64> {
        (self.first()..).take(count).collect()
    }

    /// The position of query `row`.
    pub fn query(&self, batch: usize, row: usize) -> i64 {
        let place = self.query_start + row as i64;
        match (&self.positions, usize::try_from(place)) {
            (Some(_), Ok(key)) => self.key(batch, key),
            _ => place,
        }
    }

    /// The position of key `row`.
    pub fn key(&self, batch: usize, row: usize) -> i64 {
        match &self.positions {
            Some(own) => i64::from(own[[batch.min(own.nrows() - 1), row]]),
            None => row as i64,
        }
    }

    /// The position of a row of one side.
    pub fn of(&self, side: Side, batch: usize, row: usize) -> i64 {
        match side {
            Side::KeysValues => self.key(batch, row),
            Side::Both | Side::Queries => self.query(batch, row),
        }
    }

    /// The positions of `rows` rows of one side, of each of [`entries`](Self::entries).
    pub fn all(&self, side: Side, rows: usize) -> Vec<Vec<i64>> {
        let of_entry = |batch| (0..rows).map(|row| self.of(side, batch, row)).collect();
        (0..self.entries()).map(of_entry).collect()
    }

    /// Refuses a start out of range, and positions that are not those of all keys or do not reach every query.
    pub(crate) fn check(&self, sizes: &Sizes) -> Result<(), Error> {
        if self.query_start.abs() > MOST_QUERY_START {
            let rule = format!("must lie between -{MOST_QUERY_START} and {MOST_QUERY_START}");
            return Err(Error::new(
                Code::UnknownOption,
                "query_start",
                self.query_start,
                rule,
            ));
        }
        let Some(positions) = &self.positions else {
            return Ok(());
        };
        let (entries, keys) = positions.dim();
        if keys != sizes.m || (entries != 1 && entries != sizes.batch) {
            let wanted = [sizes.batch, sizes.m];
            let axes = "batch, m; the batch may be left out";
            return Err(Error::shape("positions", positions.shape(), &wanted, axes));
        }
        let ends = self.query_start + sizes.n as i64;
        if self.query_start < 0 || ends > sizes.m as i64 {
            let rule = "with positions every query must stand at a key: query_start + n ≤ m";
            return Err(Error::new(
                Code::NotApplicable,
                "query_start",
                self.query_start,
                rule,
            ));
        }
        let farthest = positions
            .iter()
            .find(|at| i64::from(**at) > MOST_QUERY_START);
        farthest.map_or(Ok(()), |at| {
            let rule = format!("must be at most {MOST_QUERY_START}");
            Err(Error::new(Code::UnknownOption, "positions", at, rule))
        })
    }
}
