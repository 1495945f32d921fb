//! The steps of a computation as matrices, formulas and explanations.
//!
//! Everything follows from the plan, so the page shows the steps that were computed. Numbers come from the run; what a run does not
//! return (an encoding, a score before its factor) is derived from its results.
//!
//! | item | holds |
//! |---|---|
//! | [`matrix()`] | the numbers of a step |
//! | [`formula()`] | a step as a formula in MathML |
//! | [`explain`] | how one number is computed |
//! | [`explanation_text`] | the same in words |

pub mod explain;
pub mod explanation_text;
mod formula;
mod matrix;

pub use formula::{formula, spoken_formula};
pub use matrix::{Matrix, MatrixKind, Numbers, matrix};
