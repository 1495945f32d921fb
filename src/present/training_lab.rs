//! What the training lab holds: a training run, the step that is looked at, and what the model of that step reads.

use super::training::{Ablation, TrainingView, percent};
use crate::engine::training_run::{Reading, Recipe, TrainingRun};
use crate::i18n::{Language, text};
use crate::scene::colour::Lut;
use attention::Error;

/// The lab.
pub struct TrainingLab {
    run: TrainingRun,
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

impl TrainingLab {
    /// A model that has not learned anything.
    ///
    /// # Errors
    /// As [`TrainingRun::new`].
    pub fn new(recipe: Recipe, seed: u32) -> Result<Self, Error> {
        let run = TrainingRun::new(recipe, seed)?;
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
            ablation: &self.ablation,
            width,
            lut,
            language,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::training_run::RECIPES;
    use crate::scene::colour::Background;

    fn lab(seed: u32) -> TrainingLab {
        TrainingLab::new(RECIPES[0], seed).expect("a task")
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

    #[test]
    fn every_recipe_opens_on_a_sequence_of_its_task() {
        for recipe in RECIPES {
            let lab = TrainingLab::new(recipe, 1).expect("a task");
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
