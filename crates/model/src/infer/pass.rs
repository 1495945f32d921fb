//! A pass over the steps of a model, down to the last that is needed.

use ndarray::Array3;

use super::{Inference, Inferred, KeyValues, WantedLogits, product};
use crate::numbers::Numbers;
use crate::part::{embedding, mlp};
use crate::plan::{ModelStep, steps};
use crate::step::{Paths, check_range, enter};
use crate::{Model, Words};
use attention::Error;

/// A pass in progress.
pub(super) struct Pass<'a> {
    pub(super) model: &'a Model,
    pub(super) numbers: &'a Numbers,
    pub(super) words: &'a Words,
    pub(super) how: &'a Inference,
    pub(super) past: Option<&'a mut KeyValues>,
    /// Words before those of the pass.
    pub(super) passed: usize,
    pub(super) result: Inferred,
}

impl<'a> Pass<'a> {
    pub(super) fn new(
        model: &'a Model,
        words: &'a Words,
        how: &'a Inference,
        past: Option<&'a mut KeyValues>,
    ) -> Self {
        let result = Inferred {
            weights: vec![Array3::default((0, 0, 0)); how.weights.len()],
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
        }
    }

    pub(super) fn run(mut self) -> Result<Inferred, Error> {
        let Some(last) = self.last_layer() else {
            return Ok(self.result);
        };
        let mut paths = Paths::default();
        for step in steps(&self.model.config, &self.model.layout) {
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
                ModelStep::Unembed => break,
                step => self.step(step, &mut paths),
            }
        }
        check_range("hidden", &paths.x)?;
        self.keep_hidden(self.model.config.layers, &paths.x);
        self.unembed(&paths.x)?;
        Ok(self.result)
    }

    /// The layer whose attention is the last that is needed, in part at least; their number where all are needed as a whole.
    fn last_layer(&self) -> Option<usize> {
        let (how, layers) = (self.how, self.model.config.layers);
        let logits = (how.logits != WantedLogits::None).then_some(layers);
        let kept = self.past.as_ref().map(|_| layers - 1);
        let weights = how.weights.iter().map(|(layer, _)| *layer);
        let all = weights.chain(how.hidden.iter().copied());
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
