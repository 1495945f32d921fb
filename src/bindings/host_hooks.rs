//! Callbacks of a host page: how to make a worker, and what to call when the engine stops.

use std::cell::RefCell;

use js_sys::Function;
use wasm_bindgen::{JsCast, JsValue};

use super::js_object::get;

thread_local! {
    static HOST: RefCell<JsValue> = const { RefCell::new(JsValue::UNDEFINED) };
}

/// Takes the host of this instance.
pub(super) fn set(host: &JsValue) {
    HOST.set(host.clone());
}

/// Makes a worker that does what `worker.js` does; `None` where that is left to us. A bundler may have put its script
/// elsewhere, or it comes from another origin.
pub(super) fn worker() -> Option<Result<JsValue, JsValue>> {
    let (host, worker) = method("worker")?;
    Some(worker.call0(&host))
}

/// Notifies the host that the engine has stopped for good.
pub(super) fn fail(message: &str) {
    if let Some((host, fail)) = method("fail") {
        let _ = fail.call1(&host, &message.into());
    }
}

fn method(name: &str) -> Option<(JsValue, Function)> {
    let host = HOST.with_borrow(Clone::clone);
    let method = get(&host, name).dyn_into().ok()?;
    Some((host, method))
}
