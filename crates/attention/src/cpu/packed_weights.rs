//! A layer's weights, packed for products when a run first needs them.

use std::fmt;
use std::sync::{Arc, OnceLock};

use kernels::Packed;

use super::matmul::{pack_groups, pack_heads};
use crate::Linear;

/// Packed projections, those of each head by themselves. Copies of a layer share them. They follow from the weights, so all are
/// equal where layers are compared.
#[derive(Clone, Default)]
pub(crate) struct PackedWeights(Arc<Projections>);

#[derive(Default)]
struct Projections {
    query: OnceLock<Vec<Packed>>,
    key: OnceLock<Vec<Packed>>,
    value: OnceLock<Vec<Packed>>,
    output: OnceLock<Vec<Packed>>,
}

impl PackedWeights {
    pub(super) fn query(&self, linear: &Linear, heads: usize) -> &[Packed] {
        self.0.query.get_or_init(|| pack_heads(linear, heads))
    }

    pub(super) fn key(&self, linear: &Linear, kv_heads: usize) -> &[Packed] {
        self.0.key.get_or_init(|| pack_heads(linear, kv_heads))
    }

    pub(super) fn value(&self, linear: &Linear, kv_heads: usize) -> &[Packed] {
        self.0.value.get_or_init(|| pack_heads(linear, kv_heads))
    }

    /// The rows of each group of heads.
    pub(super) fn output(&self, linear: &Linear, heads: usize) -> &[Packed] {
        self.0.output.get_or_init(|| pack_groups(linear, heads))
    }
}

impl PartialEq for PackedWeights {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for PackedWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PackedWeights")
    }
}
