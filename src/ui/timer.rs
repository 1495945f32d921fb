//! A call that comes again and again, as long as its owner keeps it.

use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::Closure;
use web_sys::Window;

/// A running timer; dropping it stops it.
pub struct Timer {
    window: Window,
    id: i32,
    _call: Closure<dyn FnMut()>,
}

impl Timer {
    /// Calls `call` every `milliseconds`; `None` where the window refuses.
    pub fn new(window: &Window, milliseconds: i32, call: impl FnMut() + 'static) -> Option<Self> {
        let call = Closure::<dyn FnMut()>::new(call);
        let id = window
            .set_interval_with_callback_and_timeout_and_arguments_0(
                call.as_ref().unchecked_ref(),
                milliseconds,
            )
            .ok()?;
        Some(Self {
            window: window.clone(),
            id,
            _call: call,
        })
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.window.clear_interval_with_handle(self.id);
    }
}
