//! Patterns of several keys: the same few for every query, or a span of neighbouring places.

use super::candidate::{REACH, by_weight};
use super::{EACH, FEW, NEAR, Pattern, PatternMatch};
use crate::analysis::{Places, Rows};

/// The most keys that are still a few.
const MOST_KEYS: usize = 6;

/// The most neighbouring offsets that are still a span.
const WIDEST: isize = 3;

/// What a set of keys gets of the rows in which it leaves at least as many others to look at.
#[derive(Default)]
struct Got {
    rows: usize,
    share: f64,
    even: f64,
    heavy: usize,
}

impl Got {
    /// `Some` where these means hold over at least half of `of` rows.
    fn reading(&self, pattern: Pattern, of: usize, least: f64, times: f64) -> Option<PatternMatch> {
        let rows = self.rows as f64;
        let holds = self.rows > 0
            && 2 * self.rows >= of
            && self.share >= least * rows
            && self.share >= times * self.even;
        holds.then(|| PatternMatch::from_share(pattern, self.share / rows, self.rows, of))
    }
}

/// Sums up what the keys that `is_in` names for a query get.
fn got(rows: &Rows<'_>, deciding: &[usize], keys_in: impl Fn(usize) -> Vec<usize>) -> Got {
    let mut got = Got::default();
    for &query in deciding {
        let visible = rows.visible();
        let keys: Vec<usize> = keys_in(query)
            .into_iter()
            .filter(|key| visible.sees(query, *key))
            .collect();
        let seen = visible.count(query);
        if keys.is_empty() || 2 * keys.len() > seen {
            continue;
        }
        let row = rows.row(query);
        let sum: f64 = keys.iter().map(|key| f64::from(row[*key])).sum();
        let share = sum / rows.total(query);
        got.rows += 1;
        got.share += share;
        got.even += keys.len() as f64 / seen as f64;
        got.heavy += usize::from(share >= EACH);
    }
    got
}

/// The smallest set of the heaviest keys that holds for all queries alike.
pub(super) fn keys(rows: &Rows<'_>, deciding: &[usize]) -> Option<PatternMatch> {
    let mut heaviest = by_weight(rows, deciding);
    let most = (2 * heaviest.len() / 5).min(MOST_KEYS);
    heaviest.retain(|key| is_common(rows, deciding, *key));
    let most = most.min(heaviest.len());
    (2..=most).find_map(|count| {
        let few = &heaviest[..count];
        let got = got(rows, deciding, |_| few.to_vec());
        let holds_alike = 10 * got.heavy >= 9 * got.rows;
        let pattern = Pattern::Keys(few.to_vec());
        got.reading(pattern, deciding.len(), FEW, 2.0)
            .filter(|_| holds_alike)
    })
}

/// Whether half of the rows see a key: of keys that few rows see, other rows cannot look at the same ones.
fn is_common(rows: &Rows<'_>, deciding: &[usize], key: usize) -> bool {
    let sees = |query: &&usize| rows.visible().sees(**query, key);
    2 * deciding.iter().filter(sees).count() >= deciding.len()
}

/// The narrowest span of neighbouring offsets, the heaviest among equally narrow ones.
pub(super) fn span(rows: &Rows<'_>, deciding: &[usize], places: Places) -> Option<PatternMatch> {
    if places == Places::None {
        return None;
    }
    (1..WIDEST).find_map(|wide| {
        let spans = (-REACH..=REACH - wide).map(|from| (from, from + wide));
        let readings = spans.filter_map(|(from, to)| {
            let keys = |query: usize| {
                (from..=to)
                    .filter_map(|shift| query.checked_add_signed(shift))
                    .collect()
            };
            got(rows, deciding, keys).reading(Pattern::Span(from, to), deciding.len(), NEAR, 1.5)
        });
        readings.reduce(|best, next| if next.share > best.share { next } else { best })
    })
}
