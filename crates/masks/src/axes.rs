//! The lengths that a mask has to fit.

use std::fmt;

use crate::rule::Align;

/// Lengths of the axes `[batch, heads, n, m]` of the scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axes {
    /// Independent inputs.
    pub batch: usize,
    /// Query heads.
    pub heads: usize,
    /// Queries: rows of the map.
    pub n: usize,
    /// Keys: columns of the map.
    pub m: usize,
}

impl Axes {
    /// One head of one input: `[1, 1, n, m]`.
    pub const fn of_map(n: usize, m: usize) -> Self {
        Self {
            batch: 1,
            heads: 1,
            n,
            m,
        }
    }

    /// Where the first query stands among the keys.
    pub fn start(&self, align: Align) -> i64 {
        match align {
            Align::Start => 0,
            Align::End => self.offset(),
        }
    }

    /// `m − n`: the key that the first query is compared with where the last ones are aligned.
    pub(crate) fn offset(&self) -> i64 {
        to_i64(self.m).saturating_sub(to_i64(self.n))
    }
}

/// An axis of the scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Independent inputs.
    Batch,
    /// Query heads.
    Heads,
    /// Queries, `n`.
    Queries,
    /// Keys, `m`.
    Keys,
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Batch => "batch",
            Self::Heads => "heads",
            Self::Queries => "queries",
            Self::Keys => "keys",
        })
    }
}

/// A length as a signed number; lengths that do not fit are taken as the largest.
pub(crate) fn to_i64(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}
