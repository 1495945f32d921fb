//! Inputs and targets of a model, validated once.

use std::ops::Range;

use super::ModelConfig;
use attention::{Code, Error};

/// Sequences of equal length, as numbers of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    batch: usize,
    length: usize,
    words: Vec<usize>,
}

impl Words {
    /// Checks sequences against a model: `[batch][n]`.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] where lengths differ or a sequence is longer than the model takes, [`Code::UnknownOption`] for a word
    /// that it does not have. Both name the place, e.g. `tokens[0][2]`.
    pub fn new(config: &ModelConfig, sequences: &[Vec<usize>]) -> Result<Self, Error> {
        let length = common_length("tokens", sequences)?;
        if length > config.length {
            let rule = format!(
                "a sequence may have at most {} words (length)",
                config.length
            );
            return Err(Error::new(Code::ShapeMismatch, "tokens", length, rule));
        }
        let words = sequences.concat();
        check_words("tokens", &words, length, config.vocabulary)?;
        Ok(Self {
            batch: sequences.len(),
            length,
            words,
        })
    }

    /// Number of sequences.
    pub fn batch(&self) -> usize {
        self.batch
    }

    /// Words of each sequence.
    pub fn length(&self) -> usize {
        self.length
    }

    /// All words, one sequence after the other.
    pub fn all(&self) -> &[usize] {
        &self.words
    }
}

/// Sequences, with the target at each position, if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examples {
    words: Words,
    targets: Vec<Option<usize>>,
}

impl Examples {
    /// Checks targets against the words: `[batch][n]`, `None` takes no part in the loss.
    ///
    /// # Errors
    /// As [`Words::new`]; [`Code::ShapeMismatch`] where targets have another shape than the words, [`Code::MissingField`] where
    /// there is no target at all.
    pub fn new(
        config: &ModelConfig,
        words: Words,
        targets: &[Vec<Option<usize>>],
    ) -> Result<Self, Error> {
        let length = common_length("targets", targets)?;
        if [targets.len(), length] != [words.batch, words.length] {
            let found = [targets.len(), length];
            let wanted = [words.batch, words.length];
            return Err(Error::shape("targets", &found, &wanted, "as tokens"));
        }
        let targets = targets.concat();
        let known: Vec<_> = targets.iter().map(|target| target.unwrap_or(0)).collect();
        check_words("targets", &known, length, config.vocabulary)?;
        if targets.iter().flatten().next().is_none() {
            let rule = "at least one place must have a word to be predicted";
            return Err(Error::missing("targets", rule));
        }
        Ok(Self { words, targets })
    }

    /// Returns the inputs.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// Returns the targets of all sequences, concatenated.
    pub fn targets(&self) -> &[Option<usize>] {
        &self.targets
    }

    /// The sequences of a range; none where it reaches beyond the last.
    pub fn part(&self, sequences: Range<usize>) -> Self {
        let n = self.words.length;
        let places = sequences.start * n..sequences.end * n;
        let words = self.words.words.get(places.clone()).unwrap_or_default();
        Self {
            words: Words {
                batch: words.len() / n.max(1),
                length: n,
                words: words.to_vec(),
            },
            targets: self.targets.get(places).unwrap_or_default().to_vec(),
        }
    }
}

fn common_length<T>(field: &str, sequences: &[Vec<T>]) -> Result<usize, Error> {
    let length = sequences.first().map_or(0, Vec::len);
    match sequences
        .iter()
        .position(|sequence| sequence.len() != length)
    {
        None => Ok(length),
        Some(at) => {
            let field = format!("{field}[{at}]");
            let rule = format!("all sequences must be as long as the first, {length}");
            Err(Error::new(
                Code::ShapeMismatch,
                field,
                sequences[at].len(),
                rule,
            ))
        }
    }
}

fn check_words(
    field: &str,
    words: &[usize],
    length: usize,
    vocabulary: usize,
) -> Result<(), Error> {
    match words.iter().position(|word| *word >= vocabulary) {
        None => Ok(()),
        Some(at) => {
            let field = format!("{field}[{}][{}]", at / length, at % length);
            let rule = format!("must be below {vocabulary} (vocabulary)");
            Err(Error::new(Code::UnknownOption, field, words[at], rule))
        }
    }
}
