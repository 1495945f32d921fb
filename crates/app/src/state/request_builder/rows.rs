//! The rows that a layer projects: embeddings of the tokens, or imported ones.

use ndarray::{Array2, Array3, Axis};

use super::{Sides, imported, tokens};
use crate::state::learned;
use crate::state::{Origin, State};
use attention::Error;
use attention::text::{Tokens, embedding, teaching, tokenize};

/// Everything that embeddings are made from: equal keys make equal rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowsKey {
    text: String,
    second: Option<String>,
    origin: Origin,
    seed: u32,
    d_model: usize,
}

/// The rows of a state and the tokens that they belong to.
#[derive(Debug, PartialEq)]
pub(super) struct Rows {
    pub(super) sides: Sides,
    /// `[1, n, d_model]`.
    pub(super) queries: Array3<f32>,
    /// `[1, m, d_model]`; `None` where the queries look at themselves.
    pub(super) keys_values: Option<Array3<f32>>,
}

impl RowsKey {
    pub(super) fn new(state: &State) -> Self {
        Self {
            text: state.text.clone(),
            second: state.second.clone(),
            origin: state.origin,
            seed: state.seed,
            d_model: state.d_model,
        }
    }

    /// The embeddings of both sides.
    pub(super) fn rows(&self) -> Rows {
        let sides = Sides {
            queries: tokenize(&self.text),
            source: self.second.as_deref().map(tokenize),
        };
        let (queries, source) = (&sides.queries, sides.source.as_ref());
        let keys_values = source.map(|source| self.embeddings(source, Some(queries)));
        Rows {
            queries: in_batch(self.embeddings(queries, source)),
            keys_values: keys_values.map(in_batch),
            sides,
        }
    }

    fn embeddings(&self, tokens: &Tokens, other: Option<&Tokens>) -> Array2<f32> {
        match self.origin {
            Origin::Teaching => {
                let other = other.map(|other| &*other.words);
                teaching::embeddings(&tokens.words, other, self.d_model, self.seed)
            }
            Origin::Random | Origin::Learned => {
                embedding::embeddings(&tokens.words, self.d_model, self.seed)
            }
        }
    }
}

impl Rows {
    /// The rows that enter a layer of a learned model, where the state has one.
    ///
    /// # Errors
    /// As [`engine::learned::layer()`].
    pub(super) fn learned(state: &State) -> Result<Option<Self>, Error> {
        if state.origin != Origin::Learned {
            return Ok(None);
        }
        let layer = engine::learned::layer(&learned::key(state)?)?;
        Ok(Some(Self {
            sides: tokens(state),
            queries: in_batch(layer.rows.clone()),
            keys_values: None,
        }))
    }

    /// Imported rows, where there are some.
    pub(super) fn imported(state: &State) -> Option<Self> {
        let inputs = imported::inputs(state)?;
        Some(Self {
            sides: tokens(state),
            queries: in_batch(inputs.queries.clone()),
            keys_values: inputs.keys_values.clone().map(in_batch),
        })
    }

    /// How many numbers they hold.
    pub(super) fn length(&self) -> usize {
        self.queries.len() + self.keys_values.as_ref().map_or(0, Array3::len)
    }
}

fn in_batch(rows: Array2<f32>) -> Array3<f32> {
    rows.insert_axis(Axis(0))
}
