//! The interface for hosts: messages and the custom element read and set the page through a [`PageApi`].
//!
//! **Events** fire after a paint, so at most once per frame, when the state on screen differs from the last one reported:
//! [`Event::Change`] if settings other than the selected cell differ and their numbers are painted, [`Event::Select`] if the selected cell
//! differs. Setting a value that is already set fires nothing. Each event tells whether the user took part
//! ([`ChangeSource::Person`]), so a host that mirrors the page can avoid feedback loops.
//!
//! A listener may use the interface; its changes are reported in a later frame.

wasm_chunks::chunk!("host");
wasm_chunks::chunk!("engine": HostListeners, Event, tell_height, measure);

use std::cell::{Cell as Slot, RefCell};
use std::rc::{Rc, Weak};

use super::Shared;
use super::activity::Pending;
use super::page::Page;
use super::sender::Input;
use app::Message;
use app::message::HostMessage;
use app::protocol::{ChangeSource, Snapshot};
use app::state::external_settings::SettingInput;
use app::state::{Cell, LinkWarning, State, Theme};

/// Handle of an open page; it keeps nothing alive, and does nothing once the page is gone.
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
            let mut callbacks = shared.outside.callbacks.borrow_mut();
            callbacks.retain(|(number, _)| *number != self.number);
        }
    }
}

/// Listeners of a page, and the state last reported to them.
#[derive(Default)]
pub(super) struct HostListeners {
    callbacks: RefCell<Vec<(u32, Callback)>>,
    next: Slot<u32>,
    last_reported: RefCell<Option<State>>,
    height: Slot<f64>,
}

impl PageApi {
    pub(super) fn new(shared: &Rc<Shared>) -> Self {
        Self(Rc::downgrade(shared))
    }

    /// The state as a link, without `#`; empty if the page is gone.
    pub fn fragment(&self) -> String {
        self.read(|page| page.app.fragment()).unwrap_or_default()
    }

    /// Applies settings in link syntax; the others stay. Returns the rejected and adjusted ones.
    pub fn apply(&self, settings: &str) -> Vec<LinkWarning> {
        self.ask(HostMessage::Apply(settings.to_owned()))
    }

    /// The same with settings one by one; one without a value goes back to its default.
    pub fn apply_settings(&self, settings: Vec<SettingInput>) -> Vec<LinkWarning> {
        self.ask(HostMessage::Settings(settings))
    }

    /// Applies a whole state in link syntax: settings that it does not name take their defaults.
    /// Layout settings and permitted origins stay.
    pub fn restore(&self, fragment: &str) -> Vec<LinkWarning> {
        self.ask(HostMessage::Restore(fragment.to_owned()))
    }

    /// Chooses a cell of the map, or none.
    pub fn select(&self, cell: Option<Cell>) -> Vec<LinkWarning> {
        self.ask(HostMessage::Select(cell))
    }

    /// Shows rejected settings on the page, replacing earlier messages.
    pub fn show_rejected(&self, notes: &[LinkWarning]) {
        self.ask(HostMessage::Refused(notes.to_owned()));
    }

    /// Rereads the environment: its theme or language may have changed.
    pub fn refresh_environment(&self) {
        self.send(Input::Resized);
    }

    /// Sets the theme of the host page, which a state with [`State::host_theme`] follows; `None`
    /// leaves it to the system.
    pub fn follow(&self, theme: Option<Theme>) {
        self.send(Input::ThemeAround(theme));
    }

    /// Returns a snapshot of the state on screen.
    pub fn snapshot(&self) -> Snapshot {
        self.read(|page| page.app.snapshot()).unwrap_or_default()
    }

    /// Reads from the state; `None` if the page is gone.
    pub fn of_state<T>(&self, read: impl FnOnce(&State) -> T) -> Option<T> {
        self.read(|page| read(&page.app.state))
    }

