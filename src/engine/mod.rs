//! Runs a request on a backend and says which one it was.
//!
//! A [`Job`] is a run that goes step by step, so that whoever drives it (a worker, a test) can stop it or let
//! something more urgent go first.

mod backend;
mod job;
mod reason;
mod turns;

pub use backend::{Backend, BackendChoice};
pub use job::{Job, Outcome, run};
pub use reason::Reason;
pub use turns::{Entry, Turns};
