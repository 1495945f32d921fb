//! Scores and logits split over their sources, beside a reference, and laws that hold between them.

#[path = "../infer/configs.rs"]
mod configs;
mod laws;
mod reference;
mod refusals;
mod split;
