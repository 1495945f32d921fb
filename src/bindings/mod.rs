//! The web edge: JavaScript values to plain ones and back, and the worker that computes.
//!
//! The page's one module runs twice: in the window, where a [`Client`] posts calls, and in a dedicated worker, where
//! they are checked (by [`api`](crate::api)), run in turns and answered. `js/boot.js` puts the public API in place before
//! this module exists, `js/library.js` gives the same to other people's pages; `js/worker.js` takes the compiled module
//! over. Nothing here decides what a request may say.

mod client;
mod comparison;
mod convert;
pub mod data;
mod error;
mod host;
mod listeners;
mod measuring;
mod object;
mod outcome;
mod page;
mod panics;
mod parts;
mod pending;
mod prepare;
mod public;
mod reading;
mod spawn;
mod status;
mod tracing;
mod wire;
mod worker;

pub use client::Client;
pub use comparison::Comparison;
pub use error::Refusal;
pub use listeners::Listening;
pub use measuring::Measured;
pub use page::PageRun;
pub use parts::Parts;
pub use public::Engine;
pub use reading::Unread;
pub use status::{GpuState, GpuStatus, Ran};
pub use tracing::Traced;
pub use wire::{Heard, Wire};

/// Starts this instance of the module. In the window of our own page it starts the worker, opens the public API and
/// returns the client; in a worker it starts what answers it. In somebody else's window it waits to be asked for an
/// [`Engine`].
pub fn start() -> Option<Client> {
    panics::report();
    worker::start();
    web_sys::window()?;
    public::open()
}
