//! Sizes and switches of one attention, without any numbers; a plan is made from it.

use crate::{Position, Scoring};

/// The lengths of every axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Independent inputs; 1 where the caller gave no batch axis.
    pub batch: usize,
    /// Query heads.
    pub heads: usize,
    /// Key/value heads; divides `heads`.
    pub kv_heads: usize,
    /// Query rows.
    pub n: usize,
    /// Rows of the keys and values.
    pub m: usize,
    /// Key columns of the score matrix: `m`, or Linformer's projected length.
    pub keys: usize,
    /// Width of the inputs; `None` where q, k and v were given.
    pub d_model: Option<usize>,
    /// Width of one head's queries and keys.
    pub d_k: usize,
    /// Width of one head's values.
    pub d_v: usize,
    /// Width of the output: W_O's columns, or `heads·d_v`.
    pub d_out: usize,
}

/// Where queries, keys and values come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputKind {
    /// Projected from `queries` alone: self-attention.
    SelfAttention,
    /// Projected from `queries` and `keys_values`: cross-attention.
    CrossAttention,
    /// q, k and v were given.
    Given,
}

/// Which projections add a bias.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Biases {
    /// `b_Q`, as many numbers as `W_Q` has columns; the others alike.
    pub query: bool,
    /// `b_K`.
    pub key: bool,
    /// `b_V`.
    pub value: bool,
    /// `b_O`.
    pub output: bool,
}

/// Everything that decides the steps of an attention.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Config {
    /// Axis lengths.
    pub sizes: Sizes,
    /// Where q, k and v come from.
    pub input: InputKind,
    /// How query and key are compared.
    pub scoring: Scoring,
    /// The factor on dot scores.
    pub scale: f32,
    /// How the order of the rows enters.
    pub position: Position,
    /// Whether every head's queries and keys are normalized.
    pub norms: bool,
    /// Soft cap of the scores, if they have one.
    pub cap: Option<f32>,
    /// Matrices `[n, m]` of the bias that is added to the scores, if there is one.
    pub bias_matrices: Option<usize>,
    /// Whether a mask can hide cells.
    pub masked: bool,
    /// Whether it hides weights after the softmax instead of scores before it.
    pub mask_after: bool,
    /// Temperature: scores are divided by it in the softmax.
    pub temperature: f32,
    /// Whether keys and values are projected along the sequence.
    pub linformer: bool,
    /// Whether W_O is applied to the heads side by side.
    pub output: bool,
    /// Which projections add a bias.
    pub biases: Biases,
}
