//! Binds `index.html` to the state and paints canvases. Together with `bindings`, the only module that names the DOM.
//!
//! The page mounts into an element that it is given and looks nothing up outside it. Dropping [`Mounted`] removes all its
//! listeners, so several pages can live in one document. A control sends an [`Action`](app::state::Action), the state changes, the
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
mod field_value;
mod frame_scheduler;
mod full_page_link;
mod handover;
mod heatmap_view;
mod history;
mod iframe_bridge;
mod import;
mod language;
mod main_view;
mod map;
mod models;
mod mount_context;
mod observers;
mod opening;
mod page;
mod page_api;
mod panels;
mod sender;
mod sentence_input;
mod share;
mod storage;
mod text_measurer;
mod timer;
mod view;
mod window;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use web_sys::{Element, EventTarget, Window};

pub use dom::MissingPart;
pub use mount_context::MountContext;
pub use opening::opening;
pub use page_api::{Event, PageApi, Subscription};
pub use window::open_page;

use crate::bindings::{Client, StatusSubscription};
use activity::{Activity, Pending};
use app::Message;
use app::present::frame_schedule::PendingWork;
use app::queue::Queue;
use app::views::AGAIN;
use dom::Root;
use engine::Engine;
use event_listener::Listener;
use frame_scheduler::FrameScheduler;
use observers::{ResizeWatcher, VisibilityWatcher};
use page::Page;
use page_api::HostListeners;
use sender::{Input, Sender};

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
    inputs: Queue<Input>,
    frames: FrameScheduler,
    activity: Activity,
    outside: HostListeners,
    /// Element that contains all visible content and has its height.
    sheet: Element,
    /// Whether the page was idle once, so that it is as high as it is meant to be.
    was_idle: Cell<bool>,
}

impl Shared {
    /// Has an input handled now, or next where the page is at work: as for DOM events that an update causes, such as `blur` after the
    /// focused button was removed.
    fn send(&self, input: Input) {
        self.inputs.add(input);
        self.drain();
    }

    /// Handles the queued messages, then paints their changes.
    fn drain(&self) {
        let has_handled = self
            .inputs
            .drain(|input| self.page.borrow_mut().handle(input));
        if has_handled {
            let page = self.page.borrow();
            let left = if self.outside.has_news(&page) {
                PendingWork::ForFrame
            } else {
                page.left()
            };
            drop(page);
            self.frames.expect(left);
        }
    }

    /// Paints, and returns the work that is left.
    fn paint(&self) -> PendingWork {
        let paint = || {
            let mut page = self.page.try_borrow_mut().ok()?;
            page.paint();
            Some(page.left())
        };
        let left = self.inputs.hold(paint);
        self.notify();
        self.drain();
        left.unwrap_or(PendingWork::Nothing)
    }

    /// Handles the end of an idle interval; returns the work that is left to paint.
    fn tick(&self) -> PendingWork {
        // Busy only where this is called from inside the page, which then paints by itself.
        self.page
            .try_borrow_mut()
            .map_or(PendingWork::Nothing, |mut page| {
                page.app.scheduler.tick();
                page.left()
            })
    }

    fn read<T>(&self, read: impl FnOnce(&Page) -> T) -> Option<T> {
        let page = self.page.try_borrow().ok()?;
        Some(read(&page))
    }

    /// Begins something that will change the page, which is busy until the result is dropped.
    fn begin(&self) -> Pending {
        self.activity.begin()
    }

    /// Reports the first height; the sheet's watcher reports changes of it.
    fn on_idle(&self) {
        if !self.was_idle.replace(true) {
            self.tell_height();
        }
    }
}

