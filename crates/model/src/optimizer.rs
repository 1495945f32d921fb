//! Steps along the gradients, in the order of PyTorch.

use super::{Examples, Model, Score};
use crate::adam::Adam;
use crate::numbers::Numbers;
use attention::check_finite;
use attention::{Code, Error};

/// Which rule makes a step of a gradient `g`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OptimizerKind {
    /// `m ← β₁m + (1 − β₁)g`, `v ← β₂v + (1 − β₂)g²`, `w ← w − rate·m̂/(√v̂ + ε)` with `m̂ = m/(1 − β₁ᵗ)`, `v̂ = v/(1 − β₂ᵗ)` (Kingma and Ba 2015,
    /// algorithm 1; decay apart from it: Loshchilov and Hutter 2019, algorithm 2).
    #[default]
    AdamW,
    /// Plain gradient descent, `w ← w − rate·g`.
    Sgd,
}

/// Settings of an optimizer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptimizerOptions {
    /// The rule.
    pub kind: OptimizerKind,
    /// The learning rate, once warm-up is over.
    pub rate: f64,
    /// `β₁` and `β₂` of Adam.
    pub betas: [f64; 2],
    /// `ε` of Adam.
    pub epsilon: f64,
    /// Decoupled weight decay of AdamW: `w ← w·(1 − rate·decay)` before each step, on every tensor. Plain gradient descent has none.
    pub weight_decay: f64,
    /// Steps until the rate is reached; it grows evenly.
    pub warmup: u32,
    /// The largest norm of all gradients together; longer ones are shortened to it.
    pub clip: Option<f64>,
}

impl Default for OptimizerOptions {
    fn default() -> Self {
        Self {
            kind: OptimizerKind::AdamW,
            rate: 1e-3,
            betas: Adam::BETAS,
            epsilon: Adam::EPSILON,
            weight_decay: 0.0,
            warmup: 0,
            clip: None,
        }
    }
}

impl OptimizerOptions {
    fn check(&self) -> Result<(), Error> {
        at_least_zero("optimizer.rate", self.rate)?;
        at_least_zero("optimizer.weight_decay", self.weight_decay)?;
        at_least_zero("optimizer.epsilon", self.epsilon)?;
        let rule = "must be at least 0 and below 1";
        for beta in self.betas {
            if !(0.0..1.0).contains(&beta) {
                return Err(Error::new(
                    Code::UnknownOption,
                    "optimizer.betas",
                    beta,
                    rule,
                ));
            }
        }
        match self.clip {
            Some(clip) if clip.is_nan() || clip <= 0.0 => {
                let rule = "must be above 0";
                Err(Error::new(
                    Code::UnknownOption,
                    "optimizer.clip",
                    clip,
                    rule,
                ))
            }
            _ => Ok(()),
        }
    }
}

fn at_least_zero(field: &str, value: f64) -> Result<(), Error> {
    check_finite(field, [&(value as f32)])?;
    if value >= 0.0 {
        return Ok(());
    }
    Err(Error::new(
        Code::UnknownOption,
        field,
        value,
        "must be at least 0",
    ))
}

/// Measurements of a step, made before its update.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    /// Loss and accuracy on its examples.
    pub score: Score,
    /// The norm of all gradients together, before clipping.
    pub norm: f64,
    /// The learning rate of this step.
    pub rate: f64,
}

/// An optimizer and its state between steps.
#[derive(Debug, Clone)]
pub struct Optimizer {
    options: OptimizerOptions,
    steps: u32,
    /// Adam's moments of every parameter; empty without Adam.
    adam: Adam,
}

impl Optimizer {
    /// One for a model, before its first step.
    ///
    /// # Errors
    /// [`Code::UnknownOption`] and [`Code::NotFinite`], as `optimizer.rate`.
    pub fn new(options: OptimizerOptions, model: &Model) -> Result<Self, Error> {
        options.check()?;
        let length = match options.kind {
            OptimizerKind::AdamW => model.numbers().len(),
            OptimizerKind::Sgd => 0,
        };
        Ok(Self {
            options,
            steps: 0,
            adam: Adam::new(options.betas, options.epsilon, length),
        })
    }

    /// Its settings.
    pub fn options(&self) -> &OptimizerOptions {
        &self.options
    }

