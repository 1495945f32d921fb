//! The web edge: JavaScript values to plain ones and back, and the worker that computes.
//!
//! The page's one module runs twice: in the window, where a [`Client`] posts calls, and in a dedicated worker, where
//! they are checked (by [`api`](crate::api)), run in turns and answered. `js/boot.js` puts the public API in place before
//! this module exists; `js/worker.js` takes the compiled module over. Nothing here decides what a request may say.

mod client;
mod comparison;
mod convert;
mod error;
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
mod spawn;
mod status;
mod tracing;
mod worker;

pub use client::Client;
pub use comparison::Comparison;
pub use error::Refusal;
pub use listeners::Listening;
pub use measuring::Measured;
pub use page::PageRun;
pub use parts::Parts;
pub use status::{GpuState, GpuStatus, Ran};
pub use tracing::Traced;

/// Starts this instance of the module. In the window it starts the worker, opens the public API and returns the
/// client; in a worker it starts what answers it.
pub fn start() -> Option<Client> {
    panics::report();
    worker::start();
    web_sys::window()?;
    let client = Client::start();
    public::open(&client);
    Some(client)
}
