//! The web edge: converts JavaScript values and runs the worker that computes.
//!
//! The wasm module runs twice: in the window, where a [`Client`] posts calls and does the shortest itself, and in a dedicated worker, where
//! calls are checked (by [`api`](crate::api)), run in slices and answered. `js/boot.js` defines the public API before this module is loaded,
//! `js/library.js` does the same for other pages, and `js/worker.js` receives the compiled module. The rules of requests are in
//! [`api`](crate::api), not here.

mod benchmark;
mod chunks;
mod client;
mod error;
mod file_reader;
mod full_trace;
mod head_matrices;
mod host_hooks;
pub(crate) mod js_object;
pub mod js_tree;
mod learned_layer;
mod listeners;
mod local_run;
mod message;
mod model_messages;
mod page_result;
mod panics;
mod parent_channel;
mod pending_calls;
mod prepared;
mod public;
mod response;
mod spawn;
mod state_message;
mod worker;
mod worker_lock;

pub use app::present::backend_comparison::Comparison;
pub use benchmark::BenchmarkRequest;
pub use chunks::{has_chunk, is_left_out, load_chunk, tell_missing_chunk};
pub use client::{Client, OpenedModel};
pub use error::is_unloaded;
pub use file_reader::bytes as file_bytes;
pub use full_trace::FullTrace;
pub use learned_layer::receive_opening;
pub use listeners::StatusSubscription;
pub use panics::show as fail;
pub use parent_channel::{IncomingMessage, ParentChannel};
pub(crate) use public::shared_client;
pub use public::{Engine, engine};
pub use worker::receive;

/// Starts this instance of the module. In a window of our own page it starts the worker and opens
/// the public API; in a worker it starts the message handler. In a third-party window it waits
/// until an [`Engine`] is requested.
pub fn start() {
    panics::report();
    worker::start();
    if web_sys::window().is_some() {
        public::open();
    }
}
