//! What a step does.

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
    /// Hidden scores are left out, or overwritten by a number.
    Mask,
    /// `A = softmax(S)` over the visible keys of each row.
    Softmax,
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
            | Self::ShortenKeys
            | Self::ShortenValues => Stage::Prepare,
            Self::DotScores
            | Self::AdditiveScores
            | Self::Scale
            | Self::Mask
            | Self::Softmax
            | Self::WeightedSum => Stage::Attend,
            Self::MergeHeads | Self::ProjectOutput => Stage::Finish,
        }
    }

    /// The formula in plain text, with the field's letters.
    pub const fn formula(self) -> &'static str {
        match self {
            Self::AddPositions(Side::Both) => "X + PE",
            Self::AddPositions(Side::Queries) => "X + PE (queries)",
            Self::AddPositions(Side::KeysValues) => "X + PE (keys and values)",
            Self::ProjectQueries => "X·W_Q + b_Q",
            Self::ProjectKeys => "X·W_K + b_K",
            Self::ProjectValues => "X·W_V + b_V",
            Self::ShortenKeys => "E·K",
            Self::ShortenValues => "F·V",
            Self::DotScores => "Q·Kᵀ",
            Self::AdditiveScores => "w_a·tanh(Q + K)",
            Self::Scale => "S·scale",
            Self::Mask => "S where visible",
            Self::Softmax => "softmax(S)",
            Self::WeightedSum => "A·V",
            Self::MergeHeads => "heads side by side",
            Self::ProjectOutput => "C·W_O + b_O",
        }
    }

    /// The letter of the tensor that the operation makes.
    pub const fn result(self) -> &'static str {
        match self {
            Self::AddPositions(_) => "X",
            Self::ProjectQueries => "Q",
            Self::ProjectKeys | Self::ShortenKeys => "K",
            Self::ProjectValues | Self::ShortenValues => "V",
            Self::DotScores | Self::AdditiveScores | Self::Scale | Self::Mask => "S",
            Self::Softmax => "A",
            Self::WeightedSum | Self::MergeHeads => "C",
            Self::ProjectOutput => "Y",
        }
    }
}
