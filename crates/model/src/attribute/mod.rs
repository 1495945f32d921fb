//! Where a score or a logit comes from: the residual path is a sum of what the embedding, every head and every MLP wrote to it, and what
//! reads it is linear (Elhage et al. 2021, "Residual stream as communication channel" and "Attention heads as information movement").
//!
//! Norms are taken as they are in this pass: a norm divides by what the whole row gives, and that factor is held fixed. Without its shift it
//! is then linear, the mean that a layer norm takes off included. Rows are split at the two positions that a score has, or the one of a
//! logit, while the pass computes every word; products and sums of parts are in 64 bits. Parts add up to the score but for the rounding of
//! the pass, whose rows are in 32 bits: within 1e-6 of the largest part as a rule, which may be far above the score itself.

mod cell;
mod logit;
mod parts;
mod score;
mod split;

pub use cell::ScoreCell;
pub use score::By;
pub(crate) use split::Split;

use crate::infer::{Inference, Pass};
use crate::{Model, Words};
use attention::{Code, Error};
use parts::{Parts, wide};

/// What writes to the residual path, or to a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// The word's vector.
    Token,
    /// The vector of the word's place, learned or sinusoidal.
    Position,
    /// The vector of the word's kind.
    TokenType,
    /// A layer and a head of it: `C_g·W_O[g]`.
    Head(usize, usize),
    /// The MLP of a layer, with its biases.
    Mlp(usize),
    /// What belongs to none of the others: biases of attention (`b_o`, and `b_q` or `b_k` of the head that reads) and shifts of norms.
    Bias,
    /// The penalty of a distance, which is subtracted from a score and is in no row (ALiBi).
    Distance,
}

/// What a source gives to a score or a logit; that of a pair of sources is `Part<[Source; 2]>`, the query's first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part<S = Source> {
    /// Where it comes from.
    pub source: S,
    /// How much.
    pub value: f64,
}

/// A score or a logit, and what it is the sum of.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribution<S = Source> {
    /// The number that the pass comes to, from its rows.
    pub score: f64,
    /// Its parts, strongest first: by `|value|`, equal ones in the order of the model.
    pub parts: Vec<Part<S>>,
}

impl<S> Attribution<S> {
    fn new(score: f64, parts: impl Iterator<Item = (S, f64)>) -> Self {
        let mut parts: Vec<_> = parts
            .map(|(source, value)| Part { source, value })
            .collect();
        parts.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        Self { score, parts }
    }
}

impl Model {
    /// The rows of the residual path that enter a layer, or come after all of them, at some positions of one sequence: as they are in a pass
    /// that is changed as `how` says, and split.
    fn split<const N: usize>(
        &self,
        words: &Words,
        how: &Inference,
        layer: usize,
        at: [usize; N],
    ) -> Result<[(Vec<f64>, Parts); N], Error> {
        let how = Inference {
            hidden: vec![layer],
            ..how.changes()
        };
        self.check_inference(words, &how)?;
        let mut split = Split::new(&at);
        let found = Pass::new(self, words, &how, None)
            .followed(&mut split)
            .run()?;
        let (width, rows) = (self.config.d_model, found.hidden.concat());
        let mut parts = split.residual();
        Ok(at.map(|at| {
            let row = wide(&rows[at * width..][..width]);
            (row, parts.next().unwrap_or_default())
        }))
    }
}

/// Refuses a place that the one sequence does not have.
fn check_place(words: &Words, field: &str, place: usize) -> Result<(), Error> {
    if words.batch() != 1 {
        let rule = "must be one sequence";
        return Err(Error::new(
            Code::ShapeMismatch,
            "tokens",
            words.batch(),
            rule,
        ));
    }
    if place < words.length() {
        return Ok(());
    }
    let rule = format!("must be below {} (words)", words.length());
    Err(Error::new(Code::ShapeMismatch, field, place, rule))
}
