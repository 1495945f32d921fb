//! Kinds of explanations, terms and single numbers.

use crate::state::StepKind;

/// Names of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// A column of the vectors that are multiplied.
    Column(usize),
    /// A key of the sequence, or one of Linformer's rows.
    Key(usize),
    /// A query of the sequence.
    Query(usize),
    /// A row of the keys' side that Linformer mixes.
    Row(usize),
    /// A word of the vocabulary.
    Word(usize),
    /// A column of the gradient of queries, keys or values.
    Component(StepKind, usize),
    /// Sum of the other heads.
    OtherHeads,
    /// Gradient along the residual path, past the layer.
    Past,
    /// Gradient through the layer and its norm.
    Through,
    /// The bias of a projection.
    Bias,
    /// Named by their order alone.
    Plain,
}

/// Meanings of a single number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The place in the sequence.
    Position,
    /// Divisor of the position, which gives an angle.
    Divisor,
    /// The angle, in radians.
    Angle,
    /// The largest visible score of the row.
    Largest,
    /// The largest logit of the row.
    LargestLogit,
    /// Divisor of the scores.
    Temperature,
    /// The sum of all exponentials.
    Sum,
    /// The exponential of the cell itself.
    Own,
    /// Value before this step.
    Taken,
    /// The mean of a row.
    Mean,
    /// `√(variance + ε)` of a row.
    Deviation,
    /// Scale (γ) of layer norm.
    NormScale,
    /// Shift (β) of layer norm.
    NormShift,
    /// The weight of the cell itself.
    Weight,
    /// Its gradient.
    WeightGradient,
    /// The probability of a word.
    Probability,
    /// 1 where a word is the right one, 0 elsewhere.
    Target,
    /// A number of a row less its mean, over the row's deviation.
    Normalized,
    /// The mean of a row's gradients, each times what layer norm multiplies by.
    MeanGradient,
    /// The mean of the same, each times its normalized number.
    MeanAlong,
}

/// The arithmetic that gives a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivation {
    /// Read from the embedding of a token.
    Embedded,
    /// Read from the imported data.
    Imported,
    /// A sine of the position; even columns.
    Sine,
    /// A cosine of the position; odd columns.
    Cosine,
    /// A row of the input times a column of W_Q, W_K or W_V.
    Projected,
    /// The same of embedding plus encoding.
    ProjectedPositions,
    /// The first of a pair of columns that are turned: `x·cos − y·sin`.
    TurnedFirst,
    /// The second of a pair: `x·sin + y·cos`.
    TurnedSecond,
    /// The last of an odd number of columns, which has no partner.
    Unturned,
    /// Rows of keys or values mixed by Linformer's E or F.
    Shortened,
    /// A query times a key.
    Dot,
    /// `Σ w_a·tanh(q + k)`.
    Additive,
    /// A score times `1/√d_k`.
    Scaled,
    /// A score, and off it the distance times a slope.
    Biased,
    /// 1 where a cell is visible, 0 where it is hidden.
    Ruled,
    /// A visible score stays.
    Kept,
    /// A hidden score is left out.
    LeftOut,
    /// A hidden score is overwritten.
    Written,
    /// A score, and the mask's 1 or 0 on top of it.
    Added,
    /// An exponential over the sum of exponentials.
    Softmax,
    /// A hidden key has no weight.
    Hidden,
    /// A weight is kept, or hidden, after the softmax over all keys.
    HiddenAfter,
    /// Rows of V, each times its weight.
    Weighted,
    /// A column of one head's context.
    Beside,
    /// The heads side by side times W_O.
    Output,
    /// The residual path, read from the model.
    Residual,
    /// A row of the residual path after layer norm.
    Normed,
    /// The residual path and the output.
    Summed,
    /// The residual path after the last layer times the unembedding.
    Unembedded,
    /// A gradient, made of those of the steps after it.
    Backward,
}

impl Name {
    /// Its place among other terms: in the vectors or the sentence, and before that in the formula.
    pub(super) fn sort_index(self) -> (usize, usize) {
        match self {
            Self::Column(at) | Self::Key(at) | Self::Query(at) | Self::Row(at) | Self::Word(at) => {
                (0, at)
            }
            Self::Component(StepKind::QueriesGradient, at) => (0, at),
            Self::Component(StepKind::KeysGradient, at) => (1, at),
            Self::Component(_, at) => (2, at),
            Self::OtherHeads | Self::Past | Self::Through | Self::Bias | Self::Plain => {
                (usize::MAX, 0)
            }
        }
    }
}
