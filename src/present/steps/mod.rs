//! The steps of a computation as matrices, formulas and explanations.
//!
//! Everything follows from the plan, so that the steps on the page are those that were computed. Numbers come from the
//! run itself; what a run does not return (an encoding, a score before its factor) is made from what it does.
//!
//! | item | answers |
//! |---|---|
//! | [`matrix()`] | the numbers of a step |
//! | [`formula()`] | a step as a formula, set in MathML |
//! | [`explain`] | how one number is computed |

pub mod explain;
mod formula;
mod matrix;

pub use formula::{formula, spoken_formula};
pub use matrix::{Matrix, MatrixKind, Numbers, matrix};
