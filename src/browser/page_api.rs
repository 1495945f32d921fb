//! The interface for hosts: messages and the custom element read and set the page through a [`PageApi`].
//!
//! **Events** fire after a paint, so at most once per frame, when the state on screen differs from the last one reported:
//! [`Event::Change`] if settings other than the selected cell differ and their numbers are painted, [`Event::Select`] if the selected cell
//! differs. Setting a value that is already set fires nothing. Each event tells whether the user took part
//! ([`ChangeSource::Person`]), so a host that mirrors the page can avoid feedback loops.
//!
//! A listener may use the interface; its changes are reported in a later frame.

use std::cell::{Cell as Slot, RefCell};
use std::rc::{Rc, Weak};

use super::Shared;
use super::activity::Pending;
use super::page::Page;
use crate::message::{ChangeSource, Snapshot};
use crate::state::external_settings::SettingInput;
use crate::state::{Cell, LinkWarning, State, Theme};

/// A handle on an open page; it keeps nothing alive, and does nothing once the page is gone.
#[derive(Clone)]
pub struct PageApi(Weak<Shared>);

/// An event of a page.
#[derive(Clone, Debug)]
pub enum Event {
    /// The first numbers are on screen.
    Ready(Rc<Snapshot>),
    /// Settings have changed, the chosen cell apart, and their numbers are on screen.
    Change(ChangeSource, Rc<Snapshot>),
    /// Another cell is chosen, or none.
    Select(ChangeSource, Rc<Snapshot>),
    /// The page is higher or lower: its new height in CSS pixels.
    Resize(f64),
}

type Callback = Rc<RefCell<dyn FnMut(&Event)>>;

/// Ends when it is dropped.
pub struct Subscription {
    shared: Weak<Shared>,
    number: u32,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.upgrade() {
            let mut heard = shared.outside.heard.borrow_mut();
            heard.retain(|(number, _)| *number != self.number);
        }
    }
}

type PageCallback = Box<dyn FnOnce(&mut Page)>;

/// Who listens to a page, and what they know of it.
#[derive(Default)]
pub(super) struct HostListeners {
    heard: RefCell<Vec<(u32, Callback)>>,
    next: Slot<u32>,
    told: RefCell<Option<State>>,
    height: Slot<f64>,
    /// What was asked for while the page was at work.
    later: RefCell<Vec<PageCallback>>,
}

impl PageApi {
    pub(super) fn new(shared: &Rc<Shared>) -> Self {
        Self(Rc::downgrade(shared))
    }

    /// The state as a link, without `#`; empty where the page is gone.
    pub fn fragment(&self) -> String {
        self.read(Page::fragment).unwrap_or_default()
    }

    /// Applies settings written as in a link; the others stay. Returns what was refused or adjusted.
    pub fn apply(&self, settings: &str) -> Vec<LinkWarning> {
        let settings = settings.to_owned();
        self.act(move |page| page.give_written(&settings))
    }

    /// The same with settings one by one; one without a value goes back to its default.
    pub fn apply_settings(&self, settings: Vec<SettingInput>) -> Vec<LinkWarning> {
        self.act(move |page| page.apply_settings(&settings))
    }

    /// Takes a whole state as a link says it: what it does not name is at its default. What says how the page is laid
    /// out, and who may set it, stays.
    pub fn restore(&self, fragment: &str) -> Vec<LinkWarning> {
        let fragment = fragment.to_owned();
        self.act(move |page| page.restore(&fragment))
    }

    /// Chooses a cell of the map, or none.
    pub fn select(&self, cell: Option<Cell>) -> Vec<LinkWarning> {
        self.act(move |page| page.choose_from_outside(cell))
    }

    /// Shows on the page what was refused, replacing earlier messages.
    pub fn say_refused(&self, notes: &[LinkWarning]) {
        let notes = notes.to_owned();
        self.act(move |page| {
            page.say_refused(&notes);
            Vec::new()
        });
    }

    /// What surrounds the page may look or speak otherwise now.
    pub fn refresh_environment(&self) {
        self.act(|page| {
            page.resized();
            Vec::new()
        });
    }

    /// Says the theme of the page around, which a state with [`State::host_theme`] follows; `None` leaves it to the
    /// system.
    pub fn follow(&self, theme: Option<Theme>) {
        self.act(move |page| {
            page.follow(theme);
            Vec::new()
        });
    }

    /// What is on screen.
    pub fn snapshot(&self) -> Snapshot {
        self.read(Page::snapshot).unwrap_or_default()
    }