    /// Height of everything, in whole CSS pixels.
    pub fn height(&self) -> f64 {
        self.0.upgrade().map_or(0.0, |shared| shared.measure())
    }

    /// Calls `callback` with every event from now on.
    #[must_use]
    pub fn subscribe(&self, callback: impl FnMut(&Event) + 'static) -> Subscription {
        let mut number = 0;
        if let Some(shared) = self.0.upgrade() {
            let outside = &shared.outside;
            number = outside.next.get();
            outside.next.set(number.wrapping_add(1));
            outside.catch_up(&shared);
            let callback: Callback = Rc::new(RefCell::new(callback));
            outside.callbacks.borrow_mut().push((number, callback));
        }
        Subscription {
            shared: self.0.clone(),
            number,
        }
    }

    /// Marks the start of pending work that will change the page; `None` if the page is gone.
    pub(super) fn begin(&self) -> Option<Pending> {
        Some(self.0.upgrade()?.begin())
    }

    pub(super) fn read<T>(&self, read: impl FnOnce(&Page) -> T) -> Option<T> {
        self.0.upgrade()?.read(read)
    }

    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Page) -> T) -> Option<T> {
        let shared = self.0.upgrade()?;
        let mut page = shared.page.try_borrow_mut().ok()?;
        Some(change(&mut page))
    }

    pub(super) fn send(&self, input: impl Into<Input>) {
        if let Some(shared) = self.0.upgrade() {
            shared.send(input.into());
        }
    }

    /// Sends the message, and returns the rejected settings; they are lost if the page is busy, as
    /// the message is then handled later.
    fn ask(&self, message: HostMessage) -> Vec<LinkWarning> {
        self.send(Message::Host(message));
        let answer = self.change(|page| page.app.take_answer());
        answer.unwrap_or_default()
    }
}

impl HostListeners {
    /// Whether an event is due after the next paint.
    pub(super) fn has_news(&self, page: &Page) -> bool {
        let is_news = || self.last_reported.borrow().as_ref() != Some(&page.app.state);
        !self.callbacks.borrow().is_empty() && page.app.is_settled() && is_news()
    }

    /// Treats the state on screen as reported, before the first listener.
    fn catch_up(&self, shared: &Shared) {
        if let (true, Ok(page)) = (self.callbacks.borrow().is_empty(), shared.page.try_borrow()) {
            self.last_reported.replace(page.app.state_on_screen());
        }
    }

    /// Returns the events that are due now.
    fn news(&self, page: &mut Page) -> Vec<Event> {
        if !self.has_news(page) {
            return Vec::new();
        }
        let (by, snapshot) = (page.app.take_by(), Rc::new(page.app.snapshot()));
        let state = &page.app.state;
        let Some(before) = self.last_reported.replace(Some(state.clone())) else {
            return vec![Event::Ready(snapshot)];
        };
        let mut events = Vec::new();
        if (State {
            cell: None,
            ..before.clone()
        }) != (State {
            cell: None,
            ..state.clone()
        }) {
            events.push(Event::Change(by, snapshot.clone()));
        }
        if before.cell != state.cell {
            events.push(Event::Select(by, snapshot));
        }
        events
    }

    fn notify(&self, event: &Event) {
        let callbacks = self.callbacks.borrow();
        let callbacks: Vec<Callback> = callbacks.iter().map(|(_, own)| own.clone()).collect();
        for callback in callbacks {
            // One that is still at the event before, and has made this one, knows enough.
            if let Ok(mut callback) = callback.try_borrow_mut() {
                callback(event);
            }
        }
    }
}

impl Shared {
    /// Fires events for unreported changes of the state on screen.
    pub(super) fn notify(&self) {
        let news = match self.page.try_borrow_mut() {
            Ok(mut page) => self.outside.news(&mut page),
            Err(_) => return,
        };
        news.iter().for_each(|event| self.outside.notify(event));
    }

    /// Reports the height of the page if it has changed. Nothing is reported while the page starts,
    /// since the frame would follow each step.
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
