//! Shapes with named axes.

use std::fmt;

use crate::Sizes;

/// The axes a tensor can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Independent inputs.
    Batch,
    /// Query heads.
    Heads,
    /// Key/value heads.
    KvHeads,
    /// Query rows.
    N,
    /// Rows of keys and values.
    M,
    /// Positions that queries and keys share: as many as the longer of both texts has.
    Positions,
    /// Key columns of the score matrix.
    Keys,
    /// Input width.
    DModel,
    /// Query and key width of one head.
    DK,
    /// Value width of one head.
    DV,
    /// Values of all heads side by side, `heads·d_v`.
    Merged,
    /// Output width.
    DOut,
    /// Words that a model knows: the columns of its logits.
    Vocabulary,
}

impl Axis {
    /// The axis's name in the field's terms.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Batch => "batch",
            Self::Heads => "heads",
            Self::KvHeads => "kv_heads",
            Self::N => "n",
            Self::M => "m",
            Self::Positions => "position",
            Self::Keys => "keys",
            Self::DModel => "d_model",
            Self::DK => "d_k",
            Self::DV => "d_v",
            Self::Merged => "heads·d_v",
            Self::DOut => "d_out",
            Self::Vocabulary => "vocabulary",
        }
    }

    /// The axis's length; 0 for an input width where q, k and v were given, and for a vocabulary, of which no layer knows.
    pub fn length(self, sizes: &Sizes) -> usize {
        match self {
            Self::Batch => sizes.batch,
            Self::Heads => sizes.heads,
            Self::KvHeads => sizes.kv_heads,
            Self::N => sizes.n,
            Self::M => sizes.m,
            Self::Positions => sizes.n.max(sizes.m),
            Self::Keys => sizes.keys,
            Self::DModel => sizes.d_model.unwrap_or(0),
            Self::DK => sizes.d_k,
            Self::DV => sizes.d_v,
            Self::Merged => sizes.heads * sizes.d_v,
            Self::DOut => sizes.d_out,
            Self::Vocabulary => 0,
        }
    }
}

/// Axes and their lengths, outermost first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape(pub Vec<(Axis, usize)>);

impl Shape {
    /// How many numbers a tensor of this shape holds.
    pub fn elements(&self) -> u64 {
        self.0.iter().map(|(_, length)| *length as u64).product()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes: Vec<_> = self
            .0
            .iter()
            .map(|(axis, length)| format!("{} {length}", axis.name()))
            .collect();
        write!(f, "[{}]", axes.join(", "))
    }
}
