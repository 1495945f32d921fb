//! Binds `index.html` to the state and paints canvases. Together with `bindings`, the only module that names the DOM.
//!
//! The page mounts into an element that it is given and looks nothing up outside it. Dropping [`Mounted`] removes all its
//! listeners, so several pages can live in one document. A control sends an [`Action`](crate::state::Action), the state changes, the
//! engine computes, and the result is painted.

mod activity;
mod change_event_polyfill;
mod chunk_loader;
mod clipboard;
mod controls;
mod dom;
mod download;
mod element;
mod engine;
mod environment;
mod event_listener;
mod export;
mod frame_scheduler;
mod full_page_link;
mod history;
mod iframe_bridge;
mod import;
mod language;
mod main_view;
mod map;
mod mount_context;
mod observers;
mod opening;
mod page;
mod page_api;
mod panels;
mod sentence_input;
mod share;
mod storage;
mod text_measurer;
mod timer;
mod view;
mod window;

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use web_sys::{Element, Window};

pub use dom::MissingPart;
pub use mount_context::MountContext;
pub use opening::opening;
pub use page_api::{Event, PageApi, Subscription};
pub use window::open_page;

use crate::bindings::{Client, StatusSubscription};
use crate::present::frame_schedule::PendingWork;
use crate::views::AGAIN;
use activity::Activity;
use dom::Root;
use engine::Engine;
use event_listener::Listener;
use frame_scheduler::FrameScheduler;
use observers::{ResizeWatcher, VisibilityWatcher};
use page::{Page, PageCallbacks};
use page_api::HostListeners;

/// An open page; dropping it takes its listeners, frames and timers away and leaves the elements as they are.
pub struct Mounted {
    shared: Rc<Shared>,
    _listeners: Vec<Listener>,
    _observers: ([Option<ResizeWatcher>; 2], Option<VisibilityWatcher>),
    _listening: StatusSubscription,
}

impl Mounted {
    /// The interface for the host of the page.
    pub fn port(&self) -> PageApi {
        PageApi::new(&self.shared)
    }
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
    frames: FrameScheduler,
    outside: HostListeners,
    /// What holds everything that is seen, and is as high as that.
    sheet: Element,
    /// Whether the page was idle once, so that it is as high as it is meant to be.
    was_idle: Cell<bool>,
}

impl Shared {
    /// Runs `act` on the page, then paints what it changed. Re-entrant calls are ignored; they come from DOM events that an update
    /// caused, such as `blur` after the focused button was removed.
    fn with(&self, act: impl FnOnce(&mut Page)) {
        let left = {
            let Ok(mut page) = self.page.try_borrow_mut() else {
                return;
            };
            act(&mut page);
            if self.outside.has_news(&page) {
                PendingWork::ForFrame
            } else {
                page.left()
            }
        };
        self.frames.expect(left);
        for action in self.outside.take_later() {
            self.with(action);
        }
    }

    /// Paints, and returns the work that is left.
    fn paint(&self) -> PendingWork {
        let left = {
            let Ok(mut page) = self.page.try_borrow_mut() else {
                return PendingWork::Nothing;
            };
            page.paint();
            page.left()
        };
        self.notify();
        for action in self.outside.take_later() {
            self.with(action);
        }
        left
    }

    /// A moment has passed; what is left to paint.
    fn tick(&self) -> PendingWork {
        // Busy only where this is called from inside the page, which then paints by itself.
        self.page
            .try_borrow_mut()
            .map_or(PendingWork::Nothing, |mut page| {
                page.tick();
                page.left()
            })
    }
}

/// A weak reference to the page, for parts that the page owns.
#[derive(Clone, Default)]
struct Handle(Rc<RefCell<Weak<Shared>>>);

impl Handle {
    fn shared(&self) -> Option<Rc<Shared>> {
        self.0.borrow().upgrade()
    }

    fn with(&self, act: impl FnOnce(&mut Page)) {
        if let Some(shared) = self.shared() {
            shared.with(act);
        }
    }

