//! What each step of a model does to the tensors that go through it, and its gradients.

use super::part::activation::derivative;
use super::part::{attention, embedding, linear, mlp, norm};
use super::plan::ModelStep;
use super::{Model, Words};
use ::attention::Error;

/// Values that a step saves for the backward pass.
pub(super) enum Saved {
    Nothing,
    Norm(norm::Saved),
    Attention(Box<attention::Saved>),
    Mlp(mlp::Saved),
    Rows(Vec<f32>),
    /// Rows before a linear map and after it.
    Mapped(Vec<f32>, Vec<f32>),
}

/// The residual path, the branch beside it and what is held of another, or their gradients.
#[derive(Default)]
pub(super) struct Paths {
    pub(super) x: Vec<f32>,
    pub(super) branch: Vec<f32>,
    held: Vec<f32>,
}

impl Model {
    /// That of the rows of a layer.
    pub(super) fn shape(&self, words: &Words) -> (usize, usize, usize) {
        (words.batch(), words.length(), self.config.d_model)
    }

    pub(super) fn step_forward(
        &self,
        step: ModelStep,
        words: &Words,
        paths: &mut Paths,
    ) -> Result<Saved, Error> {
        let (config, numbers) = (&self.config, self.numbers.all()?);
        Ok(match step {
            ModelStep::Embed => {
                paths.x = embedding::forward(words, 0, config, &self.layout, &self.numbers);
                Saved::Nothing
            }
            ModelStep::Branch
            | ModelStep::Hold
            | ModelStep::AddHeld
            | ModelStep::AddBranch
            | ModelStep::TakeBranch => {
                paths.carry(step);
                Saved::Nothing
            }
            ModelStep::BranchNorm(slots) => {
                let saved;
                (paths.branch, saved) = norm::forward(&paths.x, config.epsilon, slots, numbers);
                Saved::Norm(saved)
            }
            ModelStep::Attention(layer) => {
                let (x, shape) = (enter(layer, paths)?, self.shape(words));
                let mask = self.mask(layer, words.length());
                let saved;
                (paths.branch, saved) = attention::forward(x, shape, self.layer(layer)?, mask)?;
                Saved::Attention(Box::new(saved))
            }
            ModelStep::Mlp(_, slots) => {
                let x = std::mem::take(&mut paths.branch);
                let saved;
                (paths.branch, saved) = mlp::forward(x, config.activation, slots, numbers);
                Saved::Mlp(saved)
            }
            ModelStep::NormBranch(slots) => {
                let saved;
                (paths.branch, saved) =
                    norm::forward(&paths.branch, config.epsilon, slots, numbers);
                Saved::Norm(saved)
            }
            ModelStep::Norm(slots) => {
                let saved;
                (paths.x, saved) = norm::forward(&paths.x, config.epsilon, slots, numbers);
                Saved::Norm(saved)
            }
            ModelStep::HeadMap(slots) => {
                let x = std::mem::take(&mut paths.x);
                let mapped = linear::forward(&x, slots, numbers);
                paths.x = mlp::hidden(&mapped, None, config.activation);
                Saved::Mapped(x, mapped)
            }
            ModelStep::Unembed => {
                let x = std::mem::take(&mut paths.x);
                paths.x = match self.layout.unembedding {
                    Some(slot) => linear::product(&x, slot, numbers),
                    None => linear::product_transposed(&x, self.layout.tokens, numbers),
                };
                Saved::Rows(x)
            }
            ModelStep::AddLogitBias(slot) => {
                linear::add_to_rows(&mut paths.x, slot.of(numbers));
                Saved::Nothing
            }
            ModelStep::CapLogits(cap) => {
                cap_logits(&mut paths.x, cap);
                Saved::Rows(paths.x.clone())
            }
        })
    }

