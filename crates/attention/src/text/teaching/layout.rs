//! Which columns of an embedding hold content and which hold positions.
//!
//! The position encoding fills every column, fast frequencies first. Content uses the last columns, where the encoding hardly
//! changes from token to token, and is [`CONTENT_SCALE`] times as large.

use ndarray::Array2;

use crate::sinusoid;

/// Content is written this much larger than the encoding's ±1, and read this much smaller.
pub(super) const CONTENT_SCALE: f32 = 4.0;

/// Frequencies that a head of position uses at most: four are enough to tell 40 places apart.
const FREQUENCIES: usize = 4;

/// Longest code of a meaning, the largest `d_k` there is.
const LONGEST_CODE: usize = 128;

/// A flag of a word; its column counts from the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    Noun = 0,
    Pronoun = 1,
    Living = 2,
    Modifier = 3,
    Later = 4,
}

const FLAGS: usize = 5;

/// Columns and strengths for one pair of widths.
pub(super) struct Layout {
    pub(super) d_model: usize,
    pub(super) d_k: usize,
    first_content: usize,
}

impl Layout {
    pub(super) fn new(d_model: usize, d_k: usize) -> Self {
        let layout = Self {
            d_model,
            d_k,
            first_content: 0,
        };
        let fastest = layout.frequencies().last().map_or(0, |pair| 2 * pair + 2);
        Self {
            first_content: fastest.min(d_model),
            ..layout
        }
    }

    /// The pairs of columns that heads of position read: the fastest frequencies, about a factor ¾ apart for
    /// `d_model` ≥ 64 and as close as the encoding has them below.
    pub(super) fn frequencies(&self) -> impl Iterator<Item = usize> + use<> {
        let stride = (self.d_model / 64).max(1);
        let count = (self.d_model / 8).clamp(1, FREQUENCIES);
        (0..count).map(move |k| k * stride)
    }

    /// The column of a flag, where `d_model` has room for it.
    pub(super) fn flag(&self, flag: Flag) -> Option<usize> {
        self.content(flag as usize)
    }

    /// The columns of the code, at most `longest` of them.
    pub(super) fn code(&self, longest: usize) -> impl Iterator<Item = usize> + '_ {
        (0..longest.min(LONGEST_CODE)).map_while(|j| self.content(FLAGS + j))
    }

    /// The content column number `j`, counted from the last one.
    fn content(&self, j: usize) -> Option<usize> {
        let column = self.d_model.checked_sub(j + 1)?;
        (column >= self.first_content).then_some(column)
    }

    /// Constant that the encoding adds to a content column at every position, approximately: `cos 0` or
    /// `sin 0`.
    pub(super) fn constant(&self, column: usize) -> f32 {
        sinusoid(0, column, self.d_model) as f32
    }

    /// `W_V`, the same for every head: number `j` of a value is content column `j`.
    pub(super) fn values(&self, kv_heads: usize) -> Array2<f32> {
        let mut w = Array2::zeros((self.d_model, kv_heads * self.d_k));
        for head in 0..kv_heads {
            for (j, column) in (0..self.d_k).map_while(|j| Some((j, self.content(j)?))) {
                w[[column, head * self.d_k + j]] = 1.0 / CONTENT_SCALE;
            }
        }
        w
    }

    /// `W_O`: the mean over the heads, back in the columns it was taken from.
    pub(super) fn output(&self, heads: usize) -> Array2<f32> {
        let mut w = Array2::zeros((heads * self.d_k, self.d_model));
        for head in 0..heads {
            for (j, column) in (0..self.d_k).map_while(|j| Some((j, self.content(j)?))) {
                w[[head * self.d_k + j, column]] = CONTENT_SCALE / heads as f32;
            }
        }
        w
    }
}
