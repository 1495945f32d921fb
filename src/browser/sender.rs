//! Input events of the browser, and the one way to send them to the page.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use super::Shared;
use super::import::Source;
use super::page::Page;
use app::Message;
use app::message::MapEvent;
use app::present::address_history::Change;
use app::present::backend_comparison::Comparison;
use app::present::panel::PanelEvent;
use app::state::{Action, Panel, State, Theme};

/// An input event: a message for the page, or an event that needs data from the browser first.
pub(super) enum Input {
    /// The state of the address is opened: at the start.
    Open,
    /// A message.
    App(Message),
    /// Something was done on the map, in CSS pixels.
    Map(MapEvent<(f64, f64)>),
    /// Something was done on the comparison's map of a key.
    Compared(String, MapEvent<(f64, f64)>),
    /// Something was done on a word, at a place in the window; `true` for the second sentence.
    Word(bool, WordEvent),
    /// Something else may have written the address.
    Address,
    /// The cell that is pointed out is to be copied, or its row.
    CopyPointed,
    /// Files were chosen or dropped, or a text was pasted.
    Import(Source),
    /// Both backends were compared on a state, or could not be.
    BackendsCompared(Box<State>, Result<Comparison, String>),
    /// Retries failed loads.
    LoadAgain,
    /// The visibility of panels has changed.
    InSight(Vec<(Panel, bool)>),
    /// The theme of the page around.
    ThemeAround(Option<Theme>),
    /// The room, the screen's density or the system's theme has changed.
    Resized,
    /// The page has another height.
    Grown,
    /// The body of a panel has another size.
    PanelResized(Panel),
    /// Canvases were emptied, and can be painted on again.
    Restored,
    /// It is about to be printed.
    BeginPrint,
    /// It was printed.
    EndPrint,
    /// Paints deferred work now.
    PaintWaiting,
    /// The table was opened.
    Table,
}

/// Something that is done on a sentence, at a place in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WordEvent {
    /// The pointer is here.
    Over(f64, f64),
    /// The pointer is elsewhere.
    Away,
    /// It was pressed here.
    Press(f64, f64),
}

impl From<Message> for Input {
    fn from(message: Message) -> Self {
        Self::App(message)
    }
}

/// Sends inputs to a page, through a weak reference.
#[derive(Clone, Default)]
pub(super) struct Sender {
    page: Rc<RefCell<Weak<Shared>>>,
}

impl Sender {
    /// Sets the page to send to, once it exists.
    pub(super) fn connect(&self, shared: &Rc<Shared>) {
        self.page.replace(Rc::downgrade(shared));
    }

    pub(super) fn shared(&self) -> Option<Rc<Shared>> {
        self.page.borrow().upgrade()
    }

    /// Has the page handle an input now, or next if it is handling another.
    pub(super) fn send(&self, input: impl Into<Input>) {
        if let Some(shared) = self.shared() {
            shared.send(input.into());
        }
    }

    /// Returns a callback that sends its argument, wrapped by `input`.
    pub(super) fn on<T: 'static, I: Into<Input> + 'static>(
        &self,
        input: fn(T) -> I,
    ) -> impl Fn(T) + Clone + 'static + use<T, I> {
        let sender = self.clone();
        move |what| sender.send(input(what))
    }

    /// Returns a callback that sends an event of a panel.
    pub(super) fn on_panel<T: 'static>(
        &self,
        panel: Panel,
        event: fn(T) -> PanelEvent,
    ) -> impl Fn(T) + 'static + use<T> {
        let sender = self.clone();
        move |what| sender.send(Message::Panel(panel, event(what)))
    }

    /// Sends the action of a control.
    pub(super) fn act(&self, action: Action, change: Change) {
        self.send(Message::Act(action, change));
    }

    /// Reads from the page; `None` if it is gone or handling an input.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Page) -> T) -> Option<T> {
        self.shared()?.read(read)
    }
}
