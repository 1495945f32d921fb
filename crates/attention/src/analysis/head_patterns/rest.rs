//! Attention sinks of a head, and what its rows have left beside them.

use super::{REST, SINK, deciding};
use crate::analysis::{Mean, Rows};
use crate::sort;

/// Keys that have much weight in every row, whatever the row looks for besides.
#[derive(Debug, Clone, PartialEq)]
pub struct Sinks {
    /// The keys, in their order.
    pub keys: Vec<usize>,
    /// Their mean share of the weight, together, over the rows that see one of them.
    pub share: f64,
}

/// The rows that decide, without the weight on some sinks.
pub(super) struct Rest<'a> {
    pub(super) rows: &'a Rows<'a>,
    sinks: &'a [usize],
    /// Each row with the weight that it has left; `None` where that is too little to be read.
    left: Vec<(usize, Option<f64>)>,
}

impl<'a> Rest<'a> {
    pub(super) fn new(rows: &'a Rows<'a>, deciding: &[usize], sinks: &'a [usize]) -> Self {
        let left = |query: &usize| {
            let (row, total) = (rows.row(*query), rows.total(*query));
            let on_sinks: f64 = sinks.iter().map(|key| f64::from(row[*key])).sum();
            let left = total - on_sinks;
            (*query, (left >= REST * total).then_some(left))
        };
        Self {
            rows,
            sinks,
            left: deciding.iter().map(left).collect(),
        }
    }

    /// How many rows decide.
    pub(super) fn of(&self) -> usize {
        self.left.len()
    }

    /// Every row that decides, those that rest among them.
    pub(super) fn queries(&self) -> impl Iterator<Item = usize> {
        self.left.iter().map(|(query, _)| *query)
    }

    /// Applies `of` to each row and the weight that sinks leave it; `None` for the rows that rest
    /// on sinks.
    pub(super) fn each<T>(&self, of: impl Fn(usize, f64) -> Option<T>) -> Vec<Option<T>> {
        let of_row = |(query, left): &(usize, Option<f64>)| of(*query, (*left)?);
        self.left.iter().map(of_row).collect()
    }

    /// Whether a query sees a key that is no sink.
    pub(super) fn sees(&self, query: usize, key: usize) -> bool {
        self.rows.visible().sees(query, key) && !self.sinks.contains(&key)
    }

    /// How many such keys it sees.
    pub(super) fn count(&self, query: usize) -> usize {
        let visible = self.rows.visible();
        let sinks = self.sinks.iter().filter(|key| visible.sees(query, **key));
        visible.count(query) - sinks.count()
    }

    /// The weight of a query on some keys.
    pub(super) fn on(&self, query: usize, keys: &[usize]) -> f64 {
        let row = self.rows.row(query);
        keys.iter().map(|key| f64::from(row[*key])).sum()
    }

    /// Share of a query's weight on sinks.
    pub(super) fn on_sinks(&self, query: usize) -> f64 {
        self.on(query, self.sinks) / self.rows.total(query)
    }

    /// All keys that are no sinks, by the sum of their shares in the rows, the earlier first on ties.
    pub(super) fn by_weight(&self) -> Vec<usize> {
        let keys = columns(self.rows, self.queries(), |query| self.rows.total(query));
        let mut order = sort::argsort(keys.len(), &mut |one, other| {
            keys[other].sum.total_cmp(&keys[one].sum)
        });
        order.retain(|key| !self.sinks.contains(key));
        order
    }
}

/// Statistics of a key.
#[derive(Clone, Copy, Default)]
struct Column {
    /// The rows that see it.
    rows: usize,
    /// Its parts of their weight, added up.
    sum: f64,
    /// The parts that an even spread would give it.
    even: f64,
}

impl Column {
    fn mean(&self) -> f64 {
        self.sum / self.rows.max(1) as f64
    }

    /// Whether nine tenths of the rows see the key: of one that the others do not see, they cannot be said to rest on it.
    const fn is_seen(&self, of: usize) -> bool {
        self.rows > 0 && 10 * self.rows >= 9 * of
    }

    fn is_sink(&self, of: usize) -> bool {
        self.is_seen(of) && self.mean() >= SINK && self.sum >= 1.5 * self.even
    }
}

/// All keys, with weights as parts of what `whole` says of a row.
fn columns(
    rows: &Rows<'_>,
    queries: impl Iterator<Item = usize>,
    whole: impl Fn(usize) -> f64,
) -> Vec<Column> {
    let visible = rows.visible();
    let mut columns = vec![Column::default(); visible.keys()];
    for query in queries {
        let (scale, even) = (1.0 / whole(query), 1.0 / visible.count(query) as f64);
        for (key, (column, weight)) in columns.iter_mut().zip(rows.row(query)).enumerate() {
            column.sum += f64::from(*weight) * scale;
            if visible.sees(query, key) {
                column.rows += 1;
                column.even += even;
            }
        }
    }
    columns
}

/// The key with the largest mean weight, and that mean, without unit, in 0 … 1: `max_k mean_i A[i, k]` over the rows `i` that have weight,
/// see `k` and see another key, among the keys that nine tenths of the rows see. The first on ties; `None` where there is no such key.
///
/// Of the first key it is what Gu et al. 2025 measure attention sinks by.
pub fn heaviest_key(rows: &Rows<'_>) -> Option<(usize, f64)> {
    let deciding = deciding(rows);
    let columns = columns(rows, deciding.iter().copied(), |_| 1.0);
    heaviest(&columns, |column| column.is_seen(deciding.len()))
}

fn heaviest(columns: &[Column], counts: impl Fn(&Column) -> bool) -> Option<(usize, f64)> {
    let columns = columns.iter().enumerate();
    let means = columns
        .filter(|(_, column)| counts(column))
        .map(|(key, column)| (key, column.mean()));
    means.reduce(|most, next| if next.1 > most.1 { next } else { most })
}

/// The sinks of a head: the first keys for as long as each is one, otherwise the heaviest key where it is one.
pub(super) fn sinks(rows: &Rows<'_>, deciding: &[usize]) -> Option<Sinks> {
    let columns = columns(rows, deciding.iter().copied(), |query| rows.total(query));
    let is_sink = |column: &Column| column.is_sink(deciding.len());
    let first = columns.iter().take_while(|column| is_sink(column)).count();
    let keys: Vec<usize> = match first {
        0 => vec![heaviest(&columns, is_sink)?.0],
        count => (0..count).collect(),
    };
    let share = |query: &usize| {
        let sees = keys.iter().any(|key| rows.visible().sees(*query, *key));
        let on_keys = keys.iter().map(|key| f64::from(rows.row(*query)[*key]));
        sees.then(|| on_keys.sum::<f64>() / rows.total(*query))
    };
    let mut mean = Mean::default();
    let shares = deciding.iter().filter_map(share);
    shares.for_each(|share| mean.add(share));
    let share = mean.value()?;
    Some(Sinks { keys, share })
}