/// Mounts the page into `root`, which holds the markup of `index.html`, and opens the state of its address. An element has none: it shows
/// nothing before it is sent [`Message::Open`].
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
    let sender = Sender::default();
    let [current, idle, painted, passed] = [(); 4].map(|()| sender.clone());
    let activity = Activity::new(
        root.clone(),
        window.clone(),
        move || current.read(|page| page.app.is_settled()) == Some(true),
        move || idle.shared().iter().for_each(|shared| shared.on_idle()),
    );
    let root = Root::mounted(root, activity.clone());
    let engine = Engine::new(client.clone(), activity.clone(), sender.clone());
    let around = (window.clone(), place.clone());
    let page = Page::new(root.clone(), around, engine, &sender)?;
    let nothing = PendingWork::Nothing;
    let frames = FrameScheduler::new(
        window.clone(),
        activity.clone(),
        move || painted.shared().map_or(nothing, |shared| shared.paint()),
        move || passed.shared().map_or(nothing, |shared| shared.tick()),
    );
    let mut listeners = listeners(&root, &window, &page, &sender);
    listeners.extend(outside(&root, &window, &place, &sender));
    let sheet: Element = root.find(environment::SHEET)?;
    let [resized, grown] = [(); 2].map(|()| sender.clone());
    let observers = (
        [
            ResizeWatcher::new(page.map_element(), move || resized.send(Input::Resized)),
            ResizeWatcher::new(&sheet, move || {
                grown.send(Input::Grown);
                grown
                    .shared()
                    .iter()
                    .for_each(|shared| shared.tell_height());
            }),
        ],
        VisibilityWatcher::new(&root, sender.on(Input::InSight)),
    );
    let shared = Rc::new(Shared {
        page: RefCell::new(page),
        inputs: Queue::default(),
        frames,
        activity,
        outside: HostListeners::default(),
        sheet,
        was_idle: Cell::default(),
    });
    sender.connect(&shared);
    if place.has_address() {
        sender.send(Input::Open);
    }
    let listening = client.on_status(sender.on(Message::Status));
    Ok(Mounted {
        shared,
        _listeners: listeners,
        _observers: observers,
        _listening: listening,
    })
}

/// Listeners for the surroundings of the page: its address, or the colours around it.
fn outside(root: &Root, window: &Window, place: &MountContext, sender: &Sender) -> Vec<Listener> {
    if place.has_address() {
        ["popstate", "hashchange"]
            .map(|event| on(window, event, sender, || Input::Address))
            .into()
    } else {
        // `layout.css` lets a colour pass over to another whenever those around do.
        vec![on(root.element(), "transitionend", sender, || {
            Input::Resized
        })]
    }
}

/// Sends an input at each event of a name.
fn on(
    target: &EventTarget,
    event: &'static str,
    sender: &Sender,
    input: fn() -> Input,
) -> Listener {
    let sender = sender.clone();
    Listener::new(target, event, move |_| sender.send(input()))
}

/// Listens to events of the whole page.
fn listeners(root: &Root, window: &Window, page: &Page, sender: &Sender) -> Vec<Listener> {
    let mut listeners = vec![
        on(window, "resize", sender, || Input::Resized),
        on(root.element(), "fullscreenchange", sender, || {
            Input::Resized
        }),
        on(window, "beforeprint", sender, || Input::BeginPrint),
        on(window, "afterprint", sender, || Input::EndPrint),
    ];
    listeners.extend(change_event_polyfill::listen(root));
    let dark = page.environment().dark.as_ref();
    listeners.extend(dark.map(|dark| on(dark, "change", sender, || Input::Resized)));
    let table = root.find::<Element>("#as-table").ok();
    listeners.extend(table.map(|table| on(&table, "toggle", sender, || Input::Table)));
    let first = |event, input: fn() -> Input| {
        let sender = sender.clone();
        Listener::capturing(root.element(), event, move |_| sender.send(input()))
    };
    listeners.push(first("contextrestored", || Input::Restored));
    // What is pressed may be for saving or copying.
    listeners.push(first("click", || Input::PaintWaiting));
    let again = sender.clone();
    listeners.push(Listener::new(root.element(), "click", move |event| {
        if view::nearest::<String>(&event, AGAIN).is_some() {
            again.send(Input::LoadAgain);
        }
    }));
    listeners.extend(sentence_input::listen(root, sender));
    listeners.extend(controls::help::listen(root));
    let copying = sender.clone();
    listeners.push(Listener::new(page.map_element(), "keydown", move |event| {
        if clipboard::is_asked(&event) {
            event.prevent_default();
            copying.send(Input::CopyPointed);
        }
    }));
    let element = page.map_element();
    listeners.extend(map::listen(element, sender.on(Input::Map)));
    listeners.extend(map::listen_zoom(root, element, sender.on(Input::Map)));
    listeners
}