    /// Computes the gradients of `examples` and takes a step along them.
    ///
    /// # Errors
    /// As [`Model::gradients`]; model and optimizer are then as before.
    pub fn step(&mut self, model: &mut Model, examples: &Examples) -> Result<StepReport, Error> {
        let mut gradients = model.gradients(examples)?;
        let report = self.report(gradients.score, gradients.norm);
        let factor = self.clip_factor(gradients.norm);
        if factor != 1.0 {
            gradients.numbers.iter_mut().for_each(|g| *g *= factor);
        }
        let mut next = self.clone();
        let mut numbers = model.numbers.all()?.to_vec();
        next.update(&mut numbers, &gradients.numbers, report.rate);
        check_finite("tensors", &numbers)
            .map_err(|error| Error::beyond_range(&error.field, f32::INFINITY))?;
        (*self, model.numbers) = (next, Numbers::widened(numbers));
        Ok(report)
    }

    /// What the next step will have measured, with its rate.
    fn report(&self, score: Score, norm: f64) -> StepReport {
        let OptimizerOptions { rate, warmup, .. } = self.options;
        let warm = f64::from(self.steps + 1) / f64::from(warmup.max(1));
        StepReport {
            score,
            norm,
            rate: rate * warm.min(1.0),
        }
    }

    /// What gradients of this norm are multiplied by.
    fn clip_factor(&self, norm: f64) -> f32 {
        let clip = self.options.clip.filter(|clip| norm > *clip);
        clip.map_or(1.0, |clip| (clip / norm) as f32)
    }

    fn update(&mut self, numbers: &mut [f32], gradients: &[f32], rate: f64) {
        self.steps += 1;
        match self.options.kind {
            OptimizerKind::Sgd => {
                let rate = rate as f32;
                let pairs = numbers.iter_mut().zip(gradients);
                pairs.for_each(|(w, g)| *w -= rate * g);
            }
            OptimizerKind::AdamW => {
                let keep = self.keep(rate);
                self.adam.step(numbers, gradients, rate, keep);
            }
        }
    }

    /// What decay leaves of a number.
    fn keep(&self, rate: f64) -> f64 {
        1.0 - rate * self.options.weight_decay
    }

    /// The next step of an executor elsewhere, along gradients of this score and norm; it counts as taken.
    pub fn advance(&mut self, score: Score, norm: f64) -> (StepReport, Update) {
        let report = self.report(score, norm);
        let clip = self.clip_factor(norm);
        self.steps += 1;
        let update = match self.options.kind {
            OptimizerKind::Sgd => Update {
                clip,
                pace: report.rate as f32,
                ..Update::default()
            },
            OptimizerKind::AdamW => {
                let factors = self.adam.advance(report.rate);
                Update {
                    clip,
                    betas: factors.betas,
                    rests: factors.rests,
                    pace: factors.pace,
                    root: factors.root,
                    epsilon: factors.epsilon,
                    keep: self.keep(report.rate) as f32,
                }
            }
        };
        (report, update)
    }

    /// Adam's moments of every number; empty without Adam.
    pub fn moments(&self) -> &[Vec<f32>; 2] {
        self.adam.moments()
    }

    /// The same optimizer with moments that an executor elsewhere has made, as many as there were.
    pub fn with_moments(mut self, moments: [Vec<f32>; 2]) -> Self {
        self.adam.set_moments(moments);
        self
    }
}

/// Factors of a step for an executor elsewhere, in the words of [`OptimizerKind`]: `g ← clip·g`, `m ← betas₀·m + rests₀·g`,
/// `v ← betas₁·v + rests₁·g²`, `w ← keep·w − pace·m/(√v/root + epsilon)`; for plain descent `w ← w − pace·g`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Update {
    /// On the gradients.
    pub clip: f32,
    /// `β₁` and `β₂`.
    pub betas: [f32; 2],
    /// `1 − β₁` and `1 − β₂`.
    pub rests: [f32; 2],
    /// `rate/(1 − β₁ᵗ)`, or the rate itself.
    pub pace: f32,
    /// `√(1 − β₂ᵗ)`.
    pub root: f32,
    /// `ε`.
    pub epsilon: f32,
    /// What decay leaves.
    pub keep: f32,
}
