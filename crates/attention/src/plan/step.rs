//! One step: its operation, the shape of its result, and its cost.

use std::fmt;

use super::{Axis, Operation, Shape, Side};
use crate::{Config, Sizes};

/// Arithmetic and memory traffic of a step, counted densely: hidden cells cost as much as visible
/// ones, though executors skip blocks that a mask hides entirely (on a device, those of a causal
/// mask). Evaluating the mask and indexing rows cost nothing. A sum that starts with a bias takes
/// no more arithmetic than one that starts with 0, but the bias is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// Multiply-adds of matrix products.
    pub multiply_adds: u64,
    /// Other arithmetic: one each for an addition, multiplication, division, comparison, exponential or tanh.
    pub elementwise: u64,
    /// Numbers read, counting each operand tensor once.
    pub reads: u64,
    /// Numbers written.
    pub writes: u64,
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Operation.
    pub operation: Operation,
    /// The formula in plain text, with the field's letters.
    pub formula: &'static str,
    /// The shape of the tensor that it makes.
    pub shape: Shape,
    /// Its cost.
    pub cost: Cost,
}

impl Step {
    pub(super) fn new(operation: Operation, config: &Config) -> Self {
        let shape = shape_of(operation, &config.sizes);
        let cost = cost_of(operation, config, shape.elements());
        Self {
            operation,
            formula: formula_of(operation, config),
            shape,
            cost,
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} = {}",
            self.operation.result(),
            self.shape,
            self.formula
        )
    }
}

fn formula_of(operation: Operation, config: &Config) -> &'static str {
    let formula = operation.formula();
    match operation {
        Operation::Softmax if config.temperature != 1.0 => "softmax(S/T)",
        _ if operation.adds_bias(&config.biases) => formula,
        _ => formula.split(" + b_").next().unwrap_or(formula),
    }
}

fn shape_of(operation: Operation, sizes: &Sizes) -> Shape {
    use Axis::*;
    let axes: &[Axis] = match operation {
        Operation::AddPositions(Side::KeysValues) => &[Batch, M, DModel],
        Operation::AddPositions(_) => &[Batch, N, DModel],
        Operation::ProjectQueries | Operation::NormQueries | Operation::RotateQueries => {
            &[Batch, Heads, N, DK]
        }
        Operation::ProjectKeys | Operation::NormKeys | Operation::RotateKeys => {
            &[Batch, KvHeads, M, DK]
        }
        Operation::ProjectValues => &[Batch, KvHeads, M, DV],
        Operation::ShortenKeys => &[Batch, KvHeads, Keys, DK],
        Operation::ShortenValues => &[Batch, KvHeads, Keys, DV],
        Operation::DotScores
        | Operation::AdditiveScores
        | Operation::Scale
        | Operation::Cap
        | Operation::Bias
        | Operation::AddBias
        | Operation::Mask
        | Operation::Softmax
        | Operation::HideWeights => &[Batch, Heads, N, Keys],
        Operation::WeightedSum => &[Batch, Heads, N, DV],
        Operation::MergeHeads => &[Batch, N, Merged],
        Operation::ProjectOutput => &[Batch, N, DOut],
    };
    Shape(
        axes.iter()
            .map(|axis| (*axis, axis.length(sizes)))
            .collect(),
    )
}

