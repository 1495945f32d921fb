//! Sets `data-idle` on the mount root while nothing is pending that will change the page or its address.
//!
//! Code that starts something that ends later keeps a [`Pending`] until it has ended. The attribute is removed with the first and
//! set in a separate task after the last, so that work which follows in the same frame counts as pending. Its value is empty if the
//! numbers on screen belong to the state, and `outdated` if there are none, as for a state that was refused.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use web_sys::{Element, Window};

use super::dom;
use super::timer::Timer;

/// The name of the attribute.
const IDLE: &str = "data-idle";

/// Counts pending work on a page; clones share the count.
#[derive(Clone, Default)]
pub(super) struct Activity(Rc<ActivityState>);

/// Keeps the page from being idle until it is dropped.
pub(super) struct Pending(Activity);

#[derive(Default)]
struct ActivityState {
    count: Cell<usize>,
    marker: Option<Marker>,
    /// Runs between the end of the last thing and the attribute.
    timer: RefCell<Option<Timer>>,
}

struct Marker {
    root: Element,
    window: Window,
    is_current: Box<dyn Fn() -> bool>,
    on_idle: Box<dyn Fn()>,
}

impl Activity {
    /// `is_current` returns whether the numbers on screen belong to the state; `on_idle` is called
    /// each time the page becomes idle.
    pub(super) fn new(
        root: Element,
        window: Window,
        is_current: impl Fn() -> bool + 'static,
        on_idle: impl Fn() + 'static,
    ) -> Self {
        let marker = Marker {
            root,
            window,
            is_current: Box::new(is_current),
            on_idle: Box::new(on_idle),
        };
        Self(Rc::new(ActivityState {
            marker: Some(marker),
            ..ActivityState::default()
        }))
    }

    /// Something begins that will change the page or its address.
    #[must_use]
    pub(super) fn begin(&self) -> Pending {
        let inner = &self.0;
        if inner.count.replace(inner.count.get() + 1) == 0 {
            inner.timer.take();
            if let Some(marker) = &inner.marker {
                dom::set_flag(&marker.root, IDLE, false);
            }
        }
        Pending(self.clone())
    }

    fn end(&self) {
        let inner = &self.0;
        inner.count.set(inner.count.get().saturating_sub(1));
        let Some(marker) = inner.marker.as_ref().filter(|_| inner.count.get() == 0) else {
            return;
        };
        let weak = Rc::downgrade(inner);
        let timer = Timer::new(&marker.window, 0, move || {
            if let Some(inner) = weak.upgrade() {
                inner.mark();
            }
        });
        inner.timer.replace(timer);
    }
}

impl ActivityState {
    fn mark(&self) {
        self.timer.take();
        if let Some(marker) = &self.marker {
            let is_current = (marker.is_current)();
            dom::set(&marker.root, IDLE, if is_current { "" } else { "outdated" });
            (marker.on_idle)();
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.end();
    }
}
