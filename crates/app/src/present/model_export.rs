//! A model of the training lab with all that a program needs to find the same numbers elsewhere.

wasm_chunks::chunk!("models");

use super::training_lab::TrainingLab;
use attention::Error;
use engine::model_file;
use engine::training_run::TrainingRun;
use engine::variant::Variant;
use model::{Examples, Model, OptimizerOptions, Score};

/// Which of the two runs of the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportedRun {
    /// The run of the recipe.
    Own,
    /// The other run.
    Other,
}

/// A file of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelFile {
    /// Its numbers.
    Numbers,
    /// The program that opens them.
    Opening,
    /// The program that trains it.
    Training,
}

/// A model at a step of its training.
pub struct ModelExport {
    /// The name of its task.
    pub task: &'static str,
    /// Seed of the random numbers.
    pub seed: u32,
    /// Steps that it has learned.
    pub step: usize,
    /// Change to the recipe.
    pub variant: Option<Variant>,
    /// The model at this step.
    pub model: Model,
    /// The model before the first step.
    pub first: Model,
    /// The words, each at its number.
    pub words: Vec<String>,
    /// Token ids of the input.
    pub reads: Vec<usize>,
    /// The place at which its answer is looked at.
    pub row: usize,
    /// The held-out examples.
    pub held_out: Examples,
    /// Loss and accuracy on these.
    pub score: Score,
    /// The examples of every step.
    pub examples: Vec<Examples>,
    /// Options of the optimizer.
    pub optimizer: OptimizerOptions,
    /// The loss of each step so far.
    pub losses: Vec<f64>,
}

impl ModelExport {
    /// Name of its files: task, seed, step, and variant.
    pub fn name(&self) -> String {
        self.with_practice(format!("{}-{}-{}", self.task, self.seed, self.step))
    }

    /// The name of the program that trains it, whatever the step.
    pub fn training_name(&self) -> String {
        self.with_practice(format!("{}-{}-train", self.task, self.seed))
    }

    /// A safetensors file of its numbers, which the public API opens.
    pub fn file(&self) -> Vec<u8> {
        model_file::safetensors(&self.model)
    }

    /// The same for its initial weights.
    pub fn first_file(&self) -> Vec<u8> {
        model_file::safetensors(&self.first)
    }

    fn with_practice(&self, name: String) -> String {
        match self.variant {
            Some(variant) => format!("{name}-{}", variant.name()),
            None => name,
        }
    }

    fn new(lab: &TrainingLab, run: &TrainingRun, variant: Option<Variant>) -> Result<Self, Error> {
        let step = lab.step();
        let (model, first) = (run.model(step)?, run.model(0)?);
        let steps = 0..run.recipe().steps as u32;
        let training = run.training();
        Ok(Self {
            task: run.recipe().task,
            seed: run.seed(),
            step,
            variant,
            words: run.words().to_vec(),
            reads: lab.reading().words.clone(),
            row: lab.row,
            held_out: training.held_out(&model)?,
            score: run.score(step, None)?,
            examples: steps
                .map(|step| training.examples(&first, step))
                .collect::<Result<_, _>>()?,
            optimizer: *run.optimizer(),
            losses: run.history().iter().map(|step| step.score.loss).collect(),
            model,
            first,
        })
    }
}

impl TrainingLab {
    /// Data to export the model of the current step; `None` if there is no other run.
    ///
    /// # Errors
    /// [`attention::Code::NotFinite`] where its numbers leave the range of 32 bits.
    pub fn export(&self, which: ExportedRun) -> Result<Option<ModelExport>, Error> {
        match (which, self.other()) {
            (ExportedRun::Own, _) => ModelExport::new(self, self.run(), None).map(Some),
            (ExportedRun::Other, Some(other)) => {
                ModelExport::new(self, &other.run, Some(other.variant)).map(Some)
            }
            (ExportedRun::Other, None) => Ok(None),
        }
    }
}
