//! A lock that a worker holds for as long as it lives: whoever asks for it too gets it when the worker is gone, however it went. Without
//! an origin, or over plain http, there are no locks, and neither function calls anything.

use js_sys::{Function, Math, Promise};
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = ["navigator", "locks"], js_name = request)]
    fn request(name: &str, granted: &Function) -> Result<Promise, JsValue>;
}

/// Holds a lock of its own from now on, in a worker; `on_held` is called with its name once it is held.
pub(super) fn hold(on_held: impl FnOnce(&str) + 'static) {
    let name = format!("attention-playground worker {}", Math::random());
    let own = name.clone();
    ask(
        &name,
        Closure::once_into_js(move || {
            on_held(&own);
            JsValue::from(Promise::new(&mut |_, _| ()))
        }),
    );
}

/// Calls `gone` when the worker that holds the lock is gone.
pub(super) fn wait_for_end(name: &str, gone: impl FnOnce() + 'static) {
    ask(name, Closure::once_into_js(gone));
}

fn ask(name: &str, granted: JsValue) {
    if let Ok(requested) = request(name, granted.unchecked_ref()) {
        // A browser may refuse it; nobody else hears of that.
        spawn_local(async { drop(JsFuture::from(requested).await) });
    }
}
