//! Questions of a page and their answers.

use model::attribute::{Attribution, ScoreCell};

use crate::lens::Said;
use crate::{Change, Interpreter, LayerOfText, Likely, Next, Reading, Why};
use attention::Error;

/// What is asked of an [`Interpreter`]; layers, heads and places count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// [`Interpreter::read`].
    Read {
        /// The text.
        text: String,
    },
    /// [`Interpreter::repeats`].
    Repeats,
    /// [`Interpreter::layer`].
    Layer {
        /// The text.
        text: String,
        /// The layer.
        layer: usize,
    },
    /// [`Interpreter::next`].
    Next {
        /// The text.
        text: String,
        /// The place.
        place: usize,
        /// A word whose probability is wanted besides.
        asked: Option<usize>,
        /// What is changed.
        change: Change,
    },
    /// [`Interpreter::without`].
    Without {
        /// The text.
        text: String,
        /// The place.
        place: usize,
        /// The word whose probability is wanted.
        asked: usize,
        /// A layer and a head of it.
        off: (usize, usize),
    },
    /// [`Interpreter::written`].
    Write {
        /// The text.
        text: String,
        /// In hundredths; 0 takes the likeliest word.
        temperature: u32,
        /// Seed of the draw.
        seed: u32,
    },
    /// [`Interpreter::why`].
    Why {
        /// The text.
        text: String,
        /// The cell of a head.
        cell: ScoreCell,
    },
    /// [`Interpreter::parts`].
    Parts {
        /// The text.
        text: String,
        /// The place.
        place: usize,
        /// The word.
        asked: usize,
    },
    /// [`Interpreter::lens`].
    Lens {
        /// The text.
        text: String,
        /// The place.
        place: usize,
    },
}

/// The answer to a [`Question`] of the same name.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "each is what the method of its question gives")]
pub enum Answer {
    Read(Reading),
    Repeats(Vec<f32>),
    Layer(Box<LayerOfText>),
    Next(Next),
    Without(f64),
    Written(Likely),
    Lens(Vec<Said>),
    Why(Why),
    Parts(Attribution),
}

impl Interpreter {
    /// Answers a question.
    ///
    /// # Errors
    /// Those of the method that answers it.
    pub fn answer(&mut self, question: &Question) -> Result<Answer, Error> {
        Ok(match question {
            Question::Read { text } => Answer::Read(self.read(text)?),
            Question::Repeats => Answer::Repeats(self.repeats()?),
            Question::Layer { text, layer } => Answer::Layer(Box::new(self.layer(text, *layer)?)),
            Question::Next {
                text,
                place,
                asked,
                change,
            } => Answer::Next(self.next(text, *place, *asked, change)?),
            Question::Without {
                text,
                place,
                asked,
                off,
            } => Answer::Without(self.without(text, *place, *asked, *off)?),
            Question::Write {
                text,
                temperature,
                seed,
            } => Answer::Written(self.written(text, f64::from(*temperature) / 100.0, *seed)?),
            Question::Why { text, cell } => Answer::Why(self.why(text, *cell)?),
            Question::Parts { text, place, asked } => {
                Answer::Parts(self.parts(text, *place, *asked)?)
            }
            Question::Lens { text, place } => Answer::Lens(self.lens(text, *place)?),
        })
    }
}
