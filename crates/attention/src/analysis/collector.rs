//! Collects the measures of a head row by row, so that no `n × m` matrix is needed.

use super::HeadStats;
use super::head::{bin_of, entropy, most_attended_other};
use super::mean::Mean;
use crate::Sizes;

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

    /// Takes row `query` of a head; the rows of a head arrive in order.
    pub fn row(&mut self, batch: usize, head: usize, query: usize, weights: &[f32]) {
        let gathered = &mut self.heads[batch][head];
        for (key, weight) in weights.iter().enumerate() {
            let mean = if key == query {
                &mut gathered.diagonal
            } else {
                &mut gathered.off_diagonal
            };
            mean.add(f64::from(*weight));
            gathered.stats.histogram[bin_of(*weight)] += 1;
        }
        let entropy = entropy(weights);
        gathered.entropy.add(entropy);
        gathered.stats.entropy_per_query.push(entropy);
        gathered
            .stats
            .most_attended_other
            .push(most_attended_other(query, weights));
        gathered
            .stats
            .self_weight
            .push(weights.get(query).copied().unwrap_or(0.0));
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
