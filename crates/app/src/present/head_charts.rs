//! Charts of one head, by row or by bin: the same numbers on the page and in files.

use super::run::Run;
use crate::scene::bar_chart::BarChart;
use crate::scene::layout::Rect;
use attention::analysis::{BINS, entropy_limit};

/// The drawing of the histogram in its own coordinates, as in `index.html`.
pub const HISTOGRAM: Rect = Rect {
    x: 0.0,
    y: 0.0,
    width: 200.0,
    height: 48.0,
};

/// The entropy of each query, and the largest that it could have.
pub fn entropy(run: &Run, head: usize) -> Option<BarChart> {
    let stats = run.reply.stats.get(head)?;
    let reachable = run.seen.reachable().iter();
    let limits: Vec<f64> = reachable.map(|keys| entropy_limit(*keys)).collect();
    Some(BarChart {
        values: stats.entropy_per_query.clone(),
        top: limits.iter().copied().fold(0.0, f64::max),
        limits,
    })
}

/// The weight of each token on itself.
pub fn itself(run: &Run, head: usize) -> Option<BarChart> {
    let own = run.reply.stats.get(head)?.self_weight.iter();
    Some(of_one(own.copied()))
}

/// The weight of each query on the first token.
pub fn first(run: &Run, head: usize) -> BarChart {
    let rows = 0..run.queries.len();
    of_one(rows.map(|row| run.row(head, row).first().copied().unwrap_or(0.0)))
}

/// How many cells have which weight, on a log scale, as almost all cells of a sharp head lie in the first bin.
pub fn histogram(counts: &[u32; BINS]) -> BarChart {
    let values = counts.map(|count| libm::log1p(f64::from(count))).to_vec();
    BarChart {
        top: values.iter().copied().fold(0.0, f64::max),
        values,
        limits: Vec::new(),
    }
}

fn of_one(weights: impl Iterator<Item = f32>) -> BarChart {
    BarChart {
        values: weights.map(f64::from).collect(),
        limits: Vec::new(),
        top: 1.0,
    }
}
