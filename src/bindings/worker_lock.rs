//! A lock that a worker holds for as long as it lives: whoever asks for it too gets it when the worker is gone, however it went. Without
//! an origin, or over plain http, there are no locks.

use std::cell::Cell;
use std::future::Future;
use std::rc::Rc;

use js_sys::{Function, Math, Promise};
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = ["navigator", "locks"], js_name = request)]
    fn request(name: &str, granted: &Function) -> Result<Promise, JsValue>;
}

/// Holds a lock of its own from now on, in a worker. `then` is called once: with the lock's name
/// when it is held, or without if the browser refuses it or has not granted it after `patience`.
pub(super) fn hold(
    patience: impl Future<Output = ()> + 'static,
    then: impl FnOnce(Option<&str>) + 'static,
) {
    let name = format!("attention-playground worker {}", Math::random());
    let (own, then) = (name.clone(), Rc::new(Cell::new(Some(then))));
    let go_on = move |name: Option<&str>| then.take().into_iter().for_each(|then| then(name));
    let [on_held, on_refused] = [(); 2].map(|()| go_on.clone());
    let granted = Closure::once_into_js(move || {
        on_held(Some(&own));
        JsValue::from(Promise::new(&mut |_, _| ()))
    });
    ask(&name, granted, move || on_refused(None));
    spawn_local(async move {
        patience.await;
        go_on(None);
    });
}

/// Calls `gone` when the worker that holds the lock has died.
pub(super) fn wait_for_end(name: &str, gone: impl FnOnce() + 'static) {
    ask(name, Closure::once_into_js(gone), || ());
}

/// Requests a lock: `granted` is called once it is held, `refused` if it never will be.
fn ask(name: &str, granted: JsValue, refused: impl FnOnce() + 'static) {
    match request(name, granted.unchecked_ref()) {
        Ok(requested) => spawn_local(async move {
            if JsFuture::from(requested).await.is_err() {
                refused();
            }
        }),
        Err(_) => refused(),
    }
}
