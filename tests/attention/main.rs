//! What attention is: reference, CPU executor and, where a driver is, GPU, held to goldens, laws and each other.

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