    fn paint(&self) -> PendingWork {
        self.shared()
            .map_or(PendingWork::Nothing, |shared| shared.paint())
    }

    fn tick(&self) -> PendingWork {
        self.shared()
            .map_or(PendingWork::Nothing, |shared| shared.tick())
    }

    /// Whether the numbers on screen are those of the state.
    fn is_current(&self) -> bool {
        let shared = self.shared();
        shared.is_some_and(|shared| {
            let page = shared.page.try_borrow();
            page.is_ok_and(|page| page.is_settled())
        })
    }

    /// Tells the first height; changes of it are told by the watcher of the sheet.
    fn on_idle(&self) {
        if let Some(shared) = self.shared()
            && !shared.was_idle.replace(true)
        {
            shared.tell_height();
        }
    }

    fn tell_height(&self) {
        if let Some(shared) = self.shared() {
            shared.tell_height();
        }
    }
}

/// Mounts the page into `root`, which holds the markup of `index.html`, and opens the state that belongs to `place`.
/// Pages that are mounted with clones of one client share its worker.
///
/// # Errors
/// [`MountError`] where `root` is in no window or lacks a part; nothing stays bound then.
pub fn mount(root: Element, client: Client, place: MountContext) -> Result<Mounted, MountError> {
    let client = client.for_page();
    let window = root
        .owner_document()
        .and_then(|document| document.default_view())
        .ok_or(MountError::NoWindow)?;
    let handle = Handle::default();
    let [current, idle] = [(); 2].map(|()| handle.clone());
    let activity = Activity::new(
        root.clone(),
        window.clone(),
        move || current.is_current(),
        move || idle.on_idle(),
    );
    let root = Root::mounted(root, activity.clone());
    let [taken, beside, compared, told] = [(); 4].map(|()| handle.clone());
    let engine = Engine::new(
        client.clone(),
        activity.clone(),
        move |state, reply| taken.with(|page| page.on_result(state, reply)),
        move |state, reply| beside.with(|page| page.on_comparison_result(state, reply)),
        move |state, reply| compared.with(|page| page.compared(state, reply)),
    );
    let around = (window.clone(), place.clone());
    let page = Page::new(root.clone(), around, engine, calls(&handle))?;
    let [painted, passed] = [(); 2].map(|()| handle.clone());
    let frames = FrameScheduler::new(
        window.clone(),
        activity,
        move || painted.paint(),
        move || passed.tick(),
    );
    let mut listeners = listeners(&root, &window, &page, &handle);
    listeners.extend(outside(&root, &window, &place, &handle));
    let sheet: Element = root.find(environment::SHEET)?;
    let [resized, grown, seen] = [(); 3].map(|()| handle.clone());
    let observers = (
        [
            ResizeWatcher::new(page.map_element(), move || resized.with(Page::resized)),
            ResizeWatcher::new(&sheet, move || {
                grown.with(Page::grown);
                grown.tell_height();
            }),
        ],
        VisibilityWatcher::new(&root, move |panels| {
            seen.with(|page| page.set_in_sight(panels))
        }),
    );
    let shared = Rc::new(Shared {
        page: RefCell::new(page),
        frames,
        outside: HostListeners::default(),
        sheet,
        was_idle: Cell::default(),
    });
    handle.0.replace(Rc::downgrade(&shared));
    handle.with(Page::open);
    let listening = client.on_status(move |status| told.with(|page| page.on_status(status)));
    Ok(Mounted {
        shared,
        _listeners: listeners,
        _observers: observers,
        _listening: listening,
    })
}

