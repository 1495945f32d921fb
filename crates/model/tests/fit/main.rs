//! Wanted attention: gradients by finite differences, laws, what remains at which d_k, refusals.

#[path = "../../../../tests/common/compare.rs"]
mod compare;
mod gradients;
mod laws;
mod reference;
mod refusals;
mod remains;
mod targets;
