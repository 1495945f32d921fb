//! Requests the frames and idle intervals of [`FrameSchedule`], and paints when it decides to.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::Window;

use super::activity::{Activity, Pending};
use super::timer::Timer;
use app::present::frame_schedule::{FrameSchedule, PendingWork};

/// Input is idle after this time: a drag never pauses so long, and a user cannot scroll in it.
const MOMENT_MS: i32 = 100;

/// Paints a page; dropping it cancels the frame that it waits for.
pub(super) struct FrameScheduler {
    inner: Rc<SchedulerState>,
}

struct SchedulerState {
    window: Window,
    activity: Activity,
    schedule: RefCell<FrameSchedule>,
    /// Kept while a frame or a moment is waited for.
    pending: RefCell<Option<Pending>>,
    paint: Box<dyn Fn() -> PendingWork>,
    moment: Box<dyn Fn() -> PendingWork>,
    /// Runs while work waits for idle input.
    moments: RefCell<Option<Timer>>,
    waiting: Cell<Option<i32>>,
    on_frame: RefCell<Option<Closure<dyn FnMut()>>>,
}

impl FrameScheduler {
    /// `paint` returns the work that is left; so does `moment`, which is called after each interval
    /// while work waits for idle input.
    pub(super) fn new(
        window: Window,
        activity: Activity,
        paint: impl Fn() -> PendingWork + 'static,
        moment: impl Fn() -> PendingWork + 'static,
    ) -> Self {
        let inner = Rc::new(SchedulerState {
            window,
            activity,
            schedule: RefCell::default(),
            pending: RefCell::default(),
            paint: Box::new(paint),
            moment: Box::new(moment),
            moments: RefCell::default(),
            waiting: Cell::new(None),
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
    pub(super) fn expect(&self, left: PendingWork) {
        let paints = self.inner.schedule.borrow_mut().on_change(left);
        self.inner.carry_out(paints);
    }
}

impl SchedulerState {
    fn carry_out(self: &Rc<Self>, paints: bool) {
        self.set_timer();
        if paints {
            self.paint_and_wait();
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

    fn set_timer(self: &Rc<Self>) {
        let is_wanted = self.schedule.borrow().waits_for_rest();
        if is_wanted == self.moments.borrow().is_some() {
            return;
        }
        let weak = Rc::downgrade(self);
        let timer = || {
            Timer::new(&self.window, MOMENT_MS, move || {
                if let Some(inner) = weak.upgrade() {
                    inner.tick();
                }
            })
        };
        self.moments.replace(is_wanted.then(timer).flatten());
    }

    fn tick(self: &Rc<Self>) {
        let left = (self.moment)();
        let paints = self.schedule.borrow_mut().on_tick(left);
        self.carry_out(paints);
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
        let is_granted = self.waiting.get().is_some();
        self.schedule.borrow_mut().on_frame_requested(is_granted);
        let left = (self.paint)();
        self.schedule.borrow_mut().on_painted(left);
        self.set_timer();
    }

    fn frame(self: &Rc<Self>) {
        self.waiting.set(None);
        let paints = self.schedule.borrow_mut().on_frame();
        self.carry_out(paints);
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
