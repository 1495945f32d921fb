//! Who wants to hear of WebGPU, and what they heard last.

use std::cell::RefCell;
use std::rc::Rc;

use super::status::GpuStatus;

type Heard = Rc<dyn Fn(GpuStatus)>;

/// The present status and its listeners. Whoever listens may ask for something at once, or listen to more.
#[derive(Default)]
pub(super) struct Listeners {
    status: RefCell<GpuStatus>,
    all: RefCell<Vec<Heard>>,
}

impl Listeners {
    /// Calls `heard` with the present status, and with every later one.
    pub(super) fn add(&self, heard: impl Fn(GpuStatus) + 'static) {
        let heard: Heard = Rc::new(heard);
        self.all.borrow_mut().push(heard.clone());
        heard(self.status());
    }

    pub(super) fn status(&self) -> GpuStatus {
        self.status.borrow().clone()
    }

    pub(super) fn tell(&self, status: GpuStatus) {
        self.status.replace(status.clone());
        let all = self.all.borrow().clone();
        for heard in all {
            heard(status.clone());
        }
    }
}