    /// Something of the state; `None` where the page is gone.
    pub fn of_state<T>(&self, read: impl FnOnce(&State) -> T) -> Option<T> {
        self.read(|page| read(page.state()))
    }

    /// Height of everything, in whole CSS pixels.
    pub fn height(&self) -> f64 {
        self.0.upgrade().map_or(0.0, |shared| shared.measure())
    }

    /// Calls `heard` with every event from now on.
    #[must_use]
    pub fn subscribe(&self, heard: impl FnMut(&Event) + 'static) -> Subscription {
        let mut number = 0;
        if let Some(shared) = self.0.upgrade() {
            let outside = &shared.outside;
            number = outside.next.get();
            outside.next.set(number.wrapping_add(1));
            outside.catch_up(&shared);
            let heard: Callback = Rc::new(RefCell::new(heard));
            outside.heard.borrow_mut().push((number, heard));
        }
        Subscription {
            shared: self.0.clone(),
            number,
        }
    }

    /// Something begins that will change the page; `None` where the page is gone.
    pub(super) fn begin(&self) -> Option<Pending> {
        self.read(Page::begin)
    }

    fn read<T>(&self, read: impl FnOnce(&Page) -> T) -> Option<T> {
        let shared = self.0.upgrade()?;
        let page = shared.page.try_borrow().ok()?;
        Some(read(&page))
    }

    /// Does it now, or as soon as the page is done with what it is at; then nobody hears what was not taken.
    fn act(&self, act: impl FnOnce(&mut Page) -> Vec<LinkWarning> + 'static) -> Vec<LinkWarning> {
        let Some(shared) = self.0.upgrade() else {
            return Vec::new();
        };
        if shared.page.try_borrow_mut().is_err() {
            let action = |page: &mut Page| {
                act(page);
            };
            shared.outside.later.borrow_mut().push(Box::new(action));
            return Vec::new();
        }
        let mut notes = Vec::new();
        shared.with(|page| notes = act(page));
        notes
    }
}

impl HostListeners {
    /// What waited while the page was at work.
    pub(super) fn take_later(&self) -> Vec<PageCallback> {
        self.later.take()
    }

    /// Whether an event is due after the next paint.
    pub(super) fn has_news(&self, page: &Page) -> bool {
        let is_news = || self.told.borrow().as_ref() != Some(page.state());
        !self.heard.borrow().is_empty() && page.is_settled() && is_news()
    }

    /// Before the first listener nothing was reported: it knows what is on screen.
    fn catch_up(&self, shared: &Shared) {
        if let (true, Ok(page)) = (self.heard.borrow().is_empty(), shared.page.try_borrow()) {
            self.told.replace(page.state_on_screen());
        }
    }

    /// The events that are due now.
    fn news(&self, page: &mut Page) -> Vec<Event> {
        if !self.has_news(page) {
            return Vec::new();
        }
        let (by, snapshot) = (page.take_by(), Rc::new(page.snapshot()));
        let Some(told) = self.told.replace(Some(page.state().clone())) else {
            return vec![Event::Ready(snapshot)];
        };
        let state = page.state();
        let mut events = Vec::new();
        if (State {
            cell: None,
            ..told.clone()
        }) != (State {
            cell: None,
            ..state.clone()
        }) {
            events.push(Event::Change(by, snapshot.clone()));
        }
        if told.cell != state.cell {
            events.push(Event::Select(by, snapshot));
        }
        events
    }

    fn notify(&self, event: &Event) {
        let heard: Vec<Callback> = self
            .heard
            .borrow()
            .iter()
            .map(|(_, heard)| heard.clone())
            .collect();
        for heard in heard {
            // One that is still at the event before, and has made this one, has heard enough.
            if let Ok(mut heard) = heard.try_borrow_mut() {
                heard(event);
            }
        }
    }
}

impl Shared {
    /// Reports what is on screen and was not reported.
    pub(super) fn notify(&self) {
        let news = match self.page.try_borrow_mut() {
            Ok(mut page) => self.outside.news(&mut page),
            Err(_) => return,
        };
        news.iter().for_each(|event| self.outside.notify(event));
    }

    /// Tells the height of the page, where it is another one. Nothing is told while the page comes up, since a frame would follow each step.
    pub(super) fn tell_height(&self) {
        if !self.was_idle.get() {
            return;
        }
        let height = self.measure();
        if self.outside.height.replace(height) != height {
            self.outside.notify(&Event::Resize(height));
        }
    }

    fn measure(&self) -> f64 {
        let page = self.page.try_borrow();
        let surplus = page.map_or(0.0, |page| page.map_surplus());
        (self.sheet.get_bounding_client_rect().height() + surplus).ceil()
    }
}
