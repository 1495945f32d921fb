//! What a head does, in a word, and the rule and number that say so.
//!
//! The rules are tried in this order, over the rows that *decide*: those with weight that see at least two keys, as a
//! query that sees one key has no choice. Weights count as shares of their row's sum.
//!
//! 1. [`Nothing`](Pattern::Nothing), [`NoChoice`](Pattern::NoChoice): no row has weight; none decides.
//! 2. [`Evenly`](Pattern::Evenly): three quarters of the rows reach [`EVEN`] of their largest entropy; the others are its
//!    exceptions.
//! 3. One key for each query, or the keys with its word: the pattern with the largest mean share, where that is at least
//!    [`HALF`] and [`CLEAR`] times that of any other pattern in the rows where both mean different keys, and where the
//!    pattern applies to half of the rows. [`SameWord`](Pattern::SameWord) contains the token itself: it is said where,
//!    in the rows whose word occurs again, all its occurrences together have [`AGAIN`] times what the token itself has.
//! 4. [`Keys`](Pattern::Keys): the smallest set of keys, at most two fifths of all and six, each seen by half of the rows,
//!    that has [`FEW`] of the weight on average, [`EACH`] in nine tenths of the rows, and twice what an even spread
//!    would give it.
//! 5. [`Span`](Pattern::Span): the narrowest span of two or three neighbouring offsets within three places that has
//!    [`NEAR`] of the weight on average and one and a half times what an even spread would give it.
//!
//!    For both of these only rows count that see one of the keys and at least as many others; they have to be half of the
//!    rows.
//!
//! 6. [`Unclear`](Pattern::Unclear) otherwise.
//!
//! The thresholds are ours. What is looked for is what Clark et al. 2019 (section 3) and Kovaleva et al. 2019
//! (section 4.1) found in trained models.

mod candidate;
mod group;

#[cfg(test)]
mod tests;

use super::{Places, Rows, entropy_share};
use candidate::{Candidate, candidates};

/// Share of its largest entropy from which on a row is spread evenly.
pub const EVEN: f64 = 0.9;
/// Smallest mean share of the weight for a pattern of one key.
pub const HALF: f64 = 0.5;
/// How many times the share of any other pattern it has to be.
pub(super) const CLEAR: f64 = 2.0;
/// How many times the weight on itself the weight on all tokens of its word has to be.
pub const AGAIN: f64 = 1.5;
/// Smallest mean share of the weight for a pattern of a few keys.
pub const FEW: f64 = 0.75;
/// Share of the weight that they have in nine tenths of the rows.
pub const EACH: f64 = 2.0 / 3.0;
/// Smallest mean share of the weight for a span.
pub const NEAR: f64 = 0.7;

/// What a head does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// No row has any weight.
    Nothing,
    /// No query sees more than one key.
    NoChoice,
    /// Every visible key alike.
    Evenly,
    /// The key this many places after the query: 0 is the token itself in self-attention, −1 the previous one.
    Place(isize),
    /// One and the same key for all queries; 0 is the first.
    Key(usize),
    /// The keys with the query's word, itself among them in self-attention.
    SameWord,
    /// The same few keys for all queries, the heaviest first.
    Keys(Vec<usize>),
    /// The keys from this many places after the query to that many.
    Span(isize, isize),
    /// None of these.
    Unclear,
}

/// A pattern and what decided it.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternMatch {
    /// What the head does.
    pub pattern: Pattern,
    /// The number that decided, in 0 … 1: the mean share of its largest entropy over the rows that are spread evenly for
    /// [`Pattern::Evenly`], the mean share of the weight otherwise; 0 where there is none.
    pub share: f64,
    /// Over how many rows it is the mean.
    pub rows: usize,
    /// How many rows could have decided.
    pub of: usize,
    /// What comes next, with its mean share in the rows where both mean different keys; for [`Pattern::Unclear`] what comes
    /// first.
    pub rival: Option<(Pattern, f64)>,
    /// The rows that are not spread evenly, for [`Pattern::Evenly`].
    pub exceptions: Vec<usize>,
}

/// The words of rows and columns, as numbers that are equal where words mean the same.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    /// One for each query.
    pub queries: &'a [u32],
    /// One for each key.
    pub keys: &'a [u32],
}

/// Reads one head by the rules above. `words` are used where keys have words.
pub fn read(rows: &Rows<'_>, places: Places, words: Words<'_>) -> PatternMatch {
    let weighted: Vec<usize> = (0..rows.queries())
        .filter(|query| rows.total(*query) > 0.0)
        .collect();
    if weighted.is_empty() {
        return PatternMatch::bare(Pattern::Nothing);
    }
    let deciding: Vec<usize> = weighted
        .into_iter()
        .filter(|query| rows.visible().count(*query) > 1)
        .collect();
    if deciding.is_empty() {
        return PatternMatch::bare(Pattern::NoChoice);
    }
    let singles = candidates(rows, &deciding, places, words);
    evenly(rows, &deciding)
        .or_else(|| single(&singles, deciding.len()))
        .or_else(|| group::keys(rows, &deciding))
        .or_else(|| group::span(rows, &deciding, places))
        .unwrap_or_else(|| unclear(&singles, deciding.len()))
}

impl PatternMatch {
    fn bare(pattern: Pattern) -> Self {
        Self {
            pattern,
            share: 0.0,
            rows: 0,
            of: 0,
            rival: None,
            exceptions: Vec::new(),
        }
    }

    fn from_share(pattern: Pattern, share: f64, rows: usize, of: usize) -> Self {
        Self {
            share,
            rows,
            of,
            ..Self::bare(pattern)
        }
    }
}

fn evenly(rows: &Rows<'_>, deciding: &[usize]) -> Option<PatternMatch> {
    let share = |query: &usize| (*query, entropy_share(rows, *query).unwrap_or(0.0));
    let (even, uneven): (Vec<_>, Vec<_>) = deciding
        .iter()
        .map(share)
        .partition(|(_, share)| *share >= EVEN);
    let sum: f64 = even.iter().map(|(_, share)| share).sum();
    (4 * even.len() >= 3 * deciding.len()).then(|| PatternMatch {
        exceptions: uneven.into_iter().map(|(query, _)| query).collect(),
        ..PatternMatch::from_share(
            Pattern::Evenly,
            sum / even.len() as f64,
            even.len(),
            deciding.len(),
        )
    })
}

/// The best of the candidates, where it is clear.
fn single(candidates: &[Candidate], of: usize) -> Option<PatternMatch> {
    let best = best(candidates)?;
    let rival = best.rival(candidates);
    let is_clear = rival
        .as_ref()
        .is_none_or(|rival| rival.own >= CLEAR * rival.share);
    (best.share >= HALF && is_clear).then(|| PatternMatch {
        rival: rival.map(|rival| (rival.pattern, rival.share)),
        ..PatternMatch::from_share(best.pattern.clone(), best.share, best.count(), of)
    })
}

fn unclear(candidates: &[Candidate], of: usize) -> PatternMatch {
    let best = best(candidates);
    PatternMatch {
        of,
        rival: best.map(|best| (best.pattern.clone(), best.share)),
        ..PatternMatch::bare(Pattern::Unclear)
    }
}

/// The candidate with the largest share, the first on ties.
fn best(candidates: &[Candidate]) -> Option<&Candidate> {
    candidates
        .iter()
        .reduce(|best, next| if next.share > best.share { next } else { best })
}
