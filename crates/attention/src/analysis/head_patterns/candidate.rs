//! Patterns of one key for each query, and of the keys with its word.

use super::{AGAIN, Pattern};
use crate::analysis::{Places, Rows, Words};
use crate::sort;

/// Offsets that are looked at, to either side.
pub(super) const REACH: isize = 3;
/// Keys of their own that are looked at besides the first.
const HEAVIEST: usize = 2;

/// A pattern with what it gets of each deciding row.
pub(super) struct Candidate {
    pub(super) pattern: Pattern,
    /// Mean over the rows that it applies to.
    pub(super) share: f64,
    rows: Vec<Option<Part>>,
}

/// What a pattern gets of one row.
#[derive(Clone, Copy)]
struct Part {
    share: f64,
    /// The key that it means; `None` where it means several.
    key: Option<usize>,
}

/// The strongest other pattern.
pub(super) struct Rival {
    pub(super) pattern: Pattern,
    /// Mean share of the rival in the rows where both mean different keys.
    pub(super) share: f64,
    /// Mean share of the pattern itself there.
    pub(super) own: f64,
}

impl Candidate {
    /// `None` for a pattern that applies to less than half of the rows.
    fn new(pattern: Pattern, rows: Vec<Option<Part>>) -> Option<Self> {
        let shares = rows.iter().flatten().map(|part| part.share);
        let (count, sum) = shares.fold((0, 0.0), |(count, sum), share| (count + 1, sum + share));
        (count > 0 && 2 * count >= rows.len()).then(|| Self {
            pattern,
            share: sum / count as f64,
            rows,
        })
    }

    /// How many rows it applies to.
    pub(super) fn count(&self) -> usize {
        self.rows.iter().flatten().count()
    }

    /// The strongest of the others that means something else in any row.
    pub(super) fn rival(&self, others: &[Self]) -> Option<Rival> {
        let against = |other: &Self| {
            let (own, share) = self.against(other)?;
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

    /// Mean shares of both in the rows where they mean different keys.
    fn against(&self, other: &Self) -> Option<(f64, f64)> {
        let pairs = self.rows.iter().zip(&other.rows);
        let apart = pairs
            .filter_map(|(own, other)| own.zip(*other))
            .filter(|(own, other)| own.key.is_none() || own.key != other.key);
        let (count, own, others) = apart.fold((0, 0.0, 0.0), |(count, a, b), (own, other)| {
            (count + 1, a + own.share, b + other.share)
        });
        let count = (self.pattern != other.pattern && count > 0).then_some(f64::from(count))?;
        Some((own / count, others / count))
    }
}

/// Every pattern that applies to half of the rows, those of places first. Of the token itself and of its word only one is
/// among them, as the one contains the other.
pub(super) fn candidates(
    rows: &Rows<'_>,
    deciding: &[usize],
    places: Places,
    words: Words<'_>,
) -> Vec<Candidate> {
    let mut all = Vec::new();
    if places != Places::None {
        let shifts = (0..=REACH).flat_map(|by| [-by, by]).skip(1);
        all.extend(shifts.filter_map(|shift| at_shift(rows, deciding, shift)));
    }
    all.extend(
        heaviest(rows, deciding)
            .into_iter()
            .filter_map(|key| column(rows, deciding, key)),
    );
    if places == Places::None {
        return all;
    }
    let Some(word) = same_word(rows, deciding, words) else {
        return all;
    };
    let itself = all
        .iter()
        .position(|one| one.pattern == Pattern::Place(0))
        .filter(|_| places == Places::Same);
    match itself.map(|at| word.against(&all[at])) {
        // The same in every row, or hardly more.
        Some(None) => {}
        Some(Some((own, itself))) if own < AGAIN * itself => {}
        _ => {
            if let Some(at) = itself {
                all.remove(at);
            }
            all.push(word);
        }
    }
    all
}

fn at_shift(rows: &Rows<'_>, deciding: &[usize], shift: isize) -> Option<Candidate> {
    let key = |query: usize| query.checked_add_signed(shift);
    let parts = deciding
        .iter()
        .map(|query| part(rows, *query, key(*query)?))
        .collect();
    Candidate::new(Pattern::Place(shift), parts)
}

fn column(rows: &Rows<'_>, deciding: &[usize], key: usize) -> Option<Candidate> {
    let parts = deciding
        .iter()
        .map(|query| part(rows, *query, key))
        .collect();
    Candidate::new(Pattern::Key(key), parts)
}

/// What one visible key gets.
fn part(rows: &Rows<'_>, query: usize, key: usize) -> Option<Part> {
    rows.visible().sees(query, key).then(|| Part {
        share: f64::from(rows.row(query)[key]) / rows.total(query),
        key: Some(key),
    })
}

/// What the visible keys with the query's word get; `None` where no row has two of them to look at, or another text none.
fn same_word(rows: &Rows<'_>, deciding: &[usize], words: Words<'_>) -> Option<Candidate> {
    let of_row = |query: &usize| {
        let word = words.queries.get(*query)?;
        let keys = words.keys.iter().enumerate();
        let alike: Vec<usize> = keys
            .filter(|(key, other)| *other == word && rows.visible().sees(*query, *key))
            .map(|(key, _)| key)
            .collect();
        let row = rows.row(*query);
        let sum: f64 = alike.iter().map(|key| f64::from(row[*key])).sum();
        let key = alike.first().copied()?;
        Some(Part {
            share: sum / rows.total(*query),
            key: (alike.len() == 1).then_some(key),
        })
    };
    Candidate::new(Pattern::SameWord, deciding.iter().map(of_row).collect())
}

/// The first key and the heaviest others, by the sum of their weights.
fn heaviest(rows: &Rows<'_>, deciding: &[usize]) -> Vec<usize> {
    let mut others = by_weight(rows, deciding);
    others.retain(|key| *key != 0);
    others.truncate(HEAVIEST);
    others.insert(0, 0);
    others
}

/// All keys, by the sum of their shares in the deciding rows, the earlier first on ties.
pub(super) fn by_weight(rows: &Rows<'_>, deciding: &[usize]) -> Vec<usize> {
    let mut sums = vec![0.0; rows.visible().keys()];
    for query in deciding {
        let scale = 1.0 / rows.total(*query);
        for (sum, weight) in sums.iter_mut().zip(rows.row(*query)) {
            *sum += f64::from(*weight) * scale;
        }
    }
    sort::argsort(sums.len(), &mut |one, other| {
        sums[other].total_cmp(&sums[one])
    })
}
