//! Starts a worker with the page's own module.

use js_sys::{Array, Function, JSON};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, ErrorEvent, Event, Url, Worker, WorkerOptions, WorkerType};

use super::host_hooks;
use super::js_object::{get, object, text};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(thread_local_v2, js_namespace = ["import", "meta"], js_name = url)]
    static GLUE_URL: String;
    /// The build writes the address of `worker.js` in its place.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["import", "meta"], js_name = worker)]
    static WORKER_URL: String;
}

/// Starts a worker and gives it the compiled module: nothing is fetched or compiled a second time.
///
/// # Errors
/// The cause as reported by the browser.
pub(super) fn worker(on_message: &Function, on_error: &Function) -> Result<Worker, String> {
    start(on_message, on_error).map_err(|error| said(&error))
}

fn start(on_message: &Function, on_error: &Function) -> Result<Worker, JsValue> {
    let worker = make()?;
    send_module(&worker, on_message, on_error)?;
    Ok(worker)
}

/// Starts a worker from within one, by the same script; `None` where there are no workers of workers, or where the script had an address
/// for one use.
pub(super) fn second_worker(on_message: &Function, on_error: &Function) -> Option<Worker> {
    let global = js_sys::global();
    let address = text(&get(&global, "location"), "href");
    if !get(&global, "Worker").is_function() || !address.starts_with("http") {
        return None;
    }
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options(&address, &options).ok()?;
    send_module(&worker, on_message, on_error).ok()?;
    Some(worker)
}

/// Gives a worker the compiled module.
fn send_module(worker: &Worker, on_message: &Function, on_error: &Function) -> Result<(), JsValue> {
    worker.set_onmessage(Some(on_message));
    worker.set_onerror(Some(on_error));
    worker.post_message(&object([
        ("glue", GLUE_URL.with(String::clone).into()),
        ("module", wasm_bindgen::module()),
    ]))
}

fn make() -> Result<Worker, JsValue> {
    if let Some(worker) = host_hooks::worker() {
        return worker?.dyn_into();
    }
    let url = WORKER_URL.with(String::clone);
    if is_nowhere() {
        return lent(&url);
    }
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    Worker::new_with_options(&url, &options)
}

/// Whether this page has an opaque origin, as in a sandbox without `allow-same-origin`: nothing is
/// same-origin then, not even its own files.
fn is_nowhere() -> bool {
    get(&js_sys::global(), "origin").as_string().as_deref() == Some("null")
}

/// A worker from a script of one line that brings in the script at `url`. It is no module: browsers do not load those from such
/// an address in a page without an origin.
fn lent(url: &str) -> Result<Worker, JsValue> {
    let line = format!(
        "importScripts({});",
        String::from(JSON::stringify(&url.into())?)
    );
    let about = BlobPropertyBag::new();
    about.set_type("text/javascript");
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&line.into()), &about)?;
    // It stays for as long as the page: when the worker has read it is not told.
    Worker::new(&Url::create_object_url_with_blob(&blob)?)
}

/// The message of a worker's error event; it is empty if the script could not be loaded.
pub(super) fn cause(event: &Event) -> String {
    let message = event
        .dyn_ref::<ErrorEvent>()
        .map(ErrorEvent::message)
        .unwrap_or_default();
    if message.is_empty() {
        "the worker's script could not be loaded".to_owned()
    } else {
        message
    }
}

fn said(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map_or_else(
        || "unknown".to_owned(),
        |error| String::from(error.to_string()),
    )
}
