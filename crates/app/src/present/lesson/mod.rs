//! Lessons: their files, what their conditions are about, a lesson that is taken, lessons that somebody writes, and how far readers have come.

wasm_chunks::chunk!("lessons");

mod answers;
mod draft;
mod facts;
pub mod files;
mod progress;
mod walk;
pub mod writing;

pub use draft::{Draft, Editor};
pub use facts::RunFacts;
pub use progress::Progress;
pub use walk::{LessonWalk, Outcome};
