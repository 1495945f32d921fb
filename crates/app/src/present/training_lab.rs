//! State of the training lab: a training run, the current step, and the input of that step's model.

wasm_chunks::chunk!("models");

mod masks;
mod names;

pub use masks::HeadMasks;
pub use names::HeadNames;

use super::percent::percent;
use super::training::{Ablation, TrainingView, scored, shown};
use crate::i18n::{Language, text};
use crate::scene::colour::Lut;
use crate::state::imported::{AxisLabels, ImportedData, ImportedTensors, Inputs, Refusal};
use crate::state::{Cell, LayerOfModel};
use attention::{Code, Error};
use engine::training_run::{Reading, Recipe, TrainingRun};
use engine::variant::Variant;
use model::task::{MOST_CHARACTERS, TEXT_LENGTH};
use ndarray::Array2;

/// The lab.
pub struct TrainingLab {
    run: TrainingRun,
    other: Option<OtherRun>,
    step: usize,
    words: Vec<usize>,
    next_example: usize,
    reading: Reading,
    ablation: Ablation,
    masks: HeadMasks,
    names: HeadNames,
    /// Share of right answers after the last step, in the examples that are held out.
    learned: Option<f64>,
    /// The chosen head, counted on through the layers.
    pub head: usize,
    /// The chosen row.
    pub row: usize,
    /// At which temperature the model goes on with what it reads.
    pub temperature: f64,
}

/// A run of the same task and seed that does one thing in another way.
pub struct OtherRun {
    /// Its variant.
    pub variant: Variant,
    /// How far it has come.
    pub run: TrainingRun,
    /// Its model's results for the same input and step.
    pub reading: Reading,
    names: HeadNames,
}

impl TrainingLab {
    /// A model that has not learned anything.
    ///
    /// # Errors
    /// As [`TrainingRun::new`].
    pub fn new(recipe: Recipe, seed: u32, other: Option<Variant>) -> Result<Self, Error> {
        Self::of_runs(other, |variant| TrainingRun::new(recipe, seed, variant))
    }

    /// The same for the next character of a text.
    ///
    /// # Errors
    /// As [`TrainingRun::of_text`].
    pub fn of_text(text: &str, seed: u32, other: Option<Variant>) -> Result<Self, Error> {
        Self::of_runs(other, |variant| TrainingRun::of_text(text, seed, variant))
    }

    fn of_runs(
        other: Option<Variant>,
        run_of: impl Fn(Option<Variant>) -> Result<TrainingRun, Error>,
    ) -> Result<Self, Error> {
        let run = run_of(None)?;
        let words = match run.recipe().text {
            Some(text) => run.parse(text)?,
            None => run.example(0),
        };
        let beside = |variant| OtherRun::new(variant, run_of(Some(variant))?, &words);
        let other = other.map(beside).transpose()?;
        Ok(Self {
            step: 0,
            next_example: 1,
            head: (run.config().layers - 1) * run.config().heads,
            row: run.asked_at(&words),
            reading: run.read(0, words.clone())?,
            ablation: Ablation::default(),
            masks: HeadMasks::new(run.heads(), words.len()),
            names: HeadNames::default(),
            learned: None,
            temperature: 1.0,
            other,
            words,
            run,
        })
    }

    /// The training so far.
    pub fn run(&self) -> &TrainingRun {
        &self.run
    }

    /// The run beside it.
    pub fn other(&self) -> Option<&OtherRun> {
        self.other.as_ref()
    }

    /// The step that is looked at.
    pub fn step(&self) -> usize {
        self.step
    }

    /// Returns the model's input and results.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Heads of this run and of the one beside it, each with the reading that they are in.
    pub fn all_heads(&self) -> impl Iterator<Item = (&Reading, usize)> {
        let own = (0..self.run.heads()).map(|head| (&self.reading, head));
        let others = self.other.iter();
        own.chain(
            others.flat_map(|other| (0..other.run.heads()).map(|head| (&other.reading, head))),
        )
    }

    /// Returns the input as text.
    pub fn text(&self) -> String {
        self.run.text(&self.words)
    }

    /// Takes a training step, which is not looked at yet; whether there are more to take.
    ///
    /// # Errors
    /// As [`TrainingRun::step`].
    pub fn learn(&mut self) -> Result<bool, Error> {
        self.run.step()?;
        if let Some(other) = &mut self.other {
            other.run.step()?;
        }
        if self.run.is_done() && self.learned.is_none() {
            let score = self.run.score(self.run.history().len(), None)?;
            self.learned = Some(score.accuracy);
        }
        Ok(!self.run.is_done())
    }

    /// Looks at a step, or the newest before it.
    pub fn look_at(&mut self, step: usize) {
        let step = step.min(self.run.history().len());
        // A text of another length may have other cells hidden.
        let is_masked = self.masks.total() > 0;
        if let Ok(reading) = self.masks.read(&self.run, step, &self.words) {
            if step != self.step {
                self.ablation = Ablation::default();
            }
            if step != self.step || is_masked {
                self.forget_names();
            }
            (self.step, self.reading) = (step, reading);
            if let Some(other) = &mut self.other {
                other.look_at(step, &self.words);
            }
        }
    }

    /// Looks at the newest step.
    pub fn look_at_newest(&mut self) {
        self.look_at(self.run.history().len());
    }

    /// Reads another text, at the place where the task asks for something.
    ///
    /// # Errors
    /// As [`TrainingRun::parse`]; what was read before stays.
    pub fn read(&mut self, text: &str) -> Result<(), Error> {
        self.words = self.run.parse(text)?;
        self.row = self.run.asked_at(&self.words);
        self.look_at(self.step);
        Ok(())
    }

