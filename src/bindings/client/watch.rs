//! Watches a worker: whether it starts in time, and whether it is still alive. Nothing of this runs
//! once a worker has started.

use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::Closure;
use web_sys::Window;

use super::super::worker_lock;
use super::ClientState;

/// Interval of checks on a worker that has not started, and their number before it is given up.
/// Time in which the machine sleeps counts once.
const INTERVAL_MS: i32 = 5_000;
const MOST_TICKS: u32 = 3;

impl ClientState {
    /// Waits for a new worker to come up.
    pub(super) fn await_answer(&self) {
        let own = self.own.clone();
        let silent = move || own.upgrade().iter().for_each(|inner| inner.silent());
        self.alarm.replace(Alarm::new(silent));
    }

    /// Waits for the end of the present worker, which holds the lock of this name.
    pub(super) fn await_end(&self, name: &str) {
        let (own, worker) = (self.own.clone(), self.worker().ok());
        worker_lock::wait_for_end(name, move || {
            own.upgrade()
                .iter()
                .filter(|inner| inner.worker().ok() == worker)
                .for_each(|inner| inner.gone());
        });
    }

    /// The worker has not come up in time. The page has a sentence for these words (`data-failure-when`).
    fn silent(&self) {
        self.stopped("it has not answered for 15 seconds");
    }

    /// Handles a worker that has ended without a message.
    fn gone(&self) {
        let has_run = self.calls.borrow().is_running();
        if has_run {
            self.stopped("it has vanished");
        }
    }
}

/// Goes off where a worker does not come up, until it is dropped.
pub(super) struct Alarm {
    window: Window,
    id: i32,
    _tick: Closure<dyn FnMut()>,
}

impl Alarm {
    /// `None` where there is no window or it gives no timer.
    fn new(mut silent: impl FnMut() + 'static) -> Option<Self> {
        let window = web_sys::window()?;
        let mut ticks = 0;
        let tick = Closure::<dyn FnMut()>::new(move || {
            ticks += 1;
            if ticks == MOST_TICKS {
                silent();
            }
        });
        let call = tick.as_ref().unchecked_ref();
        let id = window.set_interval_with_callback_and_timeout_and_arguments_0(call, INTERVAL_MS);
        Some(Self {
            id: id.ok()?,
            window,
            _tick: tick,
        })
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.window.clear_interval_with_handle(self.id);
    }
}
