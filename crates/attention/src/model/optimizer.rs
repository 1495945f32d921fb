//! Steps along the gradients, in the order of PyTorch.

use super::{Examples, Model, Score};
use crate::error::check_finite;
use crate::{Code, Error};

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
            betas: [0.9, 0.999],
            epsilon: 1e-8,
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

/// What a step found before it changed anything.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    /// Loss and accuracy on its examples.
    pub score: Score,
    /// The norm of all gradients together, before clipping.
    pub norm: f64,
    /// The learning rate of this step.
    pub rate: f64,
}

/// An optimizer and what it remembers from step to step.
#[derive(Debug, Clone)]
pub struct Optimizer {
    options: OptimizerOptions,
    steps: u32,
    /// `β₁ᵗ` and `β₂ᵗ`.
    powers: [f64; 2],
    /// `m` and `v` of every number; empty without Adam.
    moments: [Vec<f32>; 2],
}

impl Optimizer {
    /// One for a model, before its first step.
    ///
    /// # Errors
    /// [`Code::UnknownOption`] and [`Code::NotFinite`], as `optimizer.rate`.
    pub fn new(options: OptimizerOptions, model: &Model) -> Result<Self, Error> {
        options.check()?;
        let length = match options.kind {
            OptimizerKind::AdamW => model.numbers.len(),
            OptimizerKind::Sgd => 0,
        };
        Ok(Self {
            options,
            steps: 0,
            powers: [1.0; 2],
            moments: [vec![0.0; length], vec![0.0; length]],
        })
    }

    /// Its settings.
    pub fn options(&self) -> &OptimizerOptions {
        &self.options
    }

    /// Computes the gradients of `examples` and takes a step along them.
    ///
    /// # Errors
    /// [`Code::NotFinite`] where numbers leave the range of 32 bits; model and optimizer are then as before.
    pub fn step(&mut self, model: &mut Model, examples: &Examples) -> Result<StepReport, Error> {
        let mut gradients = model.gradients(examples)?;
        let OptimizerOptions { rate, warmup, .. } = self.options;
        let warm = f64::from(self.steps + 1) / f64::from(warmup.max(1));
        let report = StepReport {
            score: gradients.score,
            norm: gradients.norm,
            rate: rate * warm.min(1.0),
        };
        if let Some(clip) = self.options.clip.filter(|clip| gradients.norm > *clip) {
            let factor = (clip / gradients.norm) as f32;
            gradients.numbers.iter_mut().for_each(|g| *g *= factor);
        }
        let mut next = self.clone();
        let mut numbers = model.numbers.clone();
        next.update(&mut numbers, &gradients.numbers, report.rate);
        check_finite("tensors", &numbers)
            .map_err(|error| Error::beyond_range(&error.field, f32::INFINITY))?;
        (*self, model.numbers) = (next, numbers);
        Ok(report)
    }

    fn update(&mut self, numbers: &mut [f32], gradients: &[f32], rate: f64) {
        self.steps += 1;
        match self.options.kind {
            OptimizerKind::Sgd => {
                let rate = rate as f32;
                let pairs = numbers.iter_mut().zip(gradients);
                pairs.for_each(|(w, g)| *w -= rate * g);
            }
            OptimizerKind::AdamW => self.adam(numbers, gradients, rate),
        }
    }

    fn adam(&mut self, numbers: &mut [f32], gradients: &[f32], rate: f64) {
        let betas = self.options.betas;
        let powers = &mut self.powers;
        powers
            .iter_mut()
            .zip(betas)
            .for_each(|(power, beta)| *power *= beta);
        let [b1, b2] = betas.map(|beta| beta as f32);
        let [rest1, rest2] = betas.map(|beta| (1.0 - beta) as f32);
        let pace = (rate / (1.0 - powers[0])) as f32;
        let root = ((1.0 - powers[1]).sqrt()) as f32;
        let epsilon = self.options.epsilon as f32;
        let keep = (1.0 - rate * self.options.weight_decay) as f32;
        let [first, second] = &mut self.moments;
        let moments = first.iter_mut().zip(second);
        for ((w, g), (m, v)) in numbers.iter_mut().zip(gradients).zip(moments) {
            *m = b1 * *m + rest1 * g;
            *v = b2 * *v + rest2 * g * g;
            *w = keep * *w - pace * *m / (v.sqrt() / root + epsilon);
        }
    }
}
