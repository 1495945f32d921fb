//! Compiles lessons: HTML in place of their Markdown, and MathML in place of formulas;
//! [`compile()`] returns a file that [`Lesson::parse`](lessons::Lesson::parse) reads as well.
#![deny(missing_docs)]

mod compile;
mod formula;
mod markup;

pub use compile::compile;
