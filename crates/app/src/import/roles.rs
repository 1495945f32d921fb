//! The roles a tensor can have.

use crate::state::imported::ImportedKind;

/// The role of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Queries of every head.
    Q,
    /// Keys of every key/value head.
    K,
    /// Values of every key/value head.
    V,
    /// Inputs of the queries.
    Queries,
    /// Inputs of keys and values, where they are others.
    KeysValues,
    /// `W_Q`.
    WQ,
    /// `W_K`.
    WK,
    /// `W_V`.
    WV,
    /// `W_O`.
    WO,
    /// `W_Q`, `W_K` and `W_V` in one, side by side or above each other.
    Fused,
    /// `W_K` and `W_V` in one, side by side or above each other.
    FusedKV,
    /// The bias of `W_Q`.
    BQ,
    /// The bias of `W_K`.
    BK,
    /// The bias of `W_V`.
    BV,
    /// The bias of `W_O`.
    BO,
    /// The biases of [`Fused`](Self::Fused) weights.
    FusedBias,
    /// The biases of [`FusedKV`](Self::FusedKV) weights.
    FusedKVBias,
    /// `w_a` of additive scores.
    WA,
    /// Finished attention weights.
    Weights,
}

impl Role {
    /// Every one.
    pub const ALL: [Self; 19] = [
        Self::Q,
        Self::K,
        Self::V,
        Self::Queries,
        Self::KeysValues,
        Self::WQ,
        Self::WK,
        Self::WV,
        Self::WO,
        Self::Fused,
        Self::FusedKV,
        Self::BQ,
        Self::BK,
        Self::BV,
        Self::BO,
        Self::FusedBias,
        Self::FusedKVBias,
        Self::WA,
        Self::Weights,
    ];

    /// How many axes it has in one layer, for one text; `None` for weights, of which there is one set.
    pub(super) const fn axes(self) -> Option<usize> {
        match self {
            Self::Weights | Self::Q | Self::K | Self::V => Some(3),
            Self::Queries | Self::KeysValues => Some(2),
            _ => None,
        }
    }

    /// The roles of a kind of numbers, in the order of the page.
    pub const fn for_kind(kind: ImportedKind) -> &'static [Self] {
        match kind {
            ImportedKind::Matrix => &[Self::Weights],
            ImportedKind::Heads => &[Self::Q, Self::K, Self::V],
            ImportedKind::Embeddings => &[Self::Queries, Self::KeysValues],
            ImportedKind::Layer => &[
                Self::WQ,
                Self::WK,
                Self::WV,
                Self::Fused,
                Self::FusedKV,
                Self::WO,
                Self::BQ,
                Self::BK,
                Self::BV,
                Self::FusedBias,
                Self::FusedKVBias,
                Self::BO,
                Self::WA,
                Self::Queries,
                Self::KeysValues,
            ],
        }
    }

    /// Whether numbers of `kind` are nothing without it.
    pub fn is_needed(self, kind: ImportedKind) -> bool {
        match kind {
            ImportedKind::Layer => matches!(self, Self::WQ | Self::WK | Self::WV),
            ImportedKind::Embeddings => self == Self::Queries,
            ImportedKind::Heads | ImportedKind::Matrix => true,
        }
    }

    /// The name by which the public interface knows it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Q => "q",
            Self::K => "k",
            Self::V => "v",
            Self::Queries => "queries",
            Self::KeysValues => "keys_values",
            Self::WQ => "w_q",
            Self::WK => "w_k",
            Self::WV => "w_v",
            Self::WO => "w_o",
            Self::Fused => "w_qkv",
            Self::FusedKV => "w_kv",
            Self::BQ => "b_q",
            Self::BK => "b_k",
            Self::BV => "b_v",
            Self::BO => "b_o",
            Self::FusedBias => "b_qkv",
            Self::FusedKVBias => "b_kv",
            Self::WA => "w_a",
            Self::Weights => "weights",
        }
    }
}
