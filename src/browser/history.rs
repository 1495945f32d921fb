//! The state in the address bar. [`AddressHistory`] decides what to write and when; an element has
//! no address and keeps its state here.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Window;

use super::mount_context::MountContext;
use crate::browser::activity::{Activity, Pending};
use app::present::address_history::{Address, AddressHistory, Change, HistoryMode, Write};

const PAUSE_MS: i32 = 400;

/// Writes fragments to the address; dropping it cancels pending writes.
pub(super) struct History {
    inner: Rc<HistoryState>,
    on_pause: Closure<dyn FnMut()>,
}

struct HistoryState {
    window: Window,
    history: RefCell<AddressHistory>,
    pause: Cell<Option<i32>>,
    activity: Activity,
    /// Kept while there is something to write after the pause.
    unwritten: RefCell<Option<Pending>>,
}

impl History {
    pub(super) fn new(window: Window, place: MountContext, activity: Activity) -> Self {
        let address = match place {
            MountContext::Page => Address::Own,
            place if place.has_address() => Address::Framed,
            _ => Address::Absent,
        };
        let inner = Rc::new(HistoryState {
            history: RefCell::new(AddressHistory::new(address, fragment(&window))),
            window,
            pause: Cell::new(None),
            activity,
            unwritten: RefCell::default(),
        });
        let weak = Rc::downgrade(&inner);
        let on_pause = Closure::<dyn FnMut()>::new(move || {
            if let Some(inner) = weak.upgrade() {
                inner.pause.set(None);
                let write = inner.history.borrow_mut().on_pause_end();
                inner.write(write);
            }
        });
        Self { inner, on_pause }
    }

    /// The fragment of the window's address.
    pub(super) fn fragment(&self) -> String {
        fragment(&self.inner.window)
    }

    /// Whether something else has written the address; from then on it counts as known.
    pub(super) fn is_foreign(&self) -> bool {
        let is_foreign = self.inner.history.borrow_mut().is_foreign(self.fragment());
        self.inner.note();
        is_foreign
    }

    /// Writes `fragment` to the address.
    pub(super) fn write(&self, fragment: &str, change: Change, entry: HistoryMode) {
        let inner = &self.inner;
        let writes = inner
            .history
            .borrow_mut()
            .on_change(fragment, change, entry);
        for write in writes {
            match write {
                Write::Pause => self.pause(),
                write => inner.write(Some(write)),
            }
        }
        inner.note();
    }

    fn pause(&self) {
        let call = self.on_pause.as_ref().unchecked_ref();
        let timer = self
            .inner
            .window
            .set_timeout_with_callback_and_timeout_and_arguments_0(call, PAUSE_MS);
        self.inner.pause.set(timer.ok());
        if self.inner.pause.get().is_none() {
            self.inner.history.borrow_mut().on_pause_refused();
        }
    }
}

impl HistoryState {
    fn write(&self, write: Option<Write>) {
        self.note();
        let Ok(history) = self.window.history() else {
            return;
        };
        let url = |fragment| format!("#{fragment}");
        let written = match write {
            Some(Write::Push(fragment)) => {
                history.push_state_with_url(&JsValue::NULL, "", Some(&url(fragment)))
            }
            Some(Write::Replace(fragment)) => {
                history.replace_state_with_url(&JsValue::NULL, "", Some(&url(fragment)))
            }
            Some(Write::Pause) | None => return,
        };
        if written.is_ok() {
            self.history.borrow_mut().on_written(fragment(&self.window));
        }
    }

    /// Notes whether something waits for the end of the pause.
    fn note(&self) {
        let has_pending = self.history.borrow().has_pending();
        let is_noted = self.unwritten.borrow().is_some();
        if has_pending != is_noted {
            self.unwritten
                .replace(has_pending.then(|| self.activity.begin()));
        }
    }
}

impl Drop for History {
    fn drop(&mut self) {
        if let Some(timer) = self.inner.pause.take() {
            self.inner.window.clear_timeout_with_handle(timer);
        }
    }
}

/// The part after the `#`, or empty.
fn fragment(window: &Window) -> String {
    let hash = window.location().hash().unwrap_or_default();
    hash.strip_prefix('#').unwrap_or_default().to_owned()
}
