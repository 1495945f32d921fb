//! The parts of a model: each file has what a part computes, and below it the gradient of that.
//!
//! `d·` is the gradient of the loss with respect to `·` and has its shape. `rows` are all words of a batch, one after the other.

pub(super) mod activation;
pub(super) mod attention;
pub(super) mod cross_entropy;
pub(super) mod embedding;
pub(super) mod linear;
pub(super) mod mlp;
pub(super) mod norm;
