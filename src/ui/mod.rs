//! Binds `index.html` to the state and paints canvases.
//!
//! The page mounts into an element that it is given and looks nothing up outside it; everything that it listens to
//! ends when [`Mounted`] is dropped, so several pages can live in one document. Data goes one way: a control says an
//! [`Action`](crate::app::Action), the state changes, the engine is asked, and what it replies is painted.

mod address;
mod controls;
mod dom;
mod engine;
mod exhibit;
mod folds;
mod gate;
mod language;
mod listen;
mod map;
mod names;
mod page;
mod panels;
mod run;
mod sights;
mod storage;
mod surroundings;
mod timer;

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, ResizeObserver, Window};

pub use dom::MissingPart;

use crate::bindings::Client;
use dom::Root;
use engine::Engine;
use gate::Gate;
use listen::Listener;
use page::{Calls, Page};

/// An open page; dropping it takes its listeners, frames and timers away and leaves the elements as they are.
pub struct Mounted {
    _shared: Rc<Shared>,
    _listeners: Vec<Listener>,
    _observer: Option<Observer>,
}

/// Why a page could not be mounted.
#[derive(Clone, Debug, thiserror::Error)]
pub enum MountError {
    /// The element is in no window.
    #[error("the page has no window")]
    NoWindow,
    /// The markup is not that of `index.html`.
    #[error(transparent)]
    MissingPart(#[from] MissingPart),
}

struct Shared {
    page: RefCell<Page>,
    gate: Gate,
}

/// A way back to the page for whoever the page itself owns.
#[derive(Clone, Default)]
struct Handle(Rc<RefCell<Weak<Shared>>>);

impl Handle {
    /// Does something with the page, then paints what it changed. What happens while the page is at work, such as a
    /// blur when it takes a focused button away, is of its own making and passed over.
    fn with(&self, act: impl FnOnce(&mut Page)) {
        let Some(shared) = self.0.borrow().upgrade() else {
            return;
        };
        let is_stale = {
            let Ok(mut page) = shared.page.try_borrow_mut() else {
                return;
            };
            act(&mut page);
            page.is_stale()
        };
        if is_stale {
            shared.gate.changed();
        }
    }

    /// Whether something is left to paint in the next frame.
    fn paint(&self) -> bool {
        let Some(shared) = self.0.borrow().upgrade() else {
            return false;
        };
        let Ok(mut page) = shared.page.try_borrow_mut() else {
            return false;
        };
        page.paint();
        page.is_stale()
    }
}

/// Opens the page in the window's own document, for as long as the document lives.
///
/// # Panics
/// Where the document is not `index.html`: a mistake of ours, which the page then shows as any other.
pub fn open(client: Client) {
    let document = web_sys::window().and_then(|window| window.document());
    let root = document.and_then(|document| document.document_element());
    match root
        .ok_or(MountError::NoWindow)
        .and_then(|root| mount(root, client))
    {
        Ok(mounted) => std::mem::forget(mounted),
        Err(error) => panic!("{error}"),
    }
}

/// Mounts the page into `root`, which holds the markup of `index.html`, and opens the state of the address.
///
/// # Errors
/// [`MountError`] where `root` is in no window or lacks a part; nothing stays bound then.
pub fn mount(root: Element, client: Client) -> Result<Mounted, MountError> {
    let root = Root::new(root);
    let window = root
        .document()
        .and_then(|document| document.default_view())
        .ok_or(MountError::NoWindow)?;
    let handle = Handle::default();
    let [taken, beside, compared, told] = [(); 4].map(|()| handle.clone());
    let engine = Engine::new(
        client.clone(),
        move |state, reply| taken.with(|page| page.take(state, reply)),
        move |state, reply| beside.with(|page| page.take_beside(state, reply)),
        move |state, reply| compared.with(|page| page.compared(state, reply)),
    );
    let page = Page::new(root.clone(), window.clone(), engine, calls(&handle))?;
    let gate = Gate::new(window.clone(), {
        let handle = handle.clone();
        move || handle.paint()
    });
    let listeners = listeners(&root, &window, &page, &handle);
    let observer = Observer::new(page.map_element(), &handle);
    let shared = Rc::new(Shared {
        page: RefCell::new(page),
        gate,
    });
    handle.0.replace(Rc::downgrade(&shared));
    handle.with(Page::open);
    client.on_status(move |status| told.with(|page| page.hear(status)));
    Ok(Mounted {
        _shared: shared,
        _listeners: listeners,
        _observer: observer,
    })
}

fn calls(handle: &Handle) -> Calls {
    let [act, head, row, hint, inspect, walk, dismiss, compare, brush] =
        [(); 9].map(|()| handle.clone());
    Calls {
        act: Rc::new(move |action, change| act.with(|page| page.act(action, change))),
        choose_head: Box::new(move |at| head.with(|page| page.choose_head(at))),
        choose_row: Box::new(move |at| row.with(|page| page.choose_row(at))),
        hint: Rc::new(move |what| hint.with(|page| page.hint(what))),
        inspect: Box::new(move |deed| inspect.with(|page| page.inspect(deed))),
        walk: Box::new(move |to| walk.with(|page| page.walk(to))),
        dismiss: Box::new(move |sentence| dismiss.with(|page| page.dismiss(&sentence))),
        compare: Box::new(move || compare.with(Page::compare)),
        brush: Box::new(move |work| brush.with(|page| page.brush(work))),
    }
}

/// What concerns the page as a whole.
fn listeners(root: &Root, window: &Window, page: &Page, handle: &Handle) -> Vec<Listener> {
    let on = |target: &web_sys::EventTarget, event, act: fn(&mut Page)| {
        let handle = handle.clone();
        Listener::new(target, event, move |_| handle.with(act))
    };
    let mut listeners = vec![
        on(window, "popstate", Page::reopen),
        on(window, "hashchange", Page::reopen),
        on(window, "resize", Page::resized),
    ];
    listeners.extend(
        page.surroundings()
            .dark
            .as_ref()
            .map(|dark| on(dark, "change", Page::resized)),
    );
    listeners.extend(
        root.find::<Element>("#as-table")
            .ok()
            .map(|table| on(&table, "toggle", Page::show_table)),
    );
    let restored = handle.clone();
    listeners.push(Listener::capturing(
        root.element(),
        "contextrestored",
        move |_| restored.with(Page::restored),
    ));
    for (which, element) in page.beside_elements() {
        let handle = handle.clone();
        listeners.extend(map::listen(&element, move |deed| {
            handle.with(|page| page.point_beside(which, deed));
        }));
    }
    let handle = handle.clone();
    listeners.extend(map::listen(page.map_element(), move |deed| {
        handle.with(|page| page.point(deed))
    }));
    listeners
}

/// Watches the room of the map.
struct Observer {
    observer: ResizeObserver,
    _call: Closure<dyn FnMut()>,
}

impl Observer {
    fn new(element: &Element, handle: &Handle) -> Option<Self> {
        let handle = handle.clone();
        let call = Closure::<dyn FnMut()>::new(move || handle.with(Page::resized));
        let observer = ResizeObserver::new(call.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(Self {
            observer,
            _call: call,
        })
    }
}

impl Drop for Observer {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
