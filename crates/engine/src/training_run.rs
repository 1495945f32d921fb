//! A model that learns a task, with its numbers after every step.

wasm_chunks::chunk!("models");

mod measure;
mod reading;
mod recipe;

use std::sync::OnceLock;

pub use measure::Measure;
pub use reading::Reading;
pub use recipe::{D_MODEL, HEADS, OWN_TEXT, RECIPES, Recipe};

use super::variant::{Setup, Variant};
use attention::text::vocabulary;
use attention::{Error, Layer};
use model::behaviour::{Shares, Tally};
use model::task::{Split, Task};
use model::{
    Drawn, Examples, Model, ModelConfig, Optimizer, OptimizerOptions, Score, Training,
    TrainingStep, Words,
};

/// Examples of a step.
pub const BATCH: usize = 32;
/// Examples to look at.
const DRAWN: usize = 64;
/// Examples on which it is measured after each step what heads do.
pub const WATCHED: usize = 8;

/// Sizes of a stack of layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackSizes {
    /// Layers.
    pub layers: usize,
    /// Width of the residual path.
    pub d_model: usize,
    /// Width of a head's queries, keys and values.
    pub d_k: usize,
    /// Query heads of a layer.
    pub heads: usize,
    /// Key/value heads of a layer.
    pub kv_heads: usize,
}

/// A run of training steps that can be looked back on.
pub struct TrainingRun {
    recipe: Recipe,
    seed: u32,
    training: Training,
    model: Model,
    optimizer: Optimizer,
    history: Vec<TrainingStep>,
    /// The model's numbers before the first step and after each.
    snapshots: Vec<Vec<f32>>,
    drawn: Examples,
    /// Drawn where they are first needed.
    held_out: OnceLock<Examples>,
    /// Examples on which the heads' behaviours are measured after each step, if they are.
    watched: Option<Examples>,
    /// Behaviours of each head before the first step and after each; heads count on through the
    /// layers.
    behaviours: Vec<Vec<Shares>>,
}

impl TrainingRun {
    /// Untrained model with random weights, following the recipe, with one variant if given. The
    /// same recipe, seed and variant give the same run, bit by bit.
    ///
    /// # Errors
    /// [`attention::Code::UnknownOption`] for a task that there is not.
    pub fn new(recipe: Recipe, seed: u32, other: Option<Variant>) -> Result<Self, Error> {
        Self::of_task(Task::named(recipe.task)?, recipe, seed, other)
    }

    /// The same for the next character of a text.
    ///
    /// # Errors
    /// As [`Task::next_character`].
    pub fn of_text(text: &str, seed: u32, other: Option<Variant>) -> Result<Self, Error> {
        Self::of_task(Task::next_character(text)?, OWN_TEXT, seed, other)
    }

    fn of_task(
        task: Task,
        recipe: Recipe,
        seed: u32,
        other: Option<Variant>,
    ) -> Result<Self, Error> {
        let usual = recipe.setup(&task);
        let setup = other.map_or(usual, |variant| variant.apply(usual));
        let watched = task.examples(&setup.config, WATCHED, seed, Split::HeldOut)?;
        let mut run = Self::with_setup(recipe, task, seed, setup)?;
        run.watched = Some(watched);
        run.watch()?;
        Ok(run)
    }

    /// The same by the recipe but for the sizes of its stack. What heads do is not measured after each step.
    ///
    /// # Errors
    /// As [`new`](Self::new), and as [`ModelConfig::check`] for the sizes.
    pub fn with_sizes(recipe: Recipe, seed: u32, sizes: StackSizes) -> Result<Self, Error> {
        let task = Task::named(recipe.task)?;
        let mut setup = recipe.setup(&task);
        let StackSizes {
            layers,
            d_model,
            d_k,
            heads,
            kv_heads,
        } = sizes;
        setup.config = ModelConfig {
            layers,
            d_model,
            d_k,
            heads,
            kv_heads,
            ..setup.config
        };
        Self::with_setup(recipe, task, seed, setup)
    }

