//! Models: goldens of PyTorch, gradients by finite differences, laws, refusals.

#[path = "../common/compare.rs"]
mod compare;
mod config;
mod golden;
mod golden_file;
mod gradients;
mod laws;
mod precision;
mod refined;
mod refusals;
mod tasks;
