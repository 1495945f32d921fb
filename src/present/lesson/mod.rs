//! Lessons: their files, what their conditions are about, and a lesson that is taken.

mod facts;
pub mod files;
mod walk;

pub use facts::RunFacts;
pub use walk::{LessonWalk, Outcome};