    /// The text of another example that is held out.
    pub fn another(&mut self) -> String {
        let words = self.run.example(self.next_example);
        self.next_example += 1;
        self.run.text(&words)
    }

    /// The layer of the chosen head with the rows that enter it, for the map.
    ///
    /// # Errors
    /// Where the page refuses its numbers.
    pub fn layer(&self) -> Result<LayerOfModel, Refused> {
        let config = self.run.config();
        let (layer, head) = (self.head / config.heads, self.head % config.heads);
        let weights = self.run.layer(self.step, layer)?.weights().clone();
        let shape = (self.words.len(), config.d_model);
        let queries = Array2::from_shape_vec(shape, self.reading.inputs(layer).to_vec())?;
        let recipe = self.run.recipe();
        let contents = ImportedTensors::Layer {
            weights,
            heads: config.heads,
            kv_heads: config.kv_heads,
            inputs: Some(Inputs {
                queries,
                keys_values: None,
            }),
        };
        let known = self.run.words();
        let rows = self.words.iter().filter_map(|word| known.get(*word));
        let names = AxisLabels {
            rows: rows.cloned().collect(),
            columns: Vec::new(),
        };
        let (task, seed, step) = (recipe.task, self.run.seed(), self.step);
        let name = format!("{task}-{seed}-{step}-{}", layer + 1);
        Ok(LayerOfModel {
            data: ImportedData::new(contents, names, &name)?,
            is_causal: config.causal,
            window: None,
            head,
            cell: Cell {
                query: self.row,
                key: None,
            },
        })
    }

    /// Summary once all steps are done; empty before.
    fn conclusion(&self, language: Language) -> String {
        self.learned.map_or_else(String::new, |right| {
            let (steps, examples) = (self.run.history().len(), scored(&self.run, language));
            text::training_done(language, &steps, &percent(right), &examples)
        })
    }

    /// Message for a text with an unknown word, or with too many words.
    pub fn known_words(&self, language: Language) -> String {
        let known: Vec<&str> = self.run.words().iter().map(|word| shown(word)).collect();
        let (most, known) = (self.run.config().length, known.join(" "));
        if self.run.goes_on() {
            text::training_characters(language, &most, &known)
        } else {
            text::training_unknown(language, &most, &known)
        }
    }

    /// Forgets what was measured by switching heads off.
    pub fn forget_ablation(&mut self) {
        self.ablation = Ablation::default();
    }

    /// Measures how much is right with all heads, then without each; whether there is more to measure.
    pub fn measure_next(&mut self) -> bool {
        let config = self.run.config();
        let (heads, layers) = (config.heads, config.layers);
        let head = self.ablation.without.len();
        let without = self.ablation.whole.map(|_| (head / heads, head % heads));
        if without.is_some_and(|(layer, _)| layer >= layers) {
            return false;
        }
        let Ok(score) = self.run.score(self.step, without) else {
            return false;
        };
        match without {
            None => self.ablation.whole = Some(score.accuracy),
            Some(_) => self.ablation.without.push(score.accuracy),
        }
        self.ablation.without.len() < heads * layers
    }

    /// View of the lab, with charts `width` CSS pixels wide.
    pub fn view<'a>(&'a self, lut: &'a Lut, width: f64, language: Language) -> TrainingView<'a> {
        TrainingView {
            run: &self.run,
            step: self.step,
            reading: &self.reading,
            head: self.head,
            row: self.row,
            other: self.other.as_ref(),
            ablation: &self.ablation,
            masks: &self.masks,
            conclusion: self.conclusion(language),
            names: &self.names,
            width,
            lut,
            language,
        }
    }
}

impl OtherRun {
    fn new(variant: Variant, run: TrainingRun, words: &[usize]) -> Result<Self, Error> {
        let reading = run.read(0, words.to_vec())?;
        Ok(Self {
            variant,
            run,
            reading,
            names: HeadNames::default(),
        })
    }

    /// Returns the behaviours of its heads, as far as they have been measured.
    pub fn names(&self) -> &HeadNames {
        &self.names
    }

    fn look_at(&mut self, step: usize, words: &[usize]) {
        if let Ok(reading) = self.run.read(step, words.to_vec()) {
            self.reading = reading;
        }
    }
}

/// Why a text cannot be learned from.
#[derive(Clone, Copy, Debug)]
pub enum TextProblem {
    /// It has too few characters.
    Short,
    /// It has so many different ones.
    Varied(usize),
}

impl TextProblem {
    /// Problem behind an error of [`TrainingLab::of_text`].
    pub fn new(refused: &Error) -> Self {
        match refused.code {
            Code::TooLarge => Self::Varied(refused.value.parse().unwrap_or_default()),
            _ => Self::Short,
        }
    }

    /// Said of `text`.
    pub fn sentence(self, text: &str, language: Language) -> String {
        match self {
            Self::Short => text::training_own_short(language, &TEXT_LENGTH, &text.chars().count()),
            Self::Varied(count) => text::training_own_varied(language, &MOST_CHARACTERS, &count),
        }
    }
}

/// Why a layer cannot be shown on the map.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The model has no such layer.
    #[error(transparent)]
    Layer(#[from] Error),
    /// The rows do not fit the words.
    #[error(transparent)]
    Rows(#[from] ndarray::ShapeError),
    /// The page does not take such numbers.
    #[error(transparent)]
    Numbers(#[from] Refusal),
}

#[cfg(test)]
mod tests;
