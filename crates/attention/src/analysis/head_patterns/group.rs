//! Patterns of several keys: the same few for every query, or a span of neighbouring places.

use super::candidate::REACH;
use super::rest::Rest;
use super::{EACH, FEW, NEAR, Pattern, PatternMatch};
use crate::analysis::Places;

/// The most keys that are still a few.
const MOST_KEYS: usize = 6;

/// The most neighbouring offsets that are still a span.
const WIDEST: isize = 3;

/// Statistics of a set of keys over the rows in which at least as many other keys are visible.
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

/// Sums up what the keys that `keys_in` names for a query get.
fn got(rest: &Rest<'_>, keys_in: impl Fn(usize) -> Vec<usize>) -> Got {
    let of_row = |query: usize, left: f64| {
        let mut keys = keys_in(query);
        keys.retain(|key| rest.sees(query, *key));
        let seen = rest.count(query);
        let even = keys.len() as f64 / seen as f64;
        (!keys.is_empty() && 2 * keys.len() <= seen).then(|| (rest.on(query, &keys) / left, even))
    };
    let mut got = Got::default();
    for (share, even) in rest.each(of_row).into_iter().flatten() {
        got.rows += 1;
        got.share += share;
        got.even += even;
        got.heavy += usize::from(share >= EACH);
    }
    got
}

/// The smallest set of the heaviest keys that holds for all queries alike.
pub(super) fn keys(rest: &Rest<'_>) -> Option<PatternMatch> {
    let mut heaviest = rest.by_weight();
    let most = (2 * heaviest.len() / 5).min(MOST_KEYS);
    heaviest.retain(|key| is_common(rest, *key));
    let most = most.min(heaviest.len());
    (2..=most).find_map(|count| {
        let few = &heaviest[..count];
        let got = got(rest, |_| few.to_vec());
        let holds_alike = 10 * got.heavy >= 9 * got.rows;
        let pattern = Pattern::Keys(few.to_vec());
        got.reading(pattern, rest.of(), FEW, 2.0)
            .filter(|_| holds_alike)
    })
}

/// Whether half of the rows see a key: of keys that few rows see, other rows cannot look at the same ones.
fn is_common(rest: &Rest<'_>, key: usize) -> bool {
    let sees = |query: &usize| rest.sees(*query, key);
    2 * rest.queries().filter(sees).count() >= rest.of()
}

/// The narrowest span of neighbouring offsets, the heaviest among equally narrow ones.
pub(super) fn span(rest: &Rest<'_>, places: Places) -> Option<PatternMatch> {
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
            got(rest, keys).reading(Pattern::Span(from, to), rest.of(), NEAR, 1.5)
        });
        readings.reduce(|best, next| if next.share > best.share { next } else { best })
    })
}
