//! Schedules painting: only after a change, and at most once per frame.
//!
//! The first change after an idle frame is painted at once, one frame earlier than an animation frame would. Changes before the next
//! animation frame are painted together in it, as is work that painting postpones. Work that waits for idle input is done when no
//! input came for [`MOMENT_MS`]. Without changes nothing is scheduled.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::Window;

use super::activity::{Activity, Pending};
use super::timer::Timer;

/// Input is idle after this time: a drag never pauses so long, and a reader cannot scroll in it.
const MOMENT_MS: i32 = 100;

/// What there is left to paint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PendingWork {
    Nothing,
    /// Work for when input is idle.
    ForRest,
    /// Work for the next frame.
    ForFrame,
}

/// The gate; dropping it cancels the frame that it waits for.
pub struct FrameScheduler {
    inner: Rc<Inner>,
}

struct Inner {
    window: Window,
    activity: Activity,
    /// Kept while a frame or a moment is waited for.
    pending: RefCell<Option<Pending>>,
    paint: Box<dyn Fn() -> PendingWork>,
    moment: Box<dyn Fn() -> PendingWork>,
    /// Runs while work waits for idle input.
    moments: RefCell<Option<Timer>>,
    waiting: Cell<Option<i32>>,
    has_changed: Cell<bool>,
    on_frame: RefCell<Option<Closure<dyn FnMut()>>>,
}

impl FrameScheduler {
    /// `paint` says what it has left; so does `moment`, which is called whenever a moment has passed while something
    /// waits for the hand to rest.
    pub fn new(
        window: Window,
        activity: Activity,
        paint: impl Fn() -> PendingWork + 'static,
        moment: impl Fn() -> PendingWork + 'static,
    ) -> Self {
        let inner = Rc::new(Inner {
            window,
            activity,
            pending: RefCell::default(),
            paint: Box::new(paint),
            moment: Box::new(moment),
            moments: RefCell::default(),
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

    /// Something has changed, and this is to be painted for it.
    pub fn expect(&self, left: PendingWork) {
        self.inner.expect(left);
    }
}

impl Inner {
    fn expect(self: &Rc<Self>, left: PendingWork) {
        match left {
            PendingWork::Nothing => {}
            PendingWork::ForRest => self.wait_for_rest(),
            PendingWork::ForFrame if self.waiting.get().is_some() => self.has_changed.set(true),
            PendingWork::ForFrame => self.paint_and_wait(),
        }
        self.note();
    }

    /// Notes whether there is something that is waited for.
    fn note(&self) {
        let is_waiting = self.waiting.get().is_some() || self.moments.borrow().is_some();
        let is_noted = self.pending.borrow().is_some();
        if is_waiting != is_noted {
            self.pending
                .replace(is_waiting.then(|| self.activity.begin()));
        }
    }

    fn wait_for_rest(self: &Rc<Self>) {
        if self.moments.borrow().is_some() {
            return;
        }
        let weak = Rc::downgrade(self);
        let timer = Timer::new(&self.window, MOMENT_MS, move || {
            if let Some(inner) = weak.upgrade() {
                inner.tick();
            }
        });
        self.moments.replace(timer);
    }

    fn tick(self: &Rc<Self>) {
        let left = (self.moment)();
        if left != PendingWork::ForRest {
            self.moments.take();
        }
        self.expect(left);
    }

    fn paint_and_wait(self: &Rc<Self>) {
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
        match (self.paint)() {
            // Also where the window refuses frames: painting never calls itself.
            PendingWork::ForFrame => self.has_changed.set(true),
            left => self.expect(left),
        }
    }

    fn frame(self: &Rc<Self>) {
        self.waiting.set(None);
        if self.has_changed.replace(false) {
            self.paint_and_wait();
        }
        self.note();
    }
}

impl Drop for FrameScheduler {
    fn drop(&mut self) {
        if let Some(frame) = self.inner.waiting.take() {
            // A frame that has come cannot be cancelled, which is fine.
            let _ = self.inner.window.cancel_animation_frame(frame);
        }
    }
}