    fn with_setup(recipe: Recipe, task: Task, seed: u32, setup: Setup) -> Result<Self, Error> {
        let Setup {
            config,
            init,
            optimizer,
        } = setup;
        let model = Model::random(config, init, seed)?;
        Ok(Self {
            recipe,
            seed,
            held_out: OnceLock::new(),
            watched: None,
            behaviours: Vec::new(),
            optimizer: Optimizer::new(optimizer, &model)?,
            drawn: task.examples(&config, DRAWN, seed, Split::HeldOut)?,
            training: Training::new(task, BATCH, seed, &model)?,
            snapshots: vec![model.numbers().to_vec()],
            model,
            history: Vec::new(),
        })
    }

    /// Takes one step; none where all have been taken.
    ///
    /// # Errors
    /// [`attention::Code::NotFinite`] where numbers leave the range of 32 bits.
    pub fn step(&mut self) -> Result<(), Error> {
        if self.is_done() {
            return Ok(());
        }
        let step = self.training.step(&mut self.model, &mut self.optimizer)?;
        self.history.push(step);
        self.watch()?;
        self.snapshots.push(self.model.numbers().to_vec());
        Ok(())
    }

    /// Notes what heads do now.
    fn watch(&mut self) -> Result<(), Error> {
        if let Some(watched) = &self.watched {
            let mut tally = Tally::default();
            tally.add(&self.model, watched)?;
            self.behaviours.push(tally.shares());
        }
        Ok(())
    }

    /// Whether all steps have been taken.
    pub fn is_done(&self) -> bool {
        self.history.len() >= self.recipe.steps
    }

    /// Returns the task and its hyperparameters.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Returns the seed of the random numbers.
    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// Loss, accuracy and gradient of each step so far.
    pub fn history(&self) -> &[TrainingStep] {
        &self.history
    }

    /// Behaviours of a head before the first step and after each, on [`WATCHED`] examples.
    pub fn behaviours(&self, head: usize) -> impl Iterator<Item = &Shares> {
        self.behaviours.iter().filter_map(move |all| all.get(head))
    }

    /// Heads of all layers.
    pub fn heads(&self) -> usize {
        self.config().layers * self.config().heads
    }

    /// Sizes of the model.
    pub fn config(&self) -> &ModelConfig {
        self.model.config()
    }

    /// The words that the model knows, each at its number.
    pub fn words(&self) -> &[String] {
        self.training.task().words()
    }

    /// An example that is held out; they begin again after the last one.
    pub fn example(&self, number: usize) -> Vec<usize> {
        let length = self.drawn.words().length();
        let all = self.drawn.words().all();
        let first = number % self.drawn.words().batch() * length;
        all[first..first + length].to_vec()
    }

    /// A sequence as a text.
    pub fn text(&self, words: &[usize]) -> String {
        let has_spaces = !matches!(self.recipe.task, "pronoun-zh" | "text");
        let words = words.iter().filter_map(|word| self.words().get(*word));
        let words: Vec<&str> = words.map(String::as_str).collect();
        words.join(if has_spaces { " " } else { "" })
    }

    /// The words of a text.
    ///
    /// # Errors
    /// For a word that the model does not know, no word, and more than it reads.
    pub fn parse(&self, text: &str) -> Result<Vec<usize>, Error> {
        let words = vocabulary::read(self.words(), text)?;
        if words.is_empty() {
            return Err(Error::missing("text", "at least one word is needed"));
        }
        Words::new(self.config(), std::slice::from_ref(&words))?;
        Ok(words)
    }

    /// Position in `words` that has a target: the fixed position of the task, or the first one in
    /// its examples; the last one if the model generates text.
    pub fn asked_at(&self, words: &[usize]) -> usize {
        let last = words.len().saturating_sub(1);
        if self.goes_on() {
            return last;
        }
        let length = self.drawn.words().length().max(1);
        let targets = self.drawn.targets().iter().enumerate();
        let asked = targets.filter_map(|(at, target)| target.map(|_| at));
        let asked: Vec<usize> = asked.collect();
        let word_at = |at: &usize| self.drawn.words().all()[*at];
        let always = asked.first().map(word_at);
        let always = always.filter(|word| asked.iter().all(|at| word_at(at) == *word));
        let by_word = always.and_then(|word| words.iter().position(|other| *other == word));
        let first = asked.first().map_or(0, |at| at % length);
        by_word.unwrap_or(first).min(last)
    }

