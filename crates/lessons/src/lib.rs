//! Lessons: Markdown files that lead through a page in steps, ask before they show, and watch for goals.
//!
//! [`Lesson::parse`] reads a file; [`Expression`] is a condition over what a page computes, which it gives as [`Facts`]. Texts
//! are as the file has them: Markdown, or HTML where it was compiled. Which settings and words there are is the page's to know. The format is in
//! `docs/lessons.md`.
#![deny(missing_docs)]

mod error;
mod evaluate;
mod expression;
mod head;
mod lesson;
mod sections;
mod step;

pub use error::{ParseError, ParseErrorKind};
pub use evaluate::{EvalError, Facts, Value};
pub use expression::Expression;
pub use lesson::{Lesson, Question};
pub use sections::setting;
pub use step::{Answer, CLAIMS, Choice, Claim, Step, Task};
