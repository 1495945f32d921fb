//! Names the pattern of a head, with the rule and the number behind it.
//!
//! The rules are tried in this order, over the rows that *decide*: those with weight that see at least two keys, as a
//! query that sees one key has no choice. Weights count as shares of their row's sum.
//!
//! 1. [`Nothing`](Pattern::Nothing), [`NoChoice`](Pattern::NoChoice): no row has weight; none decides.
//! 2. [`Evenly`](Pattern::Evenly): three quarters of the rows reach [`EVEN`] of their largest entropy; the others are its
//!    exceptions.
//! 3. One key for each query, or the keys of its word: the pattern with the largest mean share, where that is at least
//!    [`HALF`] and [`CLEAR`] times what any other pattern has on keys that it alone means, in the rows where there are such,
//!    and where the pattern applies to half of the rows.
//!
//!    [`SameWord`](Pattern::SameWord) means the keys with the query's word, [`Induction`](Pattern::Induction), in
//!    self-attention, those after an earlier key with it. Few words occur again, so these two need not apply to half of the
//!    rows, but to two and to a tenth, where no other pattern of this rule has [`HALF`] and the other rows have half of their
//!    weight on sinks, of which more below. They need [`CLEAR`] times what rows of other words give the same keys, and, where
//!    they mean several keys, [`AGAIN`] times what a place among them has.
//!
//!    [`SameWord`](Pattern::SameWord) contains the token itself; rows whose word does not occur again count where they look
//!    at themselves, at least [`HALF`] on average. Of patterns with the same keys in the same rows, the first of these is said:
//!    a neighbouring place, induction, the same word, another place, one key.
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
//! Trained heads rest on a *sink* where they find nothing to look at (Clark et al. 2019, section 3.2; Xiao et al. 2024). A key
//! is one where nine tenths of the rows see it, its mean share over those is at least [`SINK`] (Gu et al. 2025),
//! and that is one and a half times what an even spread would give it. The first keys are [`Sinks`] for as long as each of them
//! is one, otherwise the heaviest key is, where it is one. Where these rules come to [`Key`](Pattern::Key), `Keys`, `Unclear` or
//! a place further back than the previous one, and the head has sinks, rules 3 and 5 are tried, for places and words, on the
//! weight that is left beside them: shares are of that, sinks are keys that no query sees, and rows that have less than [`REST`]
//! of their weight left *rest*. To such a row no pattern applies, but of the rows whose word occurs again no more than half may
//! rest. Where nothing is found so, the first reading stands: a head that does nothing but rest is [`Key(0)`](Pattern::Key), or
//! [`Keys`](Pattern::Keys) for the first few.
//!
//! The thresholds are ours, but for [`SINK`]. What is looked for is what Clark et al. 2019 (section 3) and Kovaleva et al. 2019
//! (section 4.1) found in trained models, and, for induction, Olsson et al. 2022.

mod candidate;
mod group;
mod rest;

#[cfg(test)]
mod sink_tests;
#[cfg(test)]
mod tests;
mod words;

use super::{Places, Rows, entropy_share};
use candidate::{Candidate, candidates};
use rest::Rest;
pub use rest::{Sinks, heaviest_key};

/// Share of its largest entropy from which on a row is spread evenly.
pub const EVEN: f64 = 0.9;
/// Smallest mean share of the weight for a pattern of one key.
pub const HALF: f64 = 0.5;
/// How many times the share of any other pattern it has to be.
pub const CLEAR: f64 = 2.0;
/// How many times the weight on itself the weight on all tokens of its word has to be.
pub const AGAIN: f64 = 1.5;
/// Smallest mean share of the weight for a pattern of a few keys.
pub const FEW: f64 = 0.75;
/// Share of the weight that they have in nine tenths of the rows.
pub const EACH: f64 = 2.0 / 3.0;
/// Smallest mean share of the weight for a span.
pub const NEAR: f64 = 0.7;
/// Mean share of the weight from which on a key is a sink, the ε of Gu et al. 2025.
pub const SINK: f64 = 0.3;
/// Share of its weight that a row has to have beside sinks to be read.
pub const REST: f64 = 0.1;

/// Pattern of a head.
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
    /// The key after an earlier one with the query's word.
    Induction,
    /// The same few keys for all queries, the heaviest first.
    Keys(Vec<usize>),
    /// The keys from this many places after the query to that many.
    Span(isize, isize),
    /// None of these.
    Unclear,
}

impl Pattern {
    /// The key before the query.
    pub const PREVIOUS: Self = Self::Place(-1);
    /// The token itself.
    pub const ITSELF: Self = Self::Place(0);
    /// The key after the query.
    pub const NEXT: Self = Self::Place(1);
    /// The first key.
    pub const FIRST: Self = Self::Key(0);

