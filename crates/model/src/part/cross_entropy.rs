//! The mean over the rows that have a target `t` of `−ln p[t]`, with `p = softmax(logits)` (in nats), and
//!
//! ```text
//! dlogits = (p − onehot(t)) / number of targets
//! ```

use kernels::exp;

/// Loss and accuracy of logits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// Mean cross-entropy of the targets, in nats.
    pub loss: f64,
    /// The share of targets that have the largest logit; of equal ones the first counts.
    pub accuracy: f64,
}

/// The score of `logits`, `[rows, vocabulary]`, and their gradient; rows whose target is `None` take no part.
pub(crate) fn score(
    logits: &[f32],
    vocabulary: usize,
    targets: &[Option<usize>],
) -> (Score, Vec<f32>) {
    let count = targets.iter().flatten().count() as f64;
    let (mut loss, mut right) = (0.0, 0);
    let mut gradient = vec![0.0; logits.len()];
    let rows = logits
        .chunks_exact(vocabulary)
        .zip(gradient.chunks_exact_mut(vocabulary));
    for ((row, gradient), target) in rows.zip(targets) {
        let Some(target) = *target else { continue };
        right += usize::from(largest(row) == target);
        loss += row_loss(row, target, count, gradient);
    }
    let score = Score {
        loss: loss / count,
        accuracy: right as f64 / count,
    };
    (score, gradient)
}

/// The largest logit's place; the first of equal ones.
fn largest(row: &[f32]) -> usize {
    let first = (0, f32::NEG_INFINITY);
    let larger =
        |best: (usize, f32), (at, x): (usize, &f32)| if *x > best.1 { (at, *x) } else { best };
    row.iter().enumerate().fold(first, larger).0
}

/// `ln Σ e^l − l[target]` of one row; its share of the gradient is written.
fn row_loss(row: &[f32], target: usize, count: f64, gradient: &mut [f32]) -> f64 {
    let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for (g, l) in gradient.iter_mut().zip(row) {
        *g = exp(l - max);
        sum += f64::from(*g);
    }
    let factor = (1.0 / (sum * count)) as f32;
    gradient.iter_mut().for_each(|g| *g *= factor);
    gradient[target] -= (1.0 / count) as f32;
    libm::log(sum) + f64::from(max) - f64::from(row[target])
}
