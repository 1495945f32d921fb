//! What an [`interpret::Interpreter`] answers, beside the passes of its model and sums in 64 bits.

mod answer;
mod common;
mod layer;
mod lens;
mod naming;
mod next;
mod reading;
mod real;
mod refusals;
#[path = "../support/mod.rs"]
mod support;
mod why;
