//! Operations of a plan's steps.

use crate::Biases;

/// Which inputs positions are added to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The one input of self-attention.
    Both,
    /// The query side of cross-attention.
    Queries,
    /// The key and value side of cross-attention.
    KeysValues,
}

/// When a step runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Once, before any score exists.
    Prepare,
    /// For each head and tile of query rows; this is where everything quadratic lives.
    Attend,
    /// Once, when every tile is done.
    Finish,
}

/// The operations an attention is made of. `Q`, `K`, `V` are per head; key/value heads may be shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `X ← X + PE`.
    AddPositions(Side),
    /// `Q = X·W_Q + b_Q`.
    ProjectQueries,
    /// `K = Y·W_K + b_K`.
    ProjectKeys,
    /// `V = Y·W_V + b_V`.
    ProjectValues,
    /// `Q ← scale ∘ Q/rms(Q)`: each row of a head has a mean square of 1 before the scale.
    NormQueries,
    /// `K ← scale ∘ K/rms(K)`.
    NormKeys,
    /// `Q ← R·Q`: each row rotated by its position (rotary).
    RotateQueries,
    /// `K ← R·K`: each row rotated by its position (rotary).
    RotateKeys,
    /// `K ← E·K` (Linformer).
    ShortenKeys,
    /// `V ← F·V` (Linformer).
    ShortenValues,
    /// `S = Q·Kᵀ`.
    DotScores,
    /// `S = Σ_c w_a[c]·tanh(Q[c] + K[c])`.
    AdditiveScores,
    /// `S ← S·scale`.
    Scale,
    /// `S ← cap·tanh(S/cap)`.
    Cap,
    /// `S ← S − slope·|i − j|` (ALiBi).
    Bias,
    /// `S ← S + B`: a bias that was given.
    AddBias,
    /// Hidden scores are left out, or overwritten by a number.
    Mask,
    /// `A = softmax(S/T)` over the visible keys of each row.
    Softmax,
    /// Hidden weights become 0, after a softmax over all keys.
    HideWeights,
    /// `C = A·V`.
    WeightedSum,
    /// The heads side by side.
    MergeHeads,
    /// `Y = C·W_O + b_O`.
    ProjectOutput,
}

impl Operation {
    /// When the operation runs.
    pub const fn stage(self) -> Stage {
        match self {
            Self::AddPositions(_)
            | Self::ProjectQueries
            | Self::ProjectKeys
            | Self::ProjectValues
            | Self::NormQueries
            | Self::NormKeys
            | Self::RotateQueries
            | Self::RotateKeys
            | Self::ShortenKeys
            | Self::ShortenValues => Stage::Prepare,
            Self::DotScores
            | Self::AdditiveScores
            | Self::Scale
            | Self::Cap
            | Self::Bias
            | Self::AddBias
            | Self::Mask
            | Self::Softmax
            | Self::HideWeights
            | Self::WeightedSum => Stage::Attend,
            Self::MergeHeads | Self::ProjectOutput => Stage::Finish,
        }
    }

    /// The formula in plain text, with the field's letters. [`Step::formula`](super::Step::formula) knows the temperature, and which projections
    /// have a bias.
    pub const fn formula(self) -> &'static str {
        match self {
            Self::AddPositions(Side::Both) => "X + PE",
            Self::AddPositions(Side::Queries) => "X + PE (queries)",
            Self::AddPositions(Side::KeysValues) => "X + PE (keys and values)",
            Self::ProjectQueries => "X·W_Q + b_Q",
            Self::ProjectKeys => "X·W_K + b_K",
            Self::ProjectValues => "X·W_V + b_V",
            Self::NormQueries => "scale·Q/rms(Q)",
            Self::NormKeys => "scale·K/rms(K)",
            Self::RotateQueries => "R·Q",
            Self::RotateKeys => "R·K",
            Self::ShortenKeys => "E·K",
            Self::ShortenValues => "F·V",
            Self::DotScores => "Q·Kᵀ",
            Self::AdditiveScores => "w_a·tanh(Q + K)",
            Self::Scale => "S·scale",
            Self::Cap => "cap·tanh(S/cap)",
            Self::Bias => "S − slope·|i−j|",
            Self::AddBias => "S + B",
            Self::Mask => "S where visible",
            Self::Softmax => "softmax(S)",
            Self::HideWeights => "A where visible",
            Self::WeightedSum => "A·V",
            Self::MergeHeads => "heads concatenated",
            Self::ProjectOutput => "C·W_O + b_O",
        }
    }

    /// Whether it is one of the projections that add a bias.
    pub const fn adds_bias(self, biases: &Biases) -> bool {
        match self {
            Self::ProjectQueries => biases.query,
            Self::ProjectKeys => biases.key,
            Self::ProjectValues => biases.value,
            Self::ProjectOutput => biases.output,
            _ => false,
        }
    }

    /// The letter of the tensor that the operation makes.
    pub const fn result(self) -> &'static str {
        match self {
            Self::AddPositions(_) => "X",
            Self::ProjectQueries | Self::NormQueries | Self::RotateQueries => "Q",
            Self::ProjectKeys | Self::NormKeys | Self::RotateKeys | Self::ShortenKeys => "K",
            Self::ProjectValues | Self::ShortenValues => "V",
            Self::DotScores
            | Self::AdditiveScores
            | Self::Scale
            | Self::Cap
            | Self::Bias
            | Self::AddBias
            | Self::Mask => "S",
            Self::Softmax | Self::HideWeights => "A",
            Self::WeightedSum | Self::MergeHeads => "C",
            Self::ProjectOutput => "Y",
        }
    }
}
