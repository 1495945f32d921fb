//! The steps of a computation as matrices, formulas and explanations.
//!
//! Everything follows from the plan, so the page shows the steps that were computed. Numbers come from the run; what a run does not
//! return (an encoding, a score before its factor) is derived from its results.
//!
//! | item | holds |
//! |---|---|
//! | [`matrix()`] | the numbers of a step |
//! | [`formula()`], [`spoken`] | a step as a formula, seen and read aloud |
//! | [`strip`] | all steps as they stand in the strip |
//! | [`Walk`] | what happens at a step |
//! | [`explain`] | how one number is computed |
//! | [`explanation_text`] | the same in words |

mod backward;
pub mod explain;
pub mod explanation_text;
mod formula;
mod matrix;
pub mod strip;
mod walk;

pub use formula::{EN_SPACE, FRACTION_SLASH, THIN_SPACE, formula, spoken};
pub use matrix::{Matrix, MatrixKind, Numbers, matrix};
pub use walk::Walk;
