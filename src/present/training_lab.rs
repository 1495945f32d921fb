//! What the training lab holds: a training run, the step that is looked at, and what the model of that step reads.

use super::percent::percent;
use super::training::{Ablation, TrainingView};
use crate::engine::practice::Practice;
use crate::engine::training_run::{Reading, Recipe, TrainingRun};
use crate::i18n::{Language, text};
use crate::scene::colour::Lut;
use crate::state::imported::{AxisLabels, ImportedData, ImportedTensors, Inputs, Refusal};
use crate::state::{Cell, LayerOfModel};
use attention::Error;
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
    /// Share right after the last step, of what training does not draw.
    learned: Option<f64>,
    /// The chosen head, counted on through the layers.
    pub head: usize,
    /// The chosen row.
    pub row: usize,
}

/// A run of the same task and seed that does one thing in another way.
pub struct OtherRun {
    /// What it does in another way.
    pub practice: Practice,
    /// How far it has come.
    pub run: TrainingRun,
    /// What its model of the same step reads.
    pub reading: Reading,
}

impl TrainingLab {
    /// A model that has not learned anything.
    ///
    /// # Errors
    /// As [`TrainingRun::new`].
    pub fn new(recipe: Recipe, seed: u32, other: Option<Practice>) -> Result<Self, Error> {
        let run = TrainingRun::new(recipe, seed, None)?;
        let words = match recipe.text {
            Some(text) => run.parse(text)?,
            None => run.example(0),
        };
        Ok(Self {
            step: 0,
            next_example: 1,
            head: (recipe.layers - 1) * run.config().heads,
            row: run.asked_at(&words),
            reading: run.read(0, words.clone())?,
            ablation: Ablation::default(),
            learned: None,
            other: other
                .map(|practice| OtherRun::new(practice, recipe, seed, &words))
                .transpose()?,
            words,
            run,
        })
    }

    /// The training so far.
    pub fn run(&self) -> &TrainingRun {
        &self.run
    }

    /// The step that is looked at.
    pub fn step(&self) -> usize {
        self.step
    }

    /// What the model reads.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// What it reads as a text.
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
        if let Ok(reading) = self.run.read(step, self.words.clone()) {
            if step != self.step {
                self.ablation = Ablation::default();
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

    /// The text of another example that training does not draw.
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
            head,
            cell: Cell {
                query: self.row,
                key: None,
            },
        })
    }

    /// What is said once all steps are done; empty before.
    pub fn conclusion(&self, language: Language) -> String {
        self.learned.map_or_else(String::new, |right| {
            text::training_done(language, &self.run.history().len(), &percent(right))
        })
    }

    /// What is said of a text with a word that the model does not know, or with too many.
    pub fn known_words(&self, language: Language) -> String {
        let known = self.run.words().join(" ");
        text::training_unknown(language, &self.run.config().length, &known)
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

    /// What is to be seen, with charts `width` CSS pixels across.
    pub fn view<'a>(&'a self, lut: &'a Lut, width: f64, language: Language) -> TrainingView<'a> {
        TrainingView {
            run: &self.run,
            step: self.step,
            reading: &self.reading,
            head: self.head,
            row: self.row,
            other: self.other.as_ref(),
            ablation: &self.ablation,
            width,
            lut,
            language,
        }
    }
}

impl OtherRun {
    fn new(practice: Practice, recipe: Recipe, seed: u32, words: &[usize]) -> Result<Self, Error> {
        let run = TrainingRun::new(recipe, seed, Some(practice))?;
        let reading = run.read(0, words.to_vec())?;
        Ok(Self {
            practice,
            run,
            reading,
        })
    }

