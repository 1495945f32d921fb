//! Collects the measures of a head row by row, so that no `n × m` matrix is needed.

use kernels::add_to_bins;

use super::HeadStats;
use super::head::{self, most_attended_other, others, sum};
use super::mean::Mean;
use crate::Sizes;
use crate::plan::WeightRow;

/// Builds one [`HeadStats`] per batch entry and head from rows of weights.
pub struct Collector {
    heads: Vec<Vec<Gathered>>,
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
        let Gathered {
            stats,
            diagonal,
            off_diagonal,
            entropy,
        } = &mut self.heads[row.batch][row.head];
        let (keys, support) = (row.weights.len(), &row.weights[row.support.clone()]);
        add_to_bins(support, &mut stats.histogram);
        stats.histogram[0] += (keys - support.len()) as u32;
        let own = row.weights.get(row.query).copied();
        let sum_of_others: f64 = others(row).into_iter().map(|(_, part)| sum(part)).sum();
        off_diagonal.add_all(sum_of_others, keys - usize::from(own.is_some()));
        own.iter().for_each(|own| diagonal.add(f64::from(*own)));
        let of_row = head::entropy(support);
        entropy.add(of_row);
        stats.entropy_per_query.push(of_row);
        stats.most_attended_other.push(most_attended_other(row));
        stats.self_weight.push(own.unwrap_or(0.0));
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
