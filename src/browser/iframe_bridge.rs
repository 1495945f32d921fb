//! Connects a page in a frame to its parent: executes messages and sends events.

wasm_chunks::chunk!("host");
wasm_chunks::chunk!("engine": impl BridgeState, BridgeState::now);

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use web_sys::{Element, Window};

use super::activity::Pending;
use super::dom;
use super::event_listener::Listener;
use super::page_api::{Event, PageApi, Subscription};
use super::timer::Timer;
use crate::bindings::{IncomingMessage, ParentChannel};
use app::protocol::{Command, Id, Inbox, Message, Outgoing, Refusal, forbidden, may, read};
use app::state::LinkWarning;

/// The version of this page, as in its API.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The ends of both ways; dropping it ends them.
pub(super) struct IframeBridge {
    _inner: Rc<BridgeState>,
    _told: Subscription,
    _resized: Listener,
}

struct BridgeState {
    window: Window,
    root: Element,
    port: PageApi,
    wire: ParentChannel,
    inbox: RefCell<Inbox<IncomingMessage>>,
    /// Runs while something waits.
    later: RefCell<Option<(Timer, Option<Pending>)>>,
    /// Where the page around comes from, as far as that is known.
    origin: RefCell<Option<String>>,
    /// The height that was last sent.
    height: Cell<f64>,
    own: Weak<Self>,
}

impl IframeBridge {
    /// Opens both ways, for a page in a frame; `None` for one that is in none.
    pub(super) fn open(window: &Window, port: PageApi) -> Option<Self> {
        let root = window.document()?.document_element()?;
        let own: Rc<RefCell<Weak<BridgeState>>> = Rc::default();
        let listener = own.clone();
        let most = Inbox::<IncomingMessage>::MOST as u32;
        let wire = ParentChannel::open(window, most, move |message| {
            if let Some(inner) = listener.borrow().upgrade() {
                inner.hear(message);
            }
        })?;
        let inner = Rc::new_cyclic(|weak| BridgeState {
            origin: RefCell::new(wire.origin()),
            window: window.clone(),
            root,
            port: port.clone(),
            wire,
            inbox: RefCell::default(),
            later: RefCell::default(),
            height: Cell::new(0.0),
            own: weak.clone(),
        });
        own.replace(Rc::downgrade(&inner));
        let [told, resized] = [(); 2].map(|()| Rc::downgrade(&inner));
        Some(Self {
            _told: port.subscribe(move |event| {
                if let Some(inner) = told.upgrade() {
                    inner.post_event(event);
                }
            }),
            _resized: Listener::new(window, "resize", move |_| {
                if let Some(inner) = resized.upgrade() {
                    inner.look_at_host();
                }
            }),
            _inner: inner,
        })
    }
}

impl BridgeState {
    /// Carries a message out at once where none waits; otherwise it waits too, for the timer.
    fn hear(&self, message: IncomingMessage) {
        let is_only = self.inbox.borrow_mut().put(message);
        if is_only {
            self.work();
        }
    }

    /// Handles the messages that were queued.
    fn take_held(&self) {
        let (messages, dropped) = self.wire.take();
        let mut inbox = self.inbox.borrow_mut();
        inbox.add_dropped(dropped);
        for message in messages {
            // The timer that calls this carries out the first as well.
            let _ = inbox.put(message);
        }
    }

    /// Carries out what waits, as far as there is time for it now.
    fn work(&self) {
        loop {
            let start = self.now();
            let Some(message) = self.inbox.borrow_mut().next(start) else {
                break;
            };
            self.carry_out(&message);
            let time = self.now() - start;
            self.inbox.borrow_mut().spend(time);
        }
        let (dropped, is_done) = {
            let mut inbox = self.inbox.borrow_mut();
            (inbox.dropped(), inbox.is_empty())
        };
        if dropped > 0 {
            let message = format!("{dropped} messages came faster than they could be carried out");
            self.refuse(&Refusal::new(None, "too_many", "", &message));
        }
        self.wire.hold(!is_done);
        if is_done {
            self.later.take();
        } else if self.later.borrow().is_none() {
            let own = self.own.clone();
            let work = move || {
                if let Some(inner) = own.upgrade() {
                    inner.take_held();
                    inner.work();
                }
            };
            let timer = Timer::new(&self.window, Inbox::<IncomingMessage>::WINDOW as i32, work);
            let later = timer.map(|timer| (timer, self.port.begin()));
            self.later.replace(later);
        }
    }

    fn carry_out(&self, message: &IncomingMessage) {
        let origin = &message.origin;
        self.origin.replace(Some(origin.clone()));
        match read(&message.data()) {
            None => {}
            Some(Err(refusal)) => self.refuse(&refusal),
            Some(Ok(Message { id, command })) => {
                let refused = self
                    .port
                    .of_state(|state| forbidden(&command, state, origin));
                match refused.flatten() {
                    Some((code, field, message)) => {
                        self.refuse(&Refusal::new(id, code, field, message));
                    }
                    None => self.obey(id, command, origin),
                }
            }
        }
    }

    fn obey(&self, id: Option<Id>, command: Command, origin: &str) {
        let notes = match command {
            Command::Hello => return self.greet(id, origin),
            Command::Get => return self.post(&Outgoing::State(id, &self.port.snapshot())),
            Command::Set(settings) => self.port.apply_settings(settings),
            Command::Restore(fragment) => self.port.restore(&fragment),
            Command::Select(cell) => self.port.select(cell),
            Command::Theme(theme) => {
                self.port.follow(theme);
                Vec::new()
            }
        };
        self.answer(id, &notes);
    }

    /// Replies to a message. Without an id the sender expects no reply, but rejected settings are
    /// still reported.
    fn answer(&self, id: Option<Id>, notes: &[LinkWarning]) {
        if id.is_some() || !notes.is_empty() {
            self.post(&Outgoing::Reply(id, notes));
        }
    }

    fn greet(&self, id: Option<Id>, origin: &str) {
        let types = self.port.of_state(|state| may(state, origin));
        let height = self.port.height();
        self.height.set(height);
        self.post(&Outgoing::Ready {
            id,
            version: VERSION,
            may: &types.unwrap_or_default(),
            height,
        });
    }

    fn post_event(&self, event: &Event) {
        match event {
            Event::Ready(_) => {
                let origin = self.origin.borrow().clone();
                self.greet(None, origin.as_deref().unwrap_or_default());
            }
            Event::Change(by, snapshot) => self.post(&Outgoing::Change(*by, snapshot)),
            Event::Select(by, snapshot) => self.post(&Outgoing::Select(*by, snapshot)),
            Event::Resize(height) => {
                self.height.set(*height);
                self.post(&Outgoing::Resize(*height));
            }
        }
    }

    /// A host that has resized the frame to the requested height will do so again: from then on no
    /// space is reserved for a scrollbar, which would toggle forever, since it makes the page
    /// narrower and that changes its height.
    fn look_at_host(&self) {
        let height = self.window.inner_height().ok();
        if height.and_then(|height| height.as_f64()) == Some(self.height.get()) {
            dom::set_flag(&self.root, "data-fitted", true);
        }
    }

    fn refuse(&self, refusal: &Refusal) {
        self.post(&Outgoing::Refused(refusal));
    }

    fn post(&self, message: &Outgoing<'_>) {
        self.wire
            .post(&message.data(), self.origin.borrow().as_deref());
    }

    fn now(&self) -> f64 {
        let performance = self.window.performance();
        performance.map_or(0.0, |performance| performance.now())
    }
}
