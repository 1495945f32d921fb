//! The state in the address bar: one history entry for each thing a person did, however many steps it took.
//!
//! While something is being dragged or typed its entry is rewritten, at most every [`PAUSE_MS`]: browsers refuse
//! or delay pages that write their address more often than about three times a second. What is done is written
//! [`SOON_MS`] later: writing holds a browser up for milliseconds, and the picture goes first. A frame shares the
//! history of its host and makes no entries there; an element has no address, and its state is kept here alone.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Window;

use super::place::Place;

const PAUSE_MS: i32 = 400;

const SOON_MS: i32 = 50;

/// Whether a change is one step of several, or done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// More of the same follows: a slider that is still held, a text that is still typed.
    Live,
    /// A person is done with it.
    Done,
}

/// Where in the history a change goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Into an entry of its own: back undoes it.
    Own,
    /// Into the entry that is there: too small to go back to.
    Present,
}

/// Writes fragments to the address; dropping it cancels what is still to be written.
pub struct Address {
    inner: Rc<Inner>,
    on_pause: Closure<dyn FnMut()>,
}

struct Inner {
    window: Window,
    place: Place,
    /// What was said last, in our own spelling.
    said: RefCell<String>,
    /// The address as the browser spells it.
    stands: RefCell<String>,
    /// What is still to be written, and where.
    pending: RefCell<Option<(String, Entry)>>,
    /// The newest history entry belongs to a change that is not done.
    is_open: Cell<bool>,
    pause: Cell<Option<Pause>>,
}

/// A timer that runs.
#[derive(Clone, Copy)]
struct Pause {
    timer: i32,
    is_short: bool,
}

impl Address {
    pub fn new(window: Window, place: Place) -> Self {
        let inner = Rc::new(Inner {
            said: RefCell::default(),
            stands: RefCell::new(fragment(&window)),
            window,
            place,
            pending: RefCell::default(),
            is_open: Cell::new(false),
            pause: Cell::new(None),
        });
        let weak = Rc::downgrade(&inner);
        let on_pause = Closure::<dyn FnMut()>::new(move || {
            if let Some(inner) = weak.upgrade() {
                inner.pause.set(None);
                inner.write();
            }
        });
        Self { inner, on_pause }
    }

    /// The fragment that stands in the address; for an element the one that it opens.
    pub fn fragment(&self) -> String {
        match &self.inner.place {
            Place::Element { opens, .. } => opens.clone(),
            _ => fragment(&self.inner.window),
        }
    }

    /// Where the whole page can be opened, without a fragment; nothing where that is not known.
    pub fn of_page(&self) -> String {
        let base = self.inner.place.page_base(&self.inner.window);
        base.unwrap_or_default()
    }

    /// Whether somebody else has written the address; from then on it counts as known.
    pub fn is_foreign(&self) -> bool {
        let now = self.fragment();
        if *self.inner.stands.borrow() == now {
            return false;
        }
        self.inner.pending.take();
        self.inner.is_open.set(false);
        self.inner.said.take();
        self.inner.stands.replace(now);
        true
    }

    /// Makes the address say `fragment` soon.
    pub fn say(&self, fragment: &str, change: Change, entry: Entry) {
        let inner = &self.inner;
        let is_same = *inner.said.borrow() == fragment;
        inner.said.replace(fragment.to_owned());
        let is_done = change == Change::Done;
        if !is_same && inner.place.has_address() {
            let is_new = inner.wait(fragment, entry);
            self.write_later(is_new || is_done);
        } else if is_done && inner.pending.borrow().is_some() {
            self.write_later(true);
        }
        if is_done {
            inner.is_open.set(false);
        }
    }

    /// Writes what waits after a pause, or soon.
    fn write_later(&self, is_soon: bool) {
        let (window, pause) = (&self.inner.window, &self.inner.pause);
        match pause.get() {
            Some(running) if running.is_short || !is_soon => return,
            Some(running) => window.clear_timeout_with_handle(running.timer),
            None => {}
        }
        let timer = window.set_timeout_with_callback_and_timeout_and_arguments_0(
            self.on_pause.as_ref().unchecked_ref(),
            if is_soon { SOON_MS } else { PAUSE_MS },
        );
        let running = |timer| Pause {
            timer,
            is_short: is_soon,
        };
        pause.set(timer.ok().map(running));
    }
}

impl Inner {
    /// Has `fragment` wait, in place of what waits for the same entry; whether it begins one.
    fn wait(&self, fragment: &str, entry: Entry) -> bool {
        let is_own =
            entry == Entry::Own && self.place == Place::Page && !self.is_open.replace(true);
        if is_own {
            // What waits belongs to the entry that is left.
            self.write();
        }
        let mut pending = self.pending.borrow_mut();
        let is_unwritten = matches!(*pending, Some((_, Entry::Own)));
        let entry = match is_own || is_unwritten {
            true => Entry::Own,
            false => Entry::Present,
        };
        *pending = Some((fragment.to_owned(), entry));
        is_own
    }

    /// Writes what waits, unless somebody else has written meanwhile: of that the page is told in a moment.
    fn write(&self) {
        let (Some((fragment, entry)), Ok(history)) = (self.pending.take(), self.window.history())
        else {
            return;
        };
        if *self.stands.borrow() != self::fragment(&self.window) {
            return;
        }
        let url = format!("#{fragment}");
        let written = match entry {
            Entry::Own => history.push_state_with_url(&JsValue::NULL, "", Some(&url)),
            Entry::Present => history.replace_state_with_url(&JsValue::NULL, "", Some(&url)),
        };
        if written.is_ok() {
            self.stands.replace(self::fragment(&self.window));
        }
    }
}

impl Drop for Address {
    fn drop(&mut self) {
        if let Some(running) = self.inner.pause.take() {
            self.inner.window.clear_timeout_with_handle(running.timer);
        }
    }
}

/// What stands after the `#`; empty where there is nothing.
fn fragment(window: &Window) -> String {
    let hash = window.location().hash().unwrap_or_default();
    hash.strip_prefix('#').unwrap_or_default().to_owned()
}
