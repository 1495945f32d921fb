//! The web edge: JavaScript values to plain ones and back, and the worker that computes.
//!
//! The page's one module runs twice: in the window, where a [`Client`] posts calls, and in a dedicated worker, where
//! they are checked (by [`api`](crate::api)), run in turns and answered. `js/boot.js` puts the public API in place before
//! this module exists, `js/library.js` gives the same to other people's pages; `js/worker.js` takes the compiled module
//! over. Nothing here decides what a request may say.

mod backend_comparison;
mod benchmark;
mod client;
mod convert;
pub mod data;
mod error;
mod file_reader;
mod full_trace;
mod head_matrices;
mod host_hooks;
mod js_object;
mod listeners;
mod page_result;
mod panics;
mod parent_channel;
mod pending_calls;
mod prepare;
mod public;
mod response;
mod spawn;
mod status;
mod worker;

pub use backend_comparison::Comparison;
pub use benchmark::BenchmarkResult;
pub use client::Client;
pub use error::Refusal;
pub use file_reader::ReadError;
pub use full_trace::FullTrace;
pub use head_matrices::HeadMatrices;
pub use listeners::StatusSubscription;
pub use page_result::PageRun;
pub use parent_channel::{IncomingMessage, ParentChannel};
pub use public::Engine;
pub use status::{GpuState, GpuStatus, RunInfo};

/// Starts this instance of the module. In the window of our own page it starts the worker, opens the public API and
/// returns the client; in a worker it starts what answers it. In somebody else's window it waits to be asked for an
/// [`Engine`].
pub fn start() -> Option<Client> {
    panics::report();
    worker::start();
    web_sys::window()?;
    public::open()
}
