//! Checkpoints of every family, beside what transformers computes from them.

mod files;
mod folders;
mod quirks;
mod refusals;