fn calls(handle: &Handle) -> PageCallbacks {
    let [act, hint, compare, undo, came] = [(); 5].map(|()| handle.clone());
    PageCallbacks {
        act: Rc::new(move |action, change| act.with(|page| page.act(action, change))),
        choose_head: asking(handle, Page::choose_head),
        choose_row: asking(handle, Page::choose_row),
        hint: Rc::new(move |what| hint.with(|page| page.hint(what))),
        inspect: asking(handle, Page::inspect),
        dismiss: asking(handle, Page::dismiss),
        compare: Box::new(move || compare.with(Page::compare)),
        brush: asking(handle, Page::brush),
        zoom: asking(handle, Page::on_zoom),
        undo: Rc::new(move |action| undo.with(|page| page.undo(action))),
        save: asking(handle, Page::save),
        copy: asking(handle, Page::copy_text),
        share: asking(handle, Page::share),
        import: asking(handle, Page::import),
        on_chunk: Box::new(move || came.with(Page::look_at_chunks)),
    }
}

/// Calls a method of the page; each stays a function of its own, which the release build may load later.
fn asking<T: 'static>(handle: &Handle, ask: fn(&mut Page, T)) -> Box<dyn Fn(T)> {
    let handle = handle.clone();
    Box::new(move |what| handle.with(|page| ask(page, what)))
}

/// Listeners for the surroundings of the page: its address, or the colours around it.
fn outside(root: &Root, window: &Window, place: &MountContext, handle: &Handle) -> Vec<Listener> {
    let on = |target: &web_sys::EventTarget, event, act: fn(&mut Page)| {
        let handle = handle.clone();
        Listener::new(target, event, move |_| handle.with(act))
    };
    match place.has_address() {
        true => vec![
            on(window, "popstate", Page::reopen),
            on(window, "hashchange", Page::reopen),
        ],
        // `layout.css` lets a colour pass over to another whenever those around do.
        false => vec![on(root.element(), "transitionend", Page::resized)],
    }
}

/// What concerns the page as a whole.
fn listeners(root: &Root, window: &Window, page: &Page, handle: &Handle) -> Vec<Listener> {
    let on = |target: &web_sys::EventTarget, event, act: fn(&mut Page)| {
        let handle = handle.clone();
        Listener::new(target, event, move |_| handle.with(act))
    };
    let mut listeners = vec![
        on(window, "resize", Page::resized),
        on(root.element(), "fullscreenchange", Page::resized),
        on(window, "beforeprint", Page::begin_print),
        on(window, "afterprint", Page::end_print),
    ];
    listeners.extend(change_event_polyfill::listen(root));
    listeners.extend(
        page.environment()
            .dark
            .as_ref()
            .map(|dark| on(dark, "change", Page::resized)),
    );
    listeners.extend(
        root.find::<Element>("#as-table")
            .ok()
            .map(|table| on(&table, "toggle", Page::show_table)),
    );
    let first = |event, act: fn(&mut Page)| {
        let handle = handle.clone();
        Listener::capturing(root.element(), event, move |_| handle.with(act))
    };
    listeners.push(first("contextrestored", Page::restored));
    // What is pressed may be for saving or copying.
    listeners.push(first("click", Page::paint_waiting));
    for (which, element) in page.beside_elements() {
        let handle = handle.clone();
        listeners.extend(map::listen(&element, move |action| {
            handle.with(|page| page.point_beside(which, action));
        }));
    }
    let again = handle.clone();
    listeners.push(Listener::new(root.element(), "click", move |event| {
        if view::nearest::<String>(&event, AGAIN).is_some() {
            again.with(Page::ask_for_chunks_again);
        }
    }));
    listeners.extend(sentence_input::listen(root, handle));
    listeners.extend(controls::help::listen(root));
    let copying = handle.clone();
    listeners.push(Listener::new(page.map_element(), "keydown", move |event| {
        if clipboard::is_asked(&event) {
            event.prevent_default();
            copying.with(Page::copy_pointed);
        }
    }));
    let [pointing, zooming] = [(); 2].map(|()| handle.clone());
    let element = page.map_element();
    listeners.extend(map::listen(element, move |action| {
        pointing.with(|page| page.point(action))
    }));
    listeners.extend(map::listen_zoom(root, element, move |action| {
        zooming.with(|page| page.point(action))
    }));
    listeners
}
