//! Collects the measures of a head row by row, so that no `n × m` matrix is needed.

use kernels::add_to_bins;

use super::head::{self, most_attended_other, others, sum};
use super::mean::Mean;
use super::{BINS, HeadStats};
use crate::Sizes;
use crate::plan::WeightRow;

/// Builds one [`HeadStats`] per batch entry and head from rows of weights.
pub struct Collector {
    heads: Vec<Vec<Gathered>>,
}

/// A row of weights as its head's measures need it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredRow {
    /// The batch entry.
    pub batch: usize,
    /// The query head.
    pub head: usize,
    /// The query.
    pub query: usize,
    /// How many of its weights, hidden ones among them, lie in each bin of [`HeadStats::histogram`].
    pub histogram: [u32; BINS],
    /// Its sums.
    pub sums: RowSums,
}

/// What is added up over a row of weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowSums {
    /// How many keys there are.
    pub keys: usize,
    /// The [`entropy`](super::entropy) of the row, in nats.
    pub entropy: f64,
    /// The sum over the other keys (`j ≠ i`).
    pub others: f64,
    /// The other key with the largest weight, and that weight; the first on ties, `None` where every other key has weight 0.
    pub most_attended_other: Option<(usize, f32)>,
    /// `A[i, i]`, where a key has the query's position.
    pub own: Option<f32>,
}

#[derive(Clone, Default)]
struct Gathered {
    stats: HeadStats,
    diagonal: Mean,
    off_diagonal: Mean,
    entropy: Mean,
}

impl Collector {
    /// An empty collector for `batch × heads` heads.
    pub fn new(sizes: &Sizes) -> Self {
        Self {
            heads: vec![vec![Gathered::default(); sizes.heads]; sizes.batch],
        }
    }

    /// Takes a row; those of a head arrive in order.
    pub fn row(&mut self, row: &WeightRow) {
        let (keys, support) = (row.weights.len(), &row.weights[row.support.clone()]);
        let head = &mut self.heads[row.batch][row.head];
        add_to_bins(support, &mut head.stats.histogram);
        head.stats.histogram[0] += (keys - support.len()) as u32;
        head.add(RowSums {
            keys,
            entropy: head::entropy(support),
            others: others(row).into_iter().map(|(_, part)| sum(part)).sum(),
            most_attended_other: most_attended_other(row),
            own: row.weights.get(row.query).copied(),
        });
    }

    /// Takes a row that was measured elsewhere; those of a head arrive in order.
    pub fn measured(&mut self, row: &MeasuredRow) {
        let head = &mut self.heads[row.batch][row.head];
        let bins = head.stats.histogram.iter_mut().zip(row.histogram);
        bins.for_each(|(bin, count)| *bin += count);
        head.add(row.sums);
    }

    /// The measures, `[batch][head]`.
    pub fn finish(self) -> Vec<Vec<HeadStats>> {
        self.heads
            .into_iter()
            .map(|heads| heads.into_iter().map(Gathered::finish).collect())
            .collect()
    }
}

impl Gathered {
    fn add(&mut self, row: RowSums) {
        let others = row.keys - usize::from(row.own.is_some());
        self.off_diagonal.add_all(row.others, others);
        row.own
            .iter()
            .for_each(|own| self.diagonal.add(f64::from(*own)));
        self.entropy.add(row.entropy);
        self.stats.entropy_per_query.push(row.entropy);
        self.stats.most_attended_other.push(row.most_attended_other);
        self.stats.self_weight.push(row.own.unwrap_or(0.0));
    }

    fn finish(self) -> HeadStats {
        HeadStats {
            diagonal_mean: self.diagonal.value().unwrap_or(0.0),
            off_diagonal_mean: self.off_diagonal.value().unwrap_or(0.0),
            entropy_mean: self.entropy.value().unwrap_or(0.0),
            ..self.stats
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_over_nothing_are_zero_without_a_sign() {
        let stats = Gathered::default().finish();
        for mean in [
            stats.entropy_mean,
            stats.diagonal_mean,
            stats.off_diagonal_mean,
        ] {
            assert_eq!(mean.to_bits(), 0.0_f64.to_bits());
        }
    }
}
