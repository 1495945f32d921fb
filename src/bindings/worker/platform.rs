//! Browser functions that the worker uses: the clock, pauses, and whether WebGPU can be opened at
//! all.

use js_sys::{Function, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::DedicatedWorkerGlobalScope;

use crate::bindings::js_object::{get, number, text};
use engine::Reason;

/// The worker that we are in; `None` elsewhere.
pub(super) fn scope() -> Option<DedicatedWorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

/// Milliseconds since the worker started.
pub(super) fn now() -> f64 {
    let performance = scope().and_then(|scope| scope.performance());
    performance.map_or(0.0, |performance| performance.now())
}

/// Waits; not at all where the browser gives no timer.
pub(super) async fn sleep(ms: f64) {
    let Some(scope) = scope() else { return };
    let set = |resolve: Function, _| {
        let _ = scope
            .set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms.max(0.0) as i32);
    };
    // A promise that a timer resolves is never rejected.
    let _ = JsFuture::from(Promise::new(&mut { set })).await;
}

/// Number of CPU cores that the browser reports.
pub(super) fn cores() -> u32 {
    number(&get(&js_sys::global(), "navigator"), "hardwareConcurrency") as u32
}

/// Why there is no use in asking for an adapter.
pub(super) fn absence() -> Option<Reason> {
    let global = js_sys::global();
    if gpu().is_object() {
        return None;
    }
    let is_secure = get(&global, "isSecureContext").as_bool();
    Some(match is_secure {
        Some(false) => Reason::Insecure,
        _ => Reason::NoWebGpu,
    })
}

/// The adapter's name as the browser reports it; browsers hide most of it.
///
/// # Errors
/// No adapter, in which case the code that opens one need not be loaded.
pub(super) async fn adapter_name() -> Result<Option<String>, Reason> {
    match adapter().await {
        Some(adapter) if !adapter.is_object() => Err(Reason::NoAdapter),
        adapter => Ok(adapter.and_then(|adapter| name(&get(&adapter, "info")))),
    }
}

/// Requests an adapter; `None` if the browser rejects the request.
async fn adapter() -> Option<JsValue> {
    let gpu = gpu();
    let request: Function = get(&gpu, "requestAdapter").dyn_into().ok()?;
    let requested: Promise = request.call0(&gpu).ok()?.dyn_into().ok()?;
    JsFuture::from(requested).await.ok()
}

fn name(info: &JsValue) -> Option<String> {
    let description = text(info, "description");
    if !description.is_empty() {
        return Some(description);
    }
    let words = [text(info, "vendor"), text(info, "architecture")];
    let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// `navigator.gpu`.
fn gpu() -> JsValue {
    get(&get(&js_sys::global(), "navigator"), "gpu")
}