    /// Computes the gradients of a step's inputs from those of its results.
    pub(super) fn step_backward(
        &self,
        step: ModelStep,
        saved: &Saved,
        words: &Words,
        d: &mut Paths,
        gradients: &mut [f32],
    ) {
        let (config, numbers) = (&self.config, self.numbers());
        match (step, saved) {
            (ModelStep::Embed, _) => {
                embedding::backward(words, &d.x, config, &self.layout, gradients)
            }
            (ModelStep::Branch, _) => d.take_branch(),
            (ModelStep::BranchNorm(slots), Saved::Norm(saved)) => {
                d.branch = norm::backward(saved, &d.branch, slots, numbers, gradients);
                d.take_branch();
            }
            (ModelStep::Attention(layer), Saved::Attention(saved)) => {
                let slots = self.layout.layers[layer].attention;
                d.branch =
                    attention::backward(saved, &d.branch, config, layer, slots, numbers, gradients);
            }
            (ModelStep::Mlp(_, slots), Saved::Mlp(saved)) => {
                let activation = config.activation;
                d.branch = mlp::backward(saved, &d.branch, activation, slots, numbers, gradients);
            }
            (ModelStep::NormBranch(slots), Saved::Norm(saved)) => {
                d.branch = norm::backward(saved, &d.branch, slots, numbers, gradients);
            }
            (ModelStep::Hold, _) => d.branch = std::mem::take(&mut d.held),
            (ModelStep::AddHeld, _) => d.held.clone_from(&d.branch),
            (ModelStep::AddBranch, _) => d.branch.clone_from(&d.x),
            (ModelStep::TakeBranch, _) => {
                d.branch = std::mem::take(&mut d.x);
                d.x = vec![0.0; d.branch.len()];
            }
            (ModelStep::Norm(slots), Saved::Norm(saved)) => {
                d.x = norm::backward(saved, &d.x, slots, numbers, gradients);
            }
            (ModelStep::HeadMap(slots), Saved::Mapped(x, mapped)) => {
                let pairs = d.x.iter_mut().zip(mapped);
                pairs.for_each(|(d, x)| *d *= derivative(config.activation, *x));
                d.x = linear::backward(x, &d.x, slots, numbers, gradients);
            }
            (ModelStep::AddLogitBias(slot), _) => {
                linear::add_rows(&d.x, slot.of_mut(gradients));
            }
            (ModelStep::Unembed, Saved::Rows(x)) => {
                d.x = self.unembed_backward(x, &d.x, gradients);
            }
            (ModelStep::CapLogits(cap), Saved::Rows(capped)) => {
                for (d, logit) in d.x.iter_mut().zip(capped) {
                    let tanh = logit / cap;
                    *d *= 1.0 - tanh * tanh;
                }
            }
            _ => unreachable!("a step finds what it saved itself"),
        }
    }

    /// `dX = dlogits·Uᵀ`, and `dU = Xᵀ·dlogits`, which goes to the embedding, transposed, where both are one.
    fn unembed_backward(&self, x: &[f32], dlogits: &[f32], gradients: &mut [f32]) -> Vec<f32> {
        match self.layout.unembedding {
            Some(slot) => {
                linear::add_weight_gradient(x, dlogits, slot, gradients);
                linear::product_transposed(dlogits, slot, self.numbers())
            }
            None => {
                let tokens = self.layout.tokens;
                linear::add_weight_gradient(dlogits, x, tokens, gradients);
                linear::product(dlogits, tokens, self.numbers())
            }
        }
    }
}

impl Paths {
    /// Rows on the residual path, or gradients where they begin.
    pub(super) fn entering(x: Vec<f32>) -> Self {
        Self {
            x,
            ..Self::default()
        }
    }

    /// Takes a step that only carries rows from one path to another.
    pub(super) fn carry(&mut self, step: ModelStep) {
        match step {
            ModelStep::Branch => self.branch.clone_from(&self.x),
            ModelStep::Hold => self.held = std::mem::take(&mut self.branch),
            ModelStep::AddHeld => linear::add(&mut self.branch, &self.held),
            ModelStep::AddBranch => linear::add(&mut self.x, &self.branch),
            ModelStep::TakeBranch => self.x = std::mem::take(&mut self.branch),
            _ => {}
        }
    }

    /// Adds the branch's gradient to that of the path which it left.
    fn take_branch(&mut self) {
        linear::add(&mut self.x, &self.branch);
    }
}

/// `logits ← cap·tanh(logits/cap)`, in 64 bit and rounded once.
pub(super) fn cap_logits(logits: &mut [f32], cap: f32) {
    let cap = f64::from(cap);
    let capped = |logit: f32| (cap * libm::tanh(f64::from(logit) / cap)) as f32;
    logits.iter_mut().for_each(|logit| *logit = capped(*logit));
}

/// The rows that enter the attention of a layer.
pub(super) fn enter(layer: usize, paths: &mut Paths) -> Result<Vec<f32>, Error> {
    let x = std::mem::take(&mut paths.branch);
    check_range(&format!("layers.{layer}"), &x)?;
    Ok(x)
}

pub(super) fn check_range(field: &str, numbers: &[f32]) -> Result<(), Error> {
    match numbers.iter().find(|x| !x.is_finite()) {
        None => Ok(()),
        Some(x) => Err(Error::beyond_range(field, *x)),
    }
}
