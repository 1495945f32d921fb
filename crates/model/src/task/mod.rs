//! Tasks for models, which generate examples from a seed without end.
//!
//! One example in eight is held out, by a hash of its words: training never draws it, and accuracy is measured on such ones alone. A text of
//! a reader's own is an exception: its pieces overlap, few of them differ, and where none is held out any is taken.

mod brackets;
mod pronoun;
mod sequence;
mod text;
mod translation;

pub use text::{LENGTH as TEXT_LENGTH, MOST_CHARACTERS};

use super::{Examples, ModelConfig, Words};
use attention::text::random::{Choice, StreamKind, stable_hash};
use attention::text::vocabulary;
use attention::{Code, Error};

/// The names of the tasks that need nothing but their name.
pub const TASKS: [&str; 8] = [
    "pronoun",
    "pronoun-zh",
    "copy",
    "reverse",
    "sort",
    "repeat",
    "brackets",
    "translation",
];

/// Draws after which an example of the wrong part is taken all the same: in 4 of 10⁶⁰ times no draw is held out.
const MOST_DRAWS: usize = 1024;

/// Words and targets of one example, equally long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Example {
    words: Vec<usize>,
    targets: Vec<Option<usize>>,
}

/// Makes examples.
trait Generator: Send + Sync {
    fn example(&self, choice: &mut Choice) -> Example;

    /// Draws after which an example of the wrong part is taken all the same.
    fn most_draws(&self) -> usize {
        MOST_DRAWS
    }
}

/// Which examples are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// Those of one training step, from 0.
    Training(u32),
    /// Those that training never draws, but for a text that has none of them.
    HeldOut,
}

/// Something to learn.
pub struct Task {
    name: &'static str,
    about: &'static str,
    words: Vec<String>,
    length: usize,
    generator: Box<dyn Generator>,
}

impl Task {
    /// The task of a name among [`TASKS`].
    ///
    /// # Errors
    /// [`Code::UnknownOption`] for any other.
    pub fn named(name: &str) -> Result<Self, Error> {
        match name {
            "pronoun" => Ok(pronoun::english()),
            "pronoun-zh" => Ok(pronoun::chinese()),
            "copy" => Ok(sequence::copy()),
            "reverse" => Ok(sequence::reverse()),
            "sort" => Ok(sequence::sort()),
            "repeat" => Ok(sequence::repeat()),
            "brackets" => Ok(brackets::task()),
            "translation" => Ok(translation::task()),
            other => {
                let rule = format!(
                    "must be one of {}, or \"text\" with a text",
                    TASKS.join(", ")
                );
                Err(Error::new(Code::UnknownOption, "task", other, rule))
            }
        }
    }

    /// The next character of a text.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] for a text of [`TEXT_LENGTH`] characters or fewer, [`Code::TooLarge`] for one of more than
    /// [`MOST_CHARACTERS`] different ones.
    pub fn next_character(text: &str) -> Result<Self, Error> {
        text::task(text)
    }

    /// Its name in the public API.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Describes the task in one sentence.
    pub fn about(&self) -> &'static str {
        self.about
    }

    /// The words, each at its number.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Words of each example.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Draws examples; the same seed and part give the same ones.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] where the model has too few words or takes too short sequences.
    pub fn examples(
        &self,
        config: &ModelConfig,
        count: usize,
        seed: u32,
        part: Split,
    ) -> Result<Examples, Error> {
        self.check(config)?;
        let stream = match part {
            Split::Training(step) => u64::from(step),
            Split::HeldOut => u64::MAX,
        };
        let mut choice = Choice::new(seed, StreamKind::Examples, stream);
        let drawn: Vec<Example> = (0..count)
            .map(|_| self.example(&mut choice, part == Split::HeldOut))
            .collect();
        let (words, targets): (Vec<_>, Vec<_>) = drawn
            .into_iter()
            .map(|example| (example.words, example.targets))
            .unzip();
        Examples::new(config, Words::new(config, &words)?, &targets)
    }

    /// The numbers of the words of a text.
    ///
    /// # Errors
    /// [`Code::UnknownOption`] with the first word that the task does not have.
    pub fn read(&self, text: &str) -> Result<Vec<usize>, Error> {
        vocabulary::read(&self.words, text)
    }

    fn check(&self, config: &ModelConfig) -> Result<(), Error> {
        let needs = [
            ("vocabulary", config.vocabulary, self.words.len()),
            ("length", config.length, self.length),
        ];
        match needs.into_iter().find(|(_, has, needed)| has < needed) {
            None => Ok(()),
            Some((field, has, needed)) => {
                let rule = format!("the task \"{}\" needs at least {needed}", self.name);
                Err(Error::new(Code::ShapeMismatch, field, has, rule))
            }
        }
    }

    fn example(&self, choice: &mut Choice, held_out: bool) -> Example {
        let mut example = self.generator.example(choice);
        for _ in 0..self.generator.most_draws() {
            if is_held_out(&example) == held_out {
                break;
            }
            example = self.generator.example(choice);
        }
        example
    }
}

fn is_held_out(example: &Example) -> bool {
    let text: String = example
        .words
        .iter()
        .map(|word| format!("{word} "))
        .collect();
    stable_hash(&text).is_multiple_of(8)
}

/// Words as a task keeps them.
fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    words.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With 64 draws one of 256 examples was of the wrong part from every twentieth seed or so.
    #[test]
    fn every_example_is_of_the_part_that_is_asked_for() {
        for name in TASKS {
            let task = Task::named(name).expect("a task");
            for (seed, held_out) in (1..=16).flat_map(|seed| [(seed, true), (seed, false)]) {
                let mut choice = Choice::new(seed, StreamKind::Examples, u64::MAX);
                let mut examples = (0..256).map(|_| task.example(&mut choice, held_out));
                let is_right = examples.all(|example| is_held_out(&example) == held_out);
                assert!(is_right, "{name}, seed {seed}");
            }
        }
    }
}
