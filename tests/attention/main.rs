//! Attention tests: reference, CPU executor and, where there is a driver, GPU, checked against
//! golden values, invariants and each other.

#[path = "../common/mod.rs"]
mod common;
mod comparator;
mod complexity;
mod golden;
mod halves;
mod hidden;
mod instrumented;
mod laws;
mod mechanisms;
mod numbers;
mod plan;
mod precision;
mod random;
mod range;
mod readings;
mod refusals;
mod sizes;
mod teaching;
mod text;
mod unseen;
