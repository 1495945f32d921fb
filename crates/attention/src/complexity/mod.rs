//! Cost: counted from a plan, and as closed formulas over the sequence length.
//!
//! A multiply-add is 2 FLOPs; every other arithmetic operation is 1. Bytes are those of 32-bit numbers read and
//! written if every step's tensors went through memory once; a fused or tiled executor moves fewer.
//!
//! | module | answers |
//! |---|---|
//! | here | what a plan costs, step by step and altogether, computed densely as our kernels do |
//! | `sparse` | how many cells are visible, and what a kernel that skips the others would do |
//! | `memory` | which bytes are held at once, tile by tile and with the whole score matrix |
//! | `layer` | closed formulas of kinds of layers over n, with their sources |
//! | `crossing` | where two curves cross |

mod crossing;
mod growth;
mod layer;
mod memory;
mod sparse;

pub use crossing::{Crossing, crossings};
pub use growth::{Growth, growth, median};
pub use layer::{Dims, Layer, Measure};
pub use memory::{Memory, kv_cache_bytes, tile_bytes};
pub use sparse::{visible_cells, without_hidden};

use crate::plan::{Cost, Plan};

/// Bytes of a 32-bit number.
pub const BYTES_PER_NUMBER: u64 = 4;

/// The cost of a step or of a whole plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Multiply-adds of matrix products.
    pub multiply_adds: u64,
    /// Floating-point operations: 2 per multiply-add, 1 for everything else.
    pub flops: u64,
    /// Bytes read and written.
    pub bytes: u64,
}

impl Count {
    /// The count of one step.
    pub fn from_cost(cost: &Cost) -> Self {
        Self {
            multiply_adds: cost.multiply_adds,
            flops: 2 * cost.multiply_adds + cost.elementwise,
            bytes: BYTES_PER_NUMBER * (cost.reads + cost.writes),
        }
    }

    /// Arithmetic other than multiply-adds.
    pub const fn other(&self) -> u64 {
        self.flops - 2 * self.multiply_adds
    }

    fn plus(self, other: Self) -> Self {
        Self {
            multiply_adds: self.multiply_adds + other.multiply_adds,
            flops: self.flops + other.flops,
            bytes: self.bytes + other.bytes,
        }
    }
}

/// The sum over all steps of a plan.
pub fn total(plan: &Plan) -> Count {
    sum(plan.steps().iter().map(|step| Count::from_cost(&step.cost)))
}

/// The sum of counts.
pub fn sum(counts: impl Iterator<Item = Count>) -> Count {
    counts.fold(Count::default(), Count::plus)
}

/// Bytes of one full score matrix over all batch entries and heads, `batch·heads·n·keys·4`.
pub fn score_matrix_bytes(plan: &Plan) -> u64 {
    cells(plan) * BYTES_PER_NUMBER
}

/// Cells of the score matrix over all batch entries and heads.
pub fn cells(plan: &Plan) -> u64 {
    let sizes = &plan.config().sizes;
    [sizes.batch, sizes.heads, sizes.n, sizes.keys]
        .iter()
        .map(|length| *length as u64)
        .product()
}
