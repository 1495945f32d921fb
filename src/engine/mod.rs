//! Runs a request on a backend and says which one it was.
//!
//! A [`Job`] is a run that goes step by step, so that whoever drives it (a worker, a test) can stop it or let
//! something more urgent go first; a [`GpuJob`] is the same on a GPU, where every step is waited for. [`Graphics`] is a
//! GPU that was checked ([`probe`]) and measured ([`Pace`]); [`Device`] decides when to open one, what to do when it is
//! lost, and which run goes where, with the [`Reason`].

mod backend;
mod device;
mod differ;
mod gpu_job;
mod graphics;
mod job;
mod pace;
pub mod probe;
mod reason;
mod turns;

pub use backend::{Backend, BackendChoice};
pub use device::{Asker, Attempt, Cause, Device, Pause, Terms, Way};
pub use differ::{Difference, differ};
pub use gpu_job::{Failure, GpuJob};
pub use graphics::Graphics;
pub use job::{Job, Outcome, run};
pub use pace::{Load, Pace, Sample};
pub use reason::Reason;
pub use turns::{Entry, Lane, Track, Turns};
