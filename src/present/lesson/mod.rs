//! Lessons: their files, what their conditions are about, a lesson that is taken, and how far readers have come.

mod facts;
pub mod files;
mod progress;
mod walk;

pub use facts::RunFacts;
pub use progress::Progress;
pub use walk::{LessonWalk, Outcome};
