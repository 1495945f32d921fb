//! Measures how well the weights of a hand-built head show its role, row by row.

use super::built;
use crate::present::run::Run;
use attention::analysis::{AGAIN, EVEN, HALF, Mean, Places, Rows, entropy_share};
use attention::text::teaching::{Aim, Role, Sentence};

/// Largest share of the maximum weight at which another weight still counts as smaller despite
/// rounding.
const MORE: f32 = 0.99;

/// For each head what its weights show of the role that it is built for.
pub(in crate::present) fn shown(run: &Run) -> Vec<Shown> {
    let is_pair = run.state.second.is_some();
    let [queries, keys] = run.words();
    let queries = Sentence::new(queries, is_pair);
    let other = is_pair.then(|| Sentence::new(keys, is_pair));
    let has_words = run.places() != Places::None;
    let shows = |head| {
        let Some(role) = built(&run.state, head).filter(|_| has_words) else {
            return Shown::default();
        };
        let mut tally = Tally::default();
        run.with_rows(head, |rows| {
            for query in 0..rows.queries() {
                let sees = |key: &usize| !run.seen.masked.is_hidden(query, *key);
                let seen = |keys: &[usize]| keys.iter().copied().filter(sees).collect::<Vec<_>>();
                match role.aim(&queries, other.as_ref(), query) {
                    Aim::Anything => {}
                    _ if run.seen.visible()[query] == 0 => tally.blind += 1,
                    Aim::Keys(keys) if role == Role::SameWord && !is_pair => {
                        tally.add_alike(rows, query, &seen(&keys), keys.len() > 1);
                    }
                    Aim::Keys(keys) => tally.add_keys(rows, query, &seen(&keys)),
                    Aim::Rest => tally.add_rest(rows, query, !sees(&0)),
                    Aim::Evenly => tally.add_even(rows, query),
                }
            }
        });
        tally.shown()
    };
    (0..run.heads()).map(shows).collect()
}

/// Whether the weights of a head show its role, and in how many rows they do not.
#[derive(Clone, Copy, Default)]
pub(in crate::present) struct Shown {
    pub(in crate::present) is_role: bool,
    pub(in crate::present) exceptions: usize,
}

/// Statistics of the rows that a head's role applies to.
#[derive(Default)]
struct Tally {
    /// Weight on the wanted keys, of rows that leave at least as many others to look at.
    keys: Mean,
    /// Weight on the word itself, of rows that are to look at others of its meaning too.
    own: Mean,
    /// Weight on the first token, of rows that are to rest there.
    rest: Mean,
    /// Rows that see any key.
    rows: usize,
    /// Those from which the mask hides what they are to look at.
    hidden: usize,
    /// Rows that see it and attend elsewhere.
    astray: usize,
    /// Rows that see no key.
    blind: usize,
}

impl Tally {
    /// Counts a row that is to look at some keys.
    fn add_keys(&mut self, rows: &Rows<'_>, query: usize, seen: &[usize]) {
        self.add(seen.is_empty(), looks_most_at(rows, query, seen));
        if !seen.is_empty() && 2 * seen.len() <= rows.visible().count(query) {
            self.keys.add(share(rows, query, seen));
        }
    }

    /// Counts a row that is to look at the words of its meaning, itself among them: where `has_others`, looking at itself alone is
    /// not enough.
    fn add_alike(&mut self, rows: &Rows<'_>, query: usize, seen: &[usize], has_others: bool) {
        let others = seen.iter().filter(|key| **key != query).count();
        let (all, own) = (share(rows, query, seen), share(rows, query, &[query]));
        let is_linked = others == 0 || all >= AGAIN * own;
        let is_hidden = seen.is_empty() || has_others && others == 0;
        self.add(is_hidden, is_linked && looks_most_at(rows, query, seen));
        if others > 0 && 2 * others < rows.visible().count(query) {
            self.keys.add(all);
            self.own.add(own);
        }
    }

    /// Counts a row that is to look at the first token.
    fn add_rest(&mut self, rows: &Rows<'_>, query: usize, is_hidden: bool) {
        self.add(is_hidden, looks_most_at(rows, query, &[0]));
        if !is_hidden && rows.visible().count(query) > 1 {
            self.rest.add(share(rows, query, &[0]));
        }
    }

    /// Counts a row that is to spread evenly.
    fn add_even(&mut self, rows: &Rows<'_>, query: usize) {
        let share = entropy_share(rows, query);
        self.add(false, share.is_none_or(|share| share >= EVEN));
    }

    fn add(&mut self, is_hidden: bool, does_it: bool) {
        self.rows += 1;
        self.hidden += usize::from(is_hidden);
        self.astray += usize::from(!is_hidden && !does_it);
    }

    /// The role is shown where the wanted keys have half of the weight, more than half of the rows can do what they are to do, and no more than
    /// a quarter do something else.
    fn shown(&self) -> Shown {
        let own = self.own.value().unwrap_or_default();
        let least = HALF.max(AGAIN * own);
        let is_role = self.keys.value().is_some_and(|share| share >= least)
            && self.rest.value().is_none_or(|share| share >= HALF)
            && 2 * self.hidden < self.rows
            && 4 * self.astray <= self.rows;
        Shown {
            is_role,
            exceptions: self.hidden + self.astray + self.blind,
        }
    }
}

/// Share of a row's weight on the given keys.
fn share(rows: &Rows<'_>, query: usize, keys: &[usize]) -> f64 {
    let weight = |key: &usize| rows.row(query).get(*key).copied().map_or(0.0, f64::from);
    let sum: f64 = keys.iter().map(weight).sum();
    if sum > 0.0 {
        sum / rows.total(query)
    } else {
        0.0
    }
}

/// Whether the largest weight of a row is on one of some keys, and on no other key as well.
fn looks_most_at(rows: &Rows<'_>, query: usize, keys: &[usize]) -> bool {
    let row = rows.row(query);
    let weights = || keys.iter().filter_map(|key| row.get(*key));
    let most = weights().fold(0.0, |most: f32, weight| most.max(*weight));
    let is_most = |weight: &&f32| **weight >= MORE * most;
    most > 0.0 && row.iter().filter(is_most).count() == weights().filter(is_most).count()
}