    /// Whether it means `key` for `query` in a text whose equal words have equal numbers; never for what means no certain keys.
    pub fn means(&self, words: &[usize], query: usize, key: usize) -> bool {
        let offset = key.wrapping_sub(query) as isize;
        match self {
            Self::Place(shift) => offset == *shift,
            Self::Span(from, to) => (*from..=*to).contains(&offset),
            Self::Key(own) => key == *own,
            Self::Keys(own) => own.contains(&key),
            Self::SameWord => words[key] == words[query],
            Self::Induction => key > 0 && key <= query && words[key - 1] == words[query],
            Self::Nothing | Self::NoChoice | Self::Evenly | Self::Unclear => false,
        }
    }
}

/// A pattern and what decided it.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternMatch {
    /// Pattern of the head.
    pub pattern: Pattern,
    /// The number that decided, in 0 … 1: the mean share of its largest entropy over the rows that are spread evenly for
    /// [`Pattern::Evenly`], the mean share of the weight otherwise; 0 where there is none.
    pub share: f64,
    /// Over how many rows it is the mean.
    pub rows: usize,
    /// How many rows could have decided.
    pub of: usize,
    /// Runner-up, with its mean share in the rows where both patterns mean different keys; for
    /// [`Pattern::Unclear`] the strongest candidate.
    pub rival: Option<(Pattern, f64)>,
    /// The sinks beside which the pattern is found, in the weight that is left; for [`Pattern::Unclear`] those that there are.
    pub sinks: Option<Sinks>,
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
    if !(0..rows.queries()).any(|query| rows.total(query) > 0.0) {
        return PatternMatch::bare(Pattern::Nothing);
    }
    let deciding = deciding(rows);
    if deciding.is_empty() {
        return PatternMatch::bare(Pattern::NoChoice);
    }
    let reading = evenly(rows, &deciding)
        .unwrap_or_else(|| by_all(&Rest::new(rows, &deciding, &[]), places, words));
    let may_rest = match reading.pattern {
        Pattern::Key(_) | Pattern::Keys(_) | Pattern::Unclear => true,
        // The first row that has such a key looks at the first one.
        Pattern::Place(shift) => shift < -1,
        _ => false,
    };
    let sinks = (may_rest && places != Places::None)
        .then(|| rest::sinks(rows, &deciding))
        .flatten();
    let Some(sinks) = sinks else {
        return reading;
    };
    let rest = Rest::new(rows, &deciding, &sinks.keys);
    match beside_sinks(&rest, places, words) {
        Some(beside) => PatternMatch {
            sinks: Some(sinks),
            ..beside
        },
        None if reading.pattern == Pattern::Unclear => PatternMatch {
            sinks: Some(sinks),
            ..reading
        },
        None => reading,
    }
}

/// The rows with weight that see at least two keys.
fn deciding(rows: &Rows<'_>) -> Vec<usize> {
    let has_choice = |query: &usize| rows.total(*query) > 0.0 && rows.visible().count(*query) > 1;
    (0..rows.queries()).filter(has_choice).collect()
}

/// A pattern of places or words in what the rows have left beside the sinks.
fn beside_sinks(rest: &Rest<'_>, places: Places, words: Words<'_>) -> Option<PatternMatch> {
    let candidates = candidates(rest, places, words);
    let is_key = |pattern: &Pattern| matches!(pattern, Pattern::Key(_));
    single(&candidates, rest, |pattern| !is_key(pattern)).or_else(|| group::span(rest, places))
}

fn by_all(rest: &Rest<'_>, places: Places, words: Words<'_>) -> PatternMatch {
    let candidates = candidates(rest, places, words);
    single(&candidates, rest, |_| true)
        .or_else(|| group::keys(rest))
        .or_else(|| group::span(rest, places))
        .unwrap_or_else(|| unclear(&candidates, rest.of()))
}

impl PatternMatch {
    fn bare(pattern: Pattern) -> Self {
        Self {
            pattern,
            share: 0.0,
            rows: 0,
            of: 0,
            rival: None,
            sinks: None,
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

/// The best of the permitted candidates, if it is clear.
fn single(
    candidates: &[Candidate],
    rest: &Rest<'_>,
    may_be: impl Fn(&Pattern) -> bool,
) -> Option<PatternMatch> {
    let best = best(candidates.iter().filter(|one| may_be(&one.pattern)))?;
    let rival = best.rival(candidates, rest);
    let is_clear = rival
        .as_ref()
        .is_none_or(|rival| rival.own >= CLEAR * rival.share);
    (best.share >= HALF && is_clear).then(|| PatternMatch {
        rival: rival.map(|rival| (rival.pattern, rival.share)),
        ..PatternMatch::from_share(best.pattern.clone(), best.share, best.count(), rest.of())
    })
}

fn unclear(candidates: &[Candidate], of: usize) -> PatternMatch {
    let best = best(candidates.iter());
    PatternMatch {
        of,
        rival: best.map(|best| (best.pattern.clone(), best.share)),
        ..PatternMatch::bare(Pattern::Unclear)
    }
}

/// The candidate with the largest share, the first on ties.
fn best<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> Option<&'a Candidate> {
    candidates.reduce(|best, next| if next.share > best.share { next } else { best })
}
