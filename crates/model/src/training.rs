//! Learning a task, step by step.

use super::task::{Split, Task};
use super::{Examples, Model, Optimizer, Score, StepReport};
use attention::{Code, Error};

/// Examples of the measure at the end.
const HELD_OUT: usize = 256;
/// The most examples of a step.
const MOST_EXAMPLES: usize = 4096;

/// One step, as it was before it changed anything.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrainingStep {
    /// From 1.
    pub step: u32,
    /// Loss and accuracy on the examples of the step, which are new to the model.
    pub score: Score,
    /// The norm of all gradients together, before clipping.
    pub norm: f64,
    /// The learning rate.
    pub rate: f64,
}

/// A training run: the same task, seed and numbers give the same run on every machine.
pub struct Training {
    task: Task,
    batch: usize,
    seed: u32,
    done: u32,
}

impl Training {
    /// One that has done nothing yet; each step draws `batch` examples from `seed`.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] for a batch of none or too many, or where the model is too small for the task.
    pub fn new(task: Task, batch: usize, seed: u32, model: &Model) -> Result<Self, Error> {
        if !(1..=MOST_EXAMPLES).contains(&batch) {
            let rule = format!("must be between 1 and {MOST_EXAMPLES}");
            return Err(Error::new(Code::ShapeMismatch, "batch", batch, rule));
        }
        task.examples(model.config(), 1, seed, Split::HeldOut)?;
        Ok(Self {
            task,
            batch,
            seed,
            done: 0,
        })
    }

    /// Returns the task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// The examples of a step, counted from 0.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] where the model is too small for the task.
    pub fn examples(&self, model: &Model, step: u32) -> Result<Examples, Error> {
        let part = Split::Training(step);
        self.task
            .examples(model.config(), self.batch, self.seed, part)
    }

    /// 256 examples that training never draws; for a text, pieces that may overlap those it draws,
    /// and any if there are no others.
    ///
    /// # Errors
    /// As [`examples`](Self::examples).
    pub fn held_out(&self, model: &Model) -> Result<Examples, Error> {
        self.task
            .examples(model.config(), HELD_OUT, self.seed, Split::HeldOut)
    }

    /// The examples of the next step.
    ///
    /// # Errors
    /// As [`examples`](Self::examples).
    pub fn next_examples(&self, model: &Model) -> Result<Examples, Error> {
        self.examples_ahead(model, 0)
    }

    /// The examples of the step that comes after so many others.
    ///
    /// # Errors
    /// As [`examples`](Self::examples).
    pub fn examples_ahead(&self, model: &Model, others: u32) -> Result<Examples, Error> {
        self.examples(model, self.done + others)
    }

    /// Takes the next step.
    ///
    /// # Errors
    /// [`Code::NotFinite`] where numbers leave the range of 32 bits; everything is then as before.
    pub fn step(
        &mut self,
        model: &mut Model,
        optimizer: &mut Optimizer,
    ) -> Result<TrainingStep, Error> {
        let examples = self.next_examples(model)?;
        let report = optimizer.step(model, &examples)?;
        Ok(self.count(report))
    }

    /// Counts a step on the [next examples](Self::next_examples), wherever it was taken.
    pub fn count(&mut self, report: StepReport) -> TrainingStep {
        self.done += 1;
        TrainingStep {
            step: self.done,
            score: report.score,
            norm: report.norm,
            rate: report.rate,
        }
    }

    /// Loss and accuracy on the examples that are [held out](Self::held_out).
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn score(&self, model: &Model) -> Result<Score, Error> {
        model.score(&self.held_out(model)?)
    }
}
