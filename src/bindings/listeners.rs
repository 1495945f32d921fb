//! Listeners for the status of WebGPU.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use engine::GpuStatus;

type Call = dyn Fn(GpuStatus);
type Callback = Rc<Call>;

/// The present status and its listeners. A listener may make requests and subscribe again.
#[derive(Default)]
pub(super) struct Listeners {
    status: RefCell<GpuStatus>,
    all: RefCell<Vec<Weak<Call>>>,
}

/// Receives WebGPU status changes until it is dropped.
pub struct StatusSubscription(
    #[expect(dead_code, reason = "held, never called from here")] Callback,
);

impl Listeners {
    /// Calls `callback` with the current status, and with every later one until the returned
    /// subscription is dropped.
    pub(super) fn add(&self, callback: impl Fn(GpuStatus) + 'static) -> StatusSubscription {
        let callback: Callback = Rc::new(callback);
        let mut all = self.all.borrow_mut();
        all.retain(|callback| callback.strong_count() > 0);
        all.push(Rc::downgrade(&callback));
        drop(all);
        callback(self.status());
        StatusSubscription(callback)
    }

    pub(super) fn status(&self) -> GpuStatus {
        self.status.borrow().clone()
    }

    pub(super) fn notify(&self, status: GpuStatus) {
        self.status.replace(status.clone());
        let all = self.all.borrow().clone();
        for callback in all.iter().filter_map(Weak::upgrade) {
            callback(status.clone());
        }
    }
}