    fn look_at(&mut self, step: usize, words: &[usize]) {
        if let Ok(reading) = self.run.read(step, words.to_vec()) {
            self.reading = reading;
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
mod tests {
    use super::*;
    use crate::engine::training_run::RECIPES;
    use crate::engine::{BackendChoice, run};
    use crate::scene::colour::Background;
    use crate::state::request_builder::request;
    use crate::state::{Action, State, reduce, url};

    fn lab(seed: u32) -> TrainingLab {
        TrainingLab::new(RECIPES[0], seed, None).expect("a task")
    }

    /// The bits of all maps of the step that is looked at.
    fn maps(lab: &TrainingLab) -> Vec<u32> {
        let heads = 0..8;
        let weights = heads.flat_map(|head| lab.reading().weights(head));
        weights.map(|weight| weight.to_bits()).collect()
    }

    #[test]
    fn a_step_looks_the_same_whenever_it_is_looked_at() {
        let mut lab = lab(3);
        let mut seen = vec![maps(&lab)];
        for _ in 0..4 {
            assert!(lab.learn().expect("finite"));
            lab.look_at_newest();
            seen.push(maps(&lab));
        }
        assert_eq!(seen[0].len(), 8 * 12 * 12);
        for (step, seen) in seen.iter().enumerate().rev() {
            lab.look_at(step);
            assert_eq!(&maps(&lab), seen, "step {step}");
        }
        lab.look_at(99);
        assert_eq!(lab.step(), 4);
        let mut again = self::lab(3);
        assert!(again.learn().is_ok());
        again.look_at_newest();
        assert_eq!(maps(&again), seen[1]);
    }

    #[test]
    fn a_text_with_unknown_words_leaves_what_was_read() {
        let mut lab = lab(1);
        let before = (lab.text(), lab.row);
        assert!(lab.read("the elephant slept").is_err());
        assert!(lab.read("").is_err());
        assert!(lab.read(&"the ".repeat(13)).is_err());
        assert_eq!((lab.text(), lab.row), before);
        assert!(lab.read("it was tired").is_ok());
        assert_eq!((lab.text().as_str(), lab.row), ("it was tired", 0));
        let example = lab.another();
        assert!(lab.read(&example).is_ok());
        assert_eq!(lab.text(), example);
    }

    #[test]
    fn heads_are_switched_off_one_after_the_other() {
        let mut lab = lab(1);
        let mut count = 1;
        while lab.measure_next() {
            count += 1;
        }
        assert_eq!(count, 9);
        assert!(!lab.measure_next());
        let lut = Lut::mask(Background::Light);
        let measured = |lab: &TrainingLab| {
            let view = lab.view(&lut, 300.0, Language::En);
            let heads = view.heads();
            heads.iter().filter(|head| !head.without.is_empty()).count()
        };
        assert_eq!(measured(&lab), 8);
        // They hold for the step at which they were measured.
        assert!(lab.learn().is_ok());
        lab.look_at_newest();
        assert_eq!(measured(&lab), 0);
    }

    /// Weights of every head of the layer that is given to the map, as the page computes them there.
    fn on_the_map(lab: &TrainingLab, before: &State) -> (State, Vec<f32>) {
        let layer = lab.layer().expect("numbers that the page takes");
        let (state, notices) = reduce(before.clone(), Action::Layer(Box::new(layer)));
        assert_eq!(notices, []);
        let request = request(&state).expect("a layer and its rows");
        let run = run(request, BackendChoice::Cpu).expect("finite");
        let weights = run.trace.weights.expect("wanted");
        (state, weights.iter().copied().collect())
    }

    #[test]
    fn a_layer_on_the_map_has_the_weights_of_the_model() {
        let before = url::parse("text=a+b+c&mask=local&temperature=300&head=2").0;
        for name in ["pronoun", "repeat", "reverse"] {
            let recipe = RECIPES.iter().find(|recipe| recipe.task == name);
            let mut lab = TrainingLab::new(*recipe.expect("a recipe"), 5, None).expect("a task");
            for _ in 0..6 {
                assert!(lab.learn().is_ok());
            }
            lab.look_at_newest();
            for layer in 0..lab.run().config().layers {
                lab.head = 4 * layer + 3;
                let (state, weights) = on_the_map(&lab, &before);
                let model = (4 * layer..4 * layer + 4).flat_map(|head| lab.reading().weights(head));
                let model: Vec<f32> = model.copied().collect();
                assert_eq!(weights.len(), model.len());
                let far = weights
                    .iter()
                    .zip(&model)
                    .map(|(one, other)| (one - other).abs());
                let far = far.fold(0.0, f32::max);
                assert!(far < 1e-6, "{name}, layer {layer}: {far}");
                assert_eq!(state.head, 3);
                assert_eq!(state.cell.map(|cell| cell.query), Some(lab.row));
            }
        }
    }

    #[test]
    fn every_recipe_opens_on_a_sequence_of_its_task() {
        for recipe in RECIPES {
            let lab = TrainingLab::new(recipe, 1, None).expect("a task");
            assert_eq!(
                lab.reading().words.len(),
                lab.run().config().length,
                "{recipe:?}"
            );
            assert!(lab.row < lab.reading().words.len());
            assert!(lab.run().parse(&lab.text()).is_ok(), "{}", lab.text());
        }
    }
}
