//! Bytes that a computation holds at once.

use super::{BYTES_PER_NUMBER, cells};
use crate::plan::{Operation, Plan, tile_rows};
use crate::{Config, InputKind, Scoring, Sizes};

/// Bytes of a run that wants its output and nothing else.
///
/// Scores that may lie beyond the accuracy of 32 bit are held in 64 bit as well, for one tile: that is not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Memory {
    /// `W_Q`, `W_K`, `W_V`, `W_O` and their biases, `w_a`, `E` and `F`.
    pub weights: u64,
    /// X, and Y in cross-attention.
    pub inputs: u64,
    /// A copy of the inputs (positions may be added to it), Q, K, V, what Linformer makes of K and V, the context
    /// by heads and side by side, the output.
    pub activations: u64,
    /// The tile of query rows that is worked on: scores, which become weights in place, which cells are visible, and the keys and values of its
    /// head as the products read them. Causal, local and padding masks take less: a range for each row.
    pub tile: u64,
    /// The whole score matrix over all heads.
    pub scores: u64,
}

impl Memory {
    /// The memory of a plan that makes an output.
    pub fn from_plan(plan: &Plan) -> Self {
        let config = plan.config();
        let s = &config.sizes;
        let count = |lengths: &[usize]| lengths.iter().map(|l| *l as u64).product::<u64>();
        let d_model = s.d_model.unwrap_or(0);
        let inputs = match config.input {
            InputKind::SelfAttention => count(&[s.batch, s.n, d_model]),
            InputKind::CrossAttention => count(&[s.batch, s.n + s.m, d_model]),
            InputKind::Given => given(s),
        };
        let made: u64 = plan
            .steps()
            .iter()
            .map(|step| kept(step.operation, s))
            .sum();
        let copies = inputs + made;
        Self {
            weights: BYTES_PER_NUMBER * weights(plan),
            inputs: BYTES_PER_NUMBER * inputs,
            activations: BYTES_PER_NUMBER * copies,
            tile: tile_bytes(config),
            scores: BYTES_PER_NUMBER * cells(plan),
        }
    }

    /// The most that our executor holds at once: a tile of scores after the other.
    pub const fn peak(&self) -> u64 {
        self.weights + self.inputs + self.activations + self.tile
    }

    /// The same with the whole score matrix at once, overwritten by the weights.
    pub const fn naive(&self) -> u64 {
        self.weights + self.inputs + self.activations + self.scores
    }
}

/// Bytes of the tile that is worked on, as in [`Memory::tile`].
pub fn tile_bytes(config: &Config) -> u64 {
    let keys = config.sizes.keys;
    let rows = tile_rows(keys).min(config.sizes.n);
    let planes = if config.masked { 2 } else { 1 };
    BYTES_PER_NUMBER * (planes * rows * keys + packed(config)) as u64
}

/// Numbers of `Kᵀ` and `V` of one head in panels of eight columns, the last one filled up.
fn packed(config: &Config) -> usize {
    let Sizes { keys, d_k, d_v, .. } = config.sizes;
    let panels = |columns: usize| columns.next_multiple_of(kernels::Packed::PANEL);
    let k = match config.scoring {
        Scoring::Dot => d_k * panels(keys),
        Scoring::Additive => 0,
    };
    k + keys * panels(d_v)
}

fn given(s: &Sizes) -> u64 {
    let [heads, kv_heads] = [s.heads, s.kv_heads].map(|heads| (s.batch * heads) as u64);
    heads * (s.n * s.d_k) as u64 + kv_heads * (s.m * (s.d_k + s.d_v)) as u64
}

/// Numbers that an operation makes and that outlive the tile.
fn kept(operation: Operation, s: &Sizes) -> u64 {
    let [batch, heads, kv_heads] = [s.batch, s.heads, s.kv_heads].map(|l| l as u64);
    let [n, m, keys] = [s.n, s.m, s.keys].map(|l| l as u64);
    let [d_k, d_v, d_out] = [s.d_k, s.d_v, s.d_out].map(|l| l as u64);
    match operation {
        Operation::ProjectQueries => batch * heads * n * d_k,
        Operation::ProjectKeys => batch * kv_heads * m * d_k,
        Operation::ProjectValues => batch * kv_heads * m * d_v,
        Operation::ShortenKeys => batch * kv_heads * keys * d_k,
        Operation::ShortenValues => batch * kv_heads * keys * d_v,
        Operation::WeightedSum | Operation::MergeHeads => batch * n * heads * d_v,
        Operation::ProjectOutput => batch * n * d_out,
        _ => 0,
    }
}

fn weights(plan: &Plan) -> u64 {
    let config = plan.config();
    let s = &config.sizes;
    let d_model = s.d_model.unwrap_or(0);
    let of = |operation: Operation| {
        let (rows, columns) = match operation {
            Operation::ProjectQueries => (d_model, s.heads * s.d_k),
            Operation::ProjectKeys => (d_model, s.kv_heads * s.d_k),
            Operation::ProjectValues => (d_model, s.kv_heads * s.d_v),
            Operation::ShortenKeys | Operation::ShortenValues => (s.keys, s.m),
            Operation::ProjectOutput => (s.heads * s.d_v, s.d_out),
            Operation::NormQueries | Operation::NormKeys => (1, s.d_k),
            _ => (0, 0),
        };
        let bias = usize::from(operation.adds_bias(&config.biases));
        ((rows + bias) * columns) as u64
    };
    let additive = match config.scoring {
        Scoring::Additive => s.d_k as u64,
        Scoring::Dot => 0,
    };
    plan.steps()
        .iter()
        .map(|step| of(step.operation))
        .sum::<u64>()
        + additive
}

/// Bytes of the keys and values that are kept while a text is written token by token: `n·kv_heads·(d_k + d_v)·4`
/// (Shazeer 2019, for `kv_heads` 1; Ainslie et al. 2023, for groups).
pub fn kv_cache_bytes(sizes: &Sizes) -> u64 {
    let [batch, m, kv_heads, width] =
        [sizes.batch, sizes.m, sizes.kv_heads, sizes.d_k + sizes.d_v].map(|length| length as u64);
    BYTES_PER_NUMBER * batch * m * kv_heads * width
}