    /// Whether the model generates text: every position has the next word as target.
    pub fn goes_on(&self) -> bool {
        self.recipe == OWN_TEXT
    }

    /// Generates the continuation of `words` with the model after `step` steps, sampled at a
    /// temperature with the run's seed.
    ///
    /// # Errors
    /// As [`Model::go_on`].
    pub fn go_on(
        &self,
        step: usize,
        words: &[usize],
        count: usize,
        temperature: f64,
    ) -> Result<Vec<Drawn>, Error> {
        self.model(step)?
            .go_on(words, count, temperature, self.seed)
    }

    /// Runs the model after `step` steps on `words`.
    ///
    /// # Errors
    /// As [`Model::forward`].
    pub fn read(&self, step: usize, words: Vec<usize>) -> Result<Reading, Error> {
        Reading::new(&self.model(step)?, words)
    }

    /// The same without each head in turn; heads count on through the layers.
    ///
    /// # Errors
    /// As [`Model::forward`].
    pub fn read_without_heads(&self, step: usize, words: &[usize]) -> Result<Vec<Reading>, Error> {
        let (model, heads) = (self.model(step)?, self.config().heads);
        let read = |head: usize| {
            let model = model.without_head(head / heads, head % heads)?;
            Reading::new(&model, words.to_vec())
        };
        (0..self.heads()).map(read).collect()
    }

    /// The attention of a layer after `step` steps.
    ///
    /// # Errors
    /// [`attention::Code::ShapeMismatch`] where the model has no such layer.
    pub fn layer(&self, step: usize, layer: usize) -> Result<Layer, Error> {
        self.model(step)?.layer(layer)
    }

    /// Loss and accuracy after `step` steps on the examples that are held out, without a head (layer and head) or with all.
    ///
    /// # Errors
    /// As [`Model::forward`].
    pub fn score(&self, step: usize, without: Option<(usize, usize)>) -> Result<Score, Error> {
        let whole = self.model(step)?;
        match without {
            Some((layer, head)) => self.score_of(&whole.without_head(layer, head)?),
            None => self.score_of(&whole),
        }
    }

    /// Loss and accuracy of a model of the run's sizes on the same examples.
    ///
    /// # Errors
    /// As [`Model::forward`].
    pub fn score_of(&self, model: &Model) -> Result<Score, Error> {
        model.score(self.held_out()?)
    }

    /// How many of the examples that are held out differ.
    ///
    /// # Errors
    /// As [`Training::held_out`].
    pub fn different_examples(&self) -> Result<usize, Error> {
        let words = self.held_out()?.words();
        let mut all: Vec<&[usize]> = words.all().chunks(words.length().max(1)).collect();
        attention::sort::sort(&mut all, |one, other| one.cmp(other));
        all.dedup();
        Ok(all.len())
    }

    /// The examples that are held out ([`Training::held_out`]).
    fn held_out(&self) -> Result<&Examples, Error> {
        if let Some(drawn) = self.held_out.get() {
            return Ok(drawn);
        }
        let drawn = self.training.held_out(&self.model)?;
        Ok(self.held_out.get_or_init(|| drawn))
    }

    /// Returns the examples for training, and the held-out ones.
    pub fn training(&self) -> &Training {
        &self.training
    }

    /// How steps are taken.
    pub fn optimizer(&self) -> &OptimizerOptions {
        self.optimizer.options()
    }

    /// The model after `step` steps, or the newest.
    ///
    /// # Errors
    /// [`attention::Code::NotFinite`], which no step leaves behind.
    pub fn model(&self, step: usize) -> Result<Model, Error> {
        match self.snapshots.get(step) {
            Some(numbers) => self.model.with_numbers(numbers),
            None => Ok(self.model.clone()),
        }
    }
}