/// The cost of an operation that makes `out` numbers.
fn cost_of(operation: Operation, config: &Config, out: u64) -> Cost {
    let s = Counts::from(&config.sizes);
    let product = |inner: u64, reads: u64| Cost {
        multiply_adds: out * inner,
        elementwise: 0,
        reads,
        writes: out,
    };
    let projection = |inner: u64, columns: u64, rows: u64| {
        let has_bias = operation.adds_bias(&config.biases);
        product(
            inner,
            s.batch * rows * inner + columns * (inner + u64::from(has_bias)),
        )
    };
    let pointwise = |each: u64, reads: u64| Cost {
        multiply_adds: 0,
        elementwise: out * each,
        reads,
        writes: out,
    };
    // Four multiplications, an addition and a subtraction for each pair; a sine and a cosine for each pair of a position.
    let pairs = config
        .position
        .rotation()
        .map_or(0, |rotation| rotation.pair_count(config.sizes.d_k)) as u64;
    let turn = |slices: u64, rows: u64| Cost {
        multiply_adds: 0,
        elementwise: 6 * slices * rows * pairs,
        reads: out + 2 * rows * pairs,
        writes: out,
    };
    match operation {
        Operation::AddPositions(_) => pointwise(1, out + out / s.batch.max(1)),
        Operation::ProjectQueries => projection(s.d_model, s.heads * s.d_k, s.n),
        Operation::ProjectKeys => projection(s.d_model, s.kv_heads * s.d_k, s.m),
        Operation::ProjectValues => projection(s.d_model, s.kv_heads * s.d_v, s.m),
        // A square and its addition, and both factors, for each number; the mean, ε, the root and its inverse for each row.
        Operation::NormQueries | Operation::NormKeys => Cost {
            elementwise: 4 * out + 4 * (out / s.d_k.max(1)),
            ..pointwise(0, out + s.d_k)
        },
        Operation::RotateQueries => turn(s.batch * s.heads, s.n),
        Operation::RotateKeys => turn(s.batch * s.kv_heads, s.m),
        Operation::ShortenKeys => product(s.m, s.keys * s.m + s.batch * s.kv_heads * s.m * s.d_k),
        Operation::ShortenValues => product(s.m, s.keys * s.m + s.batch * s.kv_heads * s.m * s.d_v),
        Operation::DotScores => product(s.d_k, s.queries() + s.keys_of(s.d_k)),
        Operation::AdditiveScores => {
            let multiply_adds = product(s.d_k, s.queries() + s.keys_of(s.d_k) + s.d_k);
            Cost {
                elementwise: 2 * s.d_k * out,
                ..multiply_adds
            }
        }
        Operation::Scale => pointwise(1, out),
        Operation::Cap => pointwise(3, out),
        Operation::Bias => pointwise(2, out),
        Operation::AddBias => {
            let matrices = config.bias_matrices.unwrap_or(0) as u64;
            pointwise(1, out + matrices * s.n * s.keys)
        }
        Operation::Mask | Operation::HideWeights => pointwise(0, out),
        Operation::Softmax => pointwise(if config.temperature == 1.0 { 5 } else { 6 }, out),
        Operation::WeightedSum => {
            product(s.keys, s.batch * s.heads * s.n * s.keys + s.keys_of(s.d_v))
        }
        Operation::MergeHeads => pointwise(0, out),
        Operation::ProjectOutput => projection(s.heads * s.d_v, s.d_out, s.n),
    }
}

/// Axis lengths as counts, so that products of long sequences do not overflow on 32-bit machines.
struct Counts {
    batch: u64,
    heads: u64,
    kv_heads: u64,
    n: u64,
    m: u64,
    keys: u64,
    d_model: u64,
    d_k: u64,
    d_v: u64,
    d_out: u64,
}

impl From<&Sizes> for Counts {
    fn from(sizes: &Sizes) -> Self {
        Self {
            batch: sizes.batch as u64,
            heads: sizes.heads as u64,
            kv_heads: sizes.kv_heads as u64,
            n: sizes.n as u64,
            m: sizes.m as u64,
            keys: sizes.keys as u64,
            d_model: sizes.d_model.unwrap_or(0) as u64,
            d_k: sizes.d_k as u64,
            d_v: sizes.d_v as u64,
            d_out: sizes.d_out as u64,
        }
    }
}

impl Counts {
    fn queries(&self) -> u64 {
        self.batch * self.heads * self.n * self.d_k
    }

    fn keys_of(&self, width: u64) -> u64 {
        self.batch * self.kv_heads * self.keys * width
    }
}
