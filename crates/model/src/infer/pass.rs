//! A pass over the steps of a model, down to the last that is needed.

use ndarray::Array3;

use super::{Inference, Inferred, KeyValues, WantedLogits, product};
use crate::attribute::Split;
use crate::numbers::Numbers;
use crate::part::{embedding, mlp};
use crate::plan::{ModelStep, steps};
use crate::step::{Paths, check_range, enter};
use crate::{Model, Words};
use attention::Error;

/// A pass in progress.
pub(crate) struct Pass<'a> {
    pub(super) model: &'a Model,
    pub(super) numbers: &'a Numbers,
    pub(super) words: &'a Words,
    pub(super) how: &'a Inference,
    pub(super) past: Option<&'a mut KeyValues>,
    /// Words before those of the pass.
    pub(super) passed: usize,
    pub(super) result: Inferred,
    /// A layer and the rows `[batch·n, d_model]` that enter it, where the pass begins.
    first: Option<(usize, &'a [f32])>,
    /// What follows the pass and splits its rows.
    pub(super) split: Option<&'a mut Split>,
}

impl<'a> Pass<'a> {
    pub(crate) fn new(
        model: &'a Model,
        words: &'a Words,
        how: &'a Inference,
        past: Option<&'a mut KeyValues>,
    ) -> Self {
        let result = Inferred {
            weights: vec![Array3::default((0, 0, 0)); how.weights.len()],
            contexts: vec![Vec::new(); how.contexts.len()],
            hidden: vec![Vec::new(); how.hidden.len()],
            logits: Vec::new(),
        };
        Self {
            model,
            numbers: &model.numbers,
            words,
            how,
            passed: past.as_ref().map_or(0, |past| past.length()),
            past,
            result,
            first: None,
            split: None,
        }
    }

    /// The same from a layer on, with the rows that enter it.
    pub(super) fn from(mut self, first: (usize, &'a [f32])) -> Self {
        self.first = Some(first);
        self
    }

    /// The same with `split` following it.
    pub(crate) fn followed(mut self, split: &'a mut Split) -> Self {
        self.split = Some(split);
        self
    }

    pub(crate) fn run(mut self) -> Result<Inferred, Error> {
        let Some(last) = self.last_layer() else {
            return Ok(self.result);
        };
        let mut paths = Paths::default();
        for step in self.steps(&mut paths) {
            match step {
                ModelStep::Attention(layer) => {
                    self.keep_hidden(layer, &paths.x);
                    let x = enter(layer, &mut paths)?;
                    let goes_on = last > layer;
                    paths.branch = self.attend(layer, &x, goes_on)?;
                    if !goes_on {
                        return Ok(self.result);
                    }
                }
                ModelStep::HeadMap(_) | ModelStep::Unembed => break,
                step => {
                    if let Some(split) = &mut self.split {
                        split.before(step, self.model, self.words, &paths);
                    }
                    self.step(step, &mut paths);
                    if let Some(split) = &mut self.split {
                        split.after(step, self.model, &paths);
                    }
                }
            }
        }
        check_range("hidden", &paths.x)?;
        self.keep_hidden(self.model.config.layers, &paths.x);
        self.unembed(&paths.x)?;
        Ok(self.result)
    }

    /// The steps of the pass, the first of which finds its rows in `paths`.
    fn steps(&self, paths: &mut Paths) -> Vec<ModelStep> {
        let mut steps = steps(&self.model.config, &self.model.layout);
        if let Some((layer, rows)) = self.first {
            paths.x = rows.to_vec();
            let is_first =
                |step: &ModelStep| matches!(step, ModelStep::Attention(own) if *own == layer);
            // The step before the attention makes its rows of those that enter the layer.
            let attention = steps.iter().position(is_first).unwrap_or_default();
            steps.drain(..attention.saturating_sub(1));
        }
        steps
    }

    /// The layer whose attention is the last that is needed, in part at least; their number where all are needed as a whole.
    fn last_layer(&self) -> Option<usize> {
        let (how, layers) = (self.how, self.model.config.layers);
        let logits = (how.logits != WantedLogits::None).then_some(layers);
        let kept = self.past.as_ref().map(|_| layers - 1);
        let weights = how.weights.iter().map(|(layer, _)| *layer);
        // What a head gives exists only where the layer goes on.
        let contexts = how.contexts.iter().map(|(layer, _)| layer + 1);
        let all = weights.chain(contexts).chain(how.hidden.iter().copied());
        all.chain(logits).chain(kept).max()
    }

    /// A step that is neither attention nor about logits.
    pub(super) fn step(&self, step: ModelStep, paths: &mut Paths) {
        let config = &self.model.config;
        let norm = |x: &mut [f32], slots| self.model.norm(x, slots);
        match step {
            ModelStep::Embed => {
                let layout = &self.model.layout;
                paths.x = embedding::forward(self.words, self.passed, config, layout, self.numbers);
            }
            ModelStep::BranchNorm(slots) => {
                paths.branch.clone_from(&paths.x);
                norm(&mut paths.branch, slots);
            }
            ModelStep::NormBranch(slots) => norm(&mut paths.branch, slots),
            ModelStep::Norm(slots) => norm(&mut paths.x, slots),
            ModelStep::Mlp(_, slots) => {
                let x = std::mem::take(&mut paths.branch);
                let up = product::linear(&x, slots.up, self.numbers);
                let gate = slots
                    .gate
                    .map(|gate| product::linear(&x, gate, self.numbers));
                let hidden = mlp::hidden(&up, gate.as_deref(), config.activation);
                paths.branch = product::linear(&hidden, slots.down, self.numbers);
            }
            step => paths.carry(step),
        }
    }

    fn keep_hidden(&mut self, place: usize, x: &[f32]) {
        let wanted = self.how.hidden.iter().zip(&mut self.result.hidden);
        for (_, rows) in wanted.filter(|(wanted, _)| **wanted == place) {
            *rows = x.to_vec();
        }
    }

    fn unembed(&mut self, x: &[f32]) -> Result<(), Error> {
        let (width, n) = (self.model.config.d_model, self.words.length());
        let last;
        let x = match self.how.logits {
            WantedLogits::None => return Ok(()),
            WantedLogits::All => x,
            WantedLogits::Last => {
                let sequences = x.chunks_exact(n.max(1) * width);
                last = sequences.flat_map(|rows| &rows[rows.len() - width..]);
                &last.copied().collect::<Vec<_>>()[..]
            }
        };
        self.result.logits = self.model.logits(x)?;
        Ok(())
    }
}
