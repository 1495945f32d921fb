//! Answers of a model with the layer shown as the settings make it.
//!
//! Where a mask, a temperature or the scale makes the last layer another one than was learned, its answers follow from what the run made: the
//! logits `(H + O)·W_U`, without a head `(H + O − C_h·W_O[h])·W_U`. After an earlier layer the rest of the model would have to be computed
//! anew, so there answers are those of the model as it has learned.

wasm_chunks::chunk!("input": Made, likeliest);

use crate::present::run::Run;
use crate::state::steps::computes_as_learned;
use attention::sort::argsort;
use engine::learned::{ANSWERS, Answer, LearnedLayer};

/// Whether the layer that is shown computes what its model does.
pub(super) fn is_as_learned(run: &Run) -> bool {
    computes_as_learned(&run.config)
}

/// Whether the answers are those of the layer as it is shown.
pub(super) fn follow_layer(run: &Run) -> bool {
    is_as_learned(run) || made(run).is_some()
}

/// Answers at a row, the likeliest first; empty without a learned model or such a row.
pub fn answers(run: &Run, row: usize) -> Vec<Answer> {
    let Some(learned) = run.learned() else {
        return Vec::new();
    };
    match made(run) {
        Some(made) => made.answers(row, None),
        None => learned.answers(row).to_vec(),
    }
}

/// The likeliest word at a row without a head, counted on through the layers; `None` where that is not known.
pub fn answer_without(run: &Run, head: usize, row: usize) -> Option<Answer> {
    let Some(made) = made(run) else {
        return run.learned()?.answer_without(head, row);
    };
    let head = head.checked_sub(run.thumbnail(0))?;
    made.answers(row, Some(head)).into_iter().next()
}

/// A run's results for the last layer of a model.
struct Made<'a> {
    learned: &'a LearnedLayer,
    /// `[n, d_model]`.
    output: &'a [f32],
    /// `[heads, n, d_k]`.
    context: &'a [f32],
    heads: usize,
}

/// `None` where the layer is as its model has learned it, is not the last, or its numbers are not there.
fn made(run: &Run) -> Option<Made<'_>> {
    let learned = run.learned().filter(|_| !is_as_learned(run))?;
    learned.unembedding.as_ref()?;
    Some(Made {
        learned,
        output: run.reply.output.as_ref()?,
        context: &run.reply.parts.as_ref()?.context,
        heads: run.heads(),
    })
}

impl Made<'_> {
    fn answers(&self, row: usize, without: Option<usize>) -> Vec<Answer> {
        self.logits(row, without).map_or_else(Vec::new, likeliest)
    }

    /// The logits of a row, with all heads or without one.
    fn logits(&self, row: usize, without: Option<usize>) -> Option<Vec<f64>> {
        let residual = &self.learned.residual;
        let (n, width) = residual.dim();
        let output = self.output.get(row * width..(row + 1) * width)?;
        let mut sum: Vec<f64> = residual
            .row(row)
            .iter()
            .zip(output)
            .map(|(h, o)| f64::from(h + o))
            .collect();
        if let Some(head) = without {
            let d_k = self.context.len() / (self.heads * n).max(1);
            let first = (head * n + row) * d_k;
            let context = self.context.get(first..first + d_k)?;
            let w_o = &self.learned.weights.output.as_ref()?.w;
            let rows = w_o.rows().into_iter().skip(head * d_k);
            for (c, w) in context.iter().zip(rows) {
                let part = w.iter().map(|w| f64::from(*c) * f64::from(*w));
                sum.iter_mut()
                    .zip(part)
                    .for_each(|(sum, part)| *sum -= part);
            }
        }
        let columns = self.learned.unembedding.as_ref()?.columns().into_iter();
        let logit = |w: ndarray::ArrayView1<'_, f32>| {
            let pairs = sum.iter().zip(w);
            pairs.map(|(x, w)| x * f64::from(*w)).sum()
        };
        Some(columns.map(logit).collect())
    }
}

/// The likeliest words by their logits: `p = softmax(z)`.
fn likeliest(logits: Vec<f64>) -> Vec<Answer> {
    let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = logits.iter().map(|z| libm::exp(z - largest)).collect();
    let sum: f64 = powers.iter().sum();
    let mut order = argsort(powers.len(), &mut |one, other| {
        powers[other].total_cmp(&powers[one])
    });
    order.truncate(ANSWERS);
    let answer = |word: usize| Answer {
        word,
        share: (powers[word] / sum) as f32,
    };
    order.into_iter().map(answer).collect()
}
