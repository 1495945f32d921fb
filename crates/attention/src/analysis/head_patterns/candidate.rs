//! Candidate patterns, with their share of each row.

use super::rest::Rest;
use super::{HALF, Pattern, words};
use crate::analysis::{Mean, Places, Words};

/// Largest offset to either side that is considered.
pub(super) const REACH: isize = 3;
/// Number of single keys considered besides the first.
const HEAVIEST: usize = 2;

/// A pattern, with its share of each deciding row.
pub(super) struct Candidate {
    pub(super) pattern: Pattern,
    /// Mean over the rows that it applies to.
    pub(super) share: f64,
    rows: Vec<Option<RowShare>>,
}

/// Share of one row's weight that agrees with a pattern.
struct RowShare {
    share: f64,
    /// The keys that it means.
    keys: Vec<usize>,
}

/// The strongest other pattern.
pub(super) struct Rival {
    pub(super) pattern: Pattern,
    /// Mean share of the keys that the rival alone means, in the rows where there are such.
    pub(super) share: f64,
    /// Mean share of the pattern itself there.
    pub(super) own: f64,
}

impl Candidate {
    /// Takes the keys that a pattern means in each row; `None` where there are none in any that can be read.
    pub(super) fn of_keys(
        pattern: Pattern,
        rest: &Rest<'_>,
        keys: Vec<Vec<usize>>,
    ) -> Option<Self> {
        let left = rest.each(|query, left| Some((query, left)));
        let part = |(row, keys): (Option<(usize, f64)>, Vec<usize>)| {
            let (query, left) = row.filter(|_| !keys.is_empty())?;
            let share = rest.on(query, &keys) / left;
            Some(RowShare { share, keys })
        };
        let rows: Vec<_> = left.into_iter().zip(keys).map(part).collect();
        let mut mean = Mean::default();
        rows.iter().flatten().for_each(|part| mean.add(part.share));
        let share = mean.value()?;
        Some(Self {
            pattern,
            share,
            rows,
        })
    }

    /// A pattern of one key for each query; `None` where it applies to less than half of the rows.
    fn of_one(
        pattern: Pattern,
        rest: &Rest<'_>,
        key: impl Fn(usize) -> Option<usize>,
    ) -> Option<Self> {
        let keys = rest.queries().map(|query| {
            let key = key(query).filter(|key| rest.sees(query, *key));
            key.into_iter().collect()
        });
        let candidate = Self::of_keys(pattern, rest, keys.collect())?;
        (2 * candidate.count() >= rest.of()).then_some(candidate)
    }

    /// How many rows it applies to.
    pub(super) fn count(&self) -> usize {
        self.rows.iter().flatten().count()
    }

    /// Those rows, with the keys that it means there.
    pub(super) fn keys<'a>(
        &'a self,
        rest: &Rest<'_>,
    ) -> impl Iterator<Item = (usize, &'a [usize])> {
        let rows = rest.queries().zip(&self.rows);
        rows.filter_map(|(query, part)| Some((query, part.as_ref()?.keys.as_slice())))
    }

    /// Whether the rows that it does not apply to have half of their weight on sinks.
    pub(super) fn others_rest(&self, rest: &Rest<'_>) -> bool {
        let mut mean = Mean::default();
        for (query, part) in rest.queries().zip(&self.rows) {
            if part.is_none() {
                mean.add(rest.on_sinks(query));
            }
        }
        mean.value().is_none_or(|share| share >= HALF)
    }

    /// The strongest of the others that means other keys in any row.
    pub(super) fn rival(&self, others: &[Self], rest: &Rest<'_>) -> Option<Rival> {
        let against = |other: &Self| {
            let (own, share) = self.against(other, rest)?;
            let pattern = other.pattern.clone();
            Some(Rival {
                pattern,
                share,
                own,
            })
        };
        others.iter().filter_map(against).reduce(|most, next| {
            if next.share * most.own > most.share * next.own {
                next
            } else {
                most
            }
        })
    }

    /// Mean shares of this and of what is not in this of another, in the rows where there is such.
    fn against(&self, other: &Self, rest: &Rest<'_>) -> Option<(f64, f64)> {
        let left = rest.each(|query, left| Some((query, left)));
        let (mut own, mut others) = (Mean::default(), Mean::default());
        for ((row, one), two) in left.into_iter().zip(&self.rows).zip(&other.rows) {
            let (Some((query, left)), Some(one), Some(two)) = (row, one, two) else {
                continue;
            };
            let is_apart = |key: &usize| !one.keys.contains(key);
            let apart: Vec<usize> = two.keys.iter().copied().filter(is_apart).collect();
            if !apart.is_empty() {
                own.add(one.share);
                others.add(rest.on(query, &apart) / left);
            }
        }
        own.value().zip(others.value())
    }

    /// Mean shares of this and another in the rows where this means the keys of the other and more.
    pub(super) fn around(&self, other: &Self) -> Option<(f64, f64)> {
        let (mut own, mut others) = (Mean::default(), Mean::default());
        for (one, two) in self.rows.iter().zip(&other.rows) {
            if let (Some(one), Some(two)) = (one, two)
                && one.keys.len() > two.keys.len()
                && two.is_within(one)
            {
                own.add(one.share);
                others.add(two.share);
            }
        }
        own.value().zip(others.value())
    }

    /// Whether another means all of its keys, in every row.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        let mut rows = self.rows.iter().zip(&other.rows);
        rows.all(|(one, two)| match (one, two) {
            (Some(one), two) => two.as_ref().is_some_and(|two| one.is_within(two)),
            (None, _) => true,
        })
    }
}

impl RowShare {
    fn is_within(&self, other: &Self) -> bool {
        self.keys.iter().all(|key| other.keys.contains(key))
    }
}

/// Every pattern that applies, in order of precedence where two mean the same: neighbouring
/// positions, words, further positions and keys.
pub(super) fn candidates(rest: &Rest<'_>, places: Places, words: Words<'_>) -> Vec<Candidate> {
    let mut all = Vec::new();
    if places != Places::None {
        let shifts = (0..=REACH).flat_map(|by| [-by, by]).skip(1);
        all.extend(shifts.filter_map(|shift| at_shift(rest, shift)));
    }
    let column = |key| Candidate::of_one(Pattern::Key(key), rest, |_| Some(key));
    all.extend(heaviest(rest).into_iter().filter_map(column));
    let of_words = words::candidates(rest, places, words, &all);
    let is_near = |one: &&Candidate| matches!(one.pattern, Pattern::Place(-1..=1));
    let near = all.iter().take_while(is_near).count();
    all.splice(near..near, of_words);
    all
}

fn at_shift(rest: &Rest<'_>, shift: isize) -> Option<Candidate> {
    Candidate::of_one(Pattern::Place(shift), rest, |query| {
        query.checked_add_signed(shift)
    })
}

/// The first key and the heaviest others, by the sum of their weights.
fn heaviest(rest: &Rest<'_>) -> Vec<usize> {
    let mut others = rest.by_weight();
    others.retain(|key| *key != 0);
    others.truncate(HEAVIEST);
    others.insert(0, 0);
    others
}
