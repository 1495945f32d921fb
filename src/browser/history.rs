//! The state in the address bar: one history entry for each user action, however many steps it took.
//!
//! During a drag or while typing the entry is rewritten, at most every [`PAUSE_MS`]: browsers refuse or delay pages that write their
//! address more often than about three times a second. A frame shares its host's history and adds no entries; an element has no
//! address and keeps its state here.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Window;

use super::mount_context::MountContext;
use crate::browser::activity::{Activity, Pending};

const PAUSE_MS: i32 = 400;

/// Whether a change is one step of several, or done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// More of the same follows: a slider that is still held, a text that is still typed.
    Input,
    /// A person is done with it.
    Commit,
}

/// Where in the history a change goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryMode {
    /// A new entry: back undoes it.
    Push,
    /// The present entry: too small a change to go back to.
    Replace,
}

/// Writes fragments to the address; dropping it cancels what is still to be written.
pub struct History {
    inner: Rc<Inner>,
    on_pause: Closure<dyn FnMut()>,
}

struct Inner {
    window: Window,
    place: MountContext,
    /// The fragment written last, in our own spelling.
    said: RefCell<String>,
    /// The address as the browser spells it.
    stands: RefCell<String>,
    pending: RefCell<Option<String>>,
    /// The newest history entry belongs to a change that is not done.
    is_open: Cell<bool>,
    pause: Cell<Option<i32>>,
    activity: Activity,
    /// Kept while there is something to write after the pause.
    unwritten: RefCell<Option<Pending>>,
}

impl History {
    pub fn new(window: Window, place: MountContext, activity: Activity) -> Self {
        let inner = Rc::new(Inner {
            said: RefCell::default(),
            stands: RefCell::new(fragment(&window)),
            window,
            place,
            pending: RefCell::default(),
            is_open: Cell::new(false),
            pause: Cell::new(None),
            activity,
            unwritten: RefCell::default(),
        });
        let weak = Rc::downgrade(&inner);
        let on_pause = Closure::<dyn FnMut()>::new(move || {
            if let Some(inner) = weak.upgrade() {
                inner.pause.set(None);
                inner.rewrite();
            }
        });
        Self { inner, on_pause }
    }

    /// The fragment of the address; for an element the one that it opens.
    pub fn fragment(&self) -> String {
        match &self.inner.place {
            MountContext::Element { opens, .. } => opens.clone(),
            _ => fragment(&self.inner.window),
        }
    }

    /// Where the whole page can be opened, without a fragment; nothing where that is not known.
    pub fn of_page(&self) -> String {
        let base = self.inner.place.page_base(&self.inner.window);
        base.unwrap_or_default()
    }

    /// Whether something else has written the address; from then on it counts as known.
    pub fn is_foreign(&self) -> bool {
        let now = self.fragment();
        if *self.inner.stands.borrow() == now {
            return false;
        }
        self.inner.drop_pending();
        self.inner.is_open.set(false);
        self.inner.said.take();
        self.inner.stands.replace(now);
        true
    }

    /// Writes `fragment` to the address.
    pub fn say(&self, fragment: &str, change: Change, entry: HistoryMode) {
        let inner = &self.inner;
        let is_same = *inner.said.borrow() == fragment;
        inner.said.replace(fragment.to_owned());
        match entry {
            _ if is_same || !inner.place.has_address() => {}
            HistoryMode::Push
                if inner.place == MountContext::Page && !inner.is_open.replace(true) =>
            {
                // What waits belongs to the entry that is left.
                inner.rewrite();
                inner.push(fragment);
            }
            _ => self.rewrite_later(fragment),
        }
        if change == Change::Commit {
            inner.rewrite();
            inner.is_open.set(false);
        }
    }

    fn rewrite_later(&self, fragment: &str) {
        self.inner.pending.replace(Some(fragment.to_owned()));
        if self.inner.unwritten.borrow().is_none() {
            let unwritten = self.inner.activity.begin();
            self.inner.unwritten.replace(Some(unwritten));
        }
        if self.inner.pause.get().is_some() {
            return;
        }
        let call = self.on_pause.as_ref().unchecked_ref();
        let timer = self
            .inner
            .window
            .set_timeout_with_callback_and_timeout_and_arguments_0(call, PAUSE_MS);
        self.inner.pause.set(timer.ok());
    }
}

impl Inner {
    fn push(&self, fragment: &str) {
        let Ok(history) = self.window.history() else {
            return;
        };
        if history
            .push_state_with_url(&JsValue::NULL, "", Some(&format!("#{fragment}")))
            .is_ok()
        {
            self.stands.replace(self::fragment(&self.window));
        }
    }

    /// What was to be written, which nothing waits for any more.
    fn drop_pending(&self) -> Option<String> {
        self.unwritten.take();
        self.pending.take()
    }

    fn rewrite(&self) {
        let (Some(fragment), Ok(history)) = (self.drop_pending(), self.window.history()) else {
            return;
        };
        if history
            .replace_state_with_url(&JsValue::NULL, "", Some(&format!("#{fragment}")))
            .is_ok()
        {
            self.stands.replace(self::fragment(&self.window));
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
