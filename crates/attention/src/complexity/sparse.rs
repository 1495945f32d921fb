//! The cost of hidden cells, and what a kernel that skips them would save.

use super::Count;
use crate::plan::{Operation, Plan, Stage, Step};
use crate::{CellIndex, Mask, Sizes};

/// Visible cells of the score matrix over all batch entries and heads of `sizes`.
///
/// Structured masks are counted by formula, others row by row.
pub fn visible_cells(mask: &Mask, sizes: &Sizes) -> u64 {
    let planes = (sizes.batch * sizes.heads) as u64;
    let [n, m] = [sizes.n, sizes.keys].map(|length| length as u64);
    let plane = match mask {
        _ if mask.is_full() => n * m,
        Mask::Causal => causal(n, m),
        Mask::Padding { valid } => n * m.min(*valid as u64),
        Mask::LeftPadding { padded } => n * m.saturating_sub(*padded as u64),
        Mask::PaddedQueries { valid } => n.min(*valid as u64) * m,
        Mask::Local { window } => local(n, m, *window as u64),
        Mask::Strided { stride } => strided(n, m, stride.get() as u64),
        _ => return by_row(mask, sizes),
    };
    planes * plane
}

/// `Σ_i min(i + 1, m)`.
fn causal(n: u64, m: u64) -> u64 {
    let rising = n.min(m);
    rising * (rising + 1) / 2 + (n - rising) * m
}

/// `Σ_i |{j : |i − j| ≤ w}|`: queries that reach key `j` lie between `j − w` and `j + w`.
fn local(n: u64, m: u64, window: u64) -> u64 {
    let keys = |query: u64| {
        let end = m.min(query.saturating_add(window).saturating_add(1));
        end.saturating_sub(query.saturating_sub(window))
    };
    (0..n).map(keys).sum()
}

/// Queries and keys with the same remainder see each other.
fn strided(n: u64, m: u64, stride: u64) -> u64 {
    let with = |length: u64, remainder: u64| (length + stride - 1 - remainder) / stride;
    (0..stride.min(n)).map(|at| with(n, at) * with(m, at)).sum()
}

fn by_row(mask: &Mask, sizes: &Sizes) -> u64 {
    let (batches, heads) = mask.own_axes();
    let (batches, heads) = (batches.min(sizes.batch), heads.min(sizes.heads));
    let mut row = vec![0.0; sizes.keys];
    let mut visible = 0;
    for batch in 0..batches {
        for head in 0..heads {
            for query in 0..sizes.n {
                let key = 0;
                mask.write_row(
                    CellIndex {
                        batch,
                        head,
                        query,
                        key,
                    },
                    &mut row,
                );
                visible += row.iter().filter(|cell| **cell > 0.0).count() as u64;
            }
        }
    }
    // A mask that does not tell heads (or batch entries) apart holds for each of them.
    let planes = (sizes.batch * sizes.heads) as u64;
    visible * planes / ((batches * heads) as u64).max(1)
}

/// The count of a step in a kernel that computes `visible` of the `cells` of the score matrix and nothing of the
/// others. Steps outside of the score matrix stay as they are.
pub fn without_hidden(plan: &Plan, step: &Step, visible: u64) -> Count {
    let count = Count::from_cost(&step.cost);
    let cells = super::cells(plan);
    // Hidden after the softmax, a cell has had its part in everything but the weighted sum.
    let is_needed = plan.config().mask_after && step.operation != Operation::WeightedSum;
    if step.operation.stage() != Stage::Attend || cells == 0 || is_needed {
        return count;
    }
    // Every cost of this stage is a whole number for each cell, so that nothing is lost by dividing; bytes also count
    // the rows of Q, K and V, which are read whole.
    let share = |amount: u64| (u128::from(amount) * u128::from(visible) / u128::from(cells)) as u64;
    let quadratic = super::BYTES_PER_NUMBER * quadratic_numbers(step, cells);
    Count {
        multiply_adds: share(count.multiply_adds),
        flops: share(count.flops),
        bytes: count.bytes - quadratic + share(quadratic),
    }
}

/// Numbers of the score matrix that a step reads and writes.
fn quadratic_numbers(step: &Step, cells: u64) -> u64 {
    match step.operation {
        Operation::DotScores | Operation::AdditiveScores | Operation::WeightedSum => cells,
        _ => step.cost.reads + step.cost.writes,
    }
}
