//! When to paint: only after a change, and at most once per frame.
//!
//! The first change after a quiet frame is painted at once, so that it is on screen one frame earlier than if it
//! waited for the next animation frame; what changes before that frame comes is painted together in it, and so is what
//! painting leaves for later. Without changes nothing is scheduled.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::Window;

/// The gate; dropping it cancels the frame that it waits for.
pub struct Gate {
    inner: Rc<Inner>,
}

struct Inner {
    window: Window,
    paint: Box<dyn Fn() -> bool>,
    waiting: Cell<Option<i32>>,
    has_changed: Cell<bool>,
    on_frame: RefCell<Option<Closure<dyn FnMut()>>>,
}

impl Gate {
    /// `paint` says whether it has left something for the next frame.
    pub fn new(window: Window, paint: impl Fn() -> bool + 'static) -> Self {
        let inner = Rc::new(Inner {
            window,
            paint: Box::new(paint),
            waiting: Cell::new(None),
            has_changed: Cell::new(false),
            on_frame: RefCell::new(None),
        });
        let weak = Rc::downgrade(&inner);
        let on_frame = Closure::<dyn FnMut()>::new(move || {
            if let Some(inner) = weak.upgrade() {
                inner.frame();
            }
        });
        *inner.on_frame.borrow_mut() = Some(on_frame);
        Self { inner }
    }

    /// Something that is on screen has changed.
    pub fn changed(&self) {
        if self.inner.waiting.get().is_some() {
            self.inner.has_changed.set(true);
        } else {
            self.inner.paint_and_wait();
        }
    }
}

impl Inner {
    fn paint_and_wait(&self) {
        {
            let on_frame = self.on_frame.borrow();
            let Some(on_frame) = on_frame.as_ref() else {
                return;
            };
            // Asked for before painting: what whoever hears of the painting changes is painted then.
            let frame = self
                .window
                .request_animation_frame(on_frame.as_ref().unchecked_ref());
            self.waiting.set(frame.ok());
        }
        if (self.paint)() {
            self.has_changed.set(true);
        }
    }

    fn frame(&self) {
        self.waiting.set(None);
        if self.has_changed.replace(false) {
            self.paint_and_wait();
        }
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        if let Some(frame) = self.inner.waiting.take() {
            // A frame that has come cannot be cancelled, which is fine.
            let _ = self.inner.window.cancel_animation_frame(frame);
        }
    }
}
