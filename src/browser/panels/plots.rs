//! Pointer and keys on plots (`data-plot`) of a panel, and what is pointed at in it (`data-hover`).

wasm_chunks::chunk!("more");

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, MouseEvent};

use crate::browser::dom;
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use crate::browser::view::nearest;
use app::Message;
use app::present::panel::PanelEvent;
use app::state::Panel;

/// Attribute with the name of a plot.
const PLOT: &str = "data-plot";

/// Translates a DOM event on a plot into a panel's.
type Read = fn(&HtmlElement, &Event) -> Option<PanelEvent>;

pub(super) fn listen(body: &Element, panel: Panel, sender: &Sender) -> Vec<Listener> {
    let events: [(_, Read); 6] = [
        ("pointermove", point),
        ("pointerdown", point),
        ("click", click),
        ("pointerleave", leave),
        ("blur", leave),
        ("keydown", key),
    ];
    let listen = |(event, read): (_, Read)| {
        let sender = sender.clone();
        // Two of them do not bubble.
        Listener::capturing(body, event, move |event| {
            if let Some(event) = plot_of(&event).and_then(|plot| read(&plot, &event)) {
                sender.send(Message::Panel(panel, event));
            }
        })
    };
    let mut listeners: Vec<_> = events.into_iter().map(listen).collect();
    listeners.extend(hovers(body, sender.on_panel(panel, PanelEvent::Hover)));
    listeners
}

/// Listens to what is pointed at, by pointer or focus.
pub(super) fn hovers(body: &Element, send: impl Fn(Option<String>) + 'static) -> [Listener; 4] {
    let (last, send): (Rc<RefCell<Option<String>>>, _) = (Rc::default(), Rc::new(send));
    ["pointerover", "focusin", "pointerleave", "focusout"].map(|kind| {
        let (last, send) = (Rc::clone(&last), Rc::clone(&send));
        let is_left = matches!(kind, "pointerleave" | "focusout");
        Listener::new(body, kind, move |event| {
            let now = nearest(&event, "data-hover").filter(|_| !is_left);
            if last.replace(now.clone()) != now {
                send(now);
            }
        })
    })
}

fn plot_of(event: &Event) -> Option<HtmlElement> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let plot = target.closest(&format!("[{PLOT}]")).ok()??;
    plot.dyn_into().ok()
}

fn name(plot: &HtmlElement) -> Option<String> {
    plot.get_attribute(PLOT)
}

fn point(plot: &HtmlElement, event: &Event) -> Option<PanelEvent> {
    Some(PanelEvent::Point(name(plot)?, place(plot, event)?))
}

fn click(plot: &HtmlElement, event: &Event) -> Option<PanelEvent> {
    Some(PanelEvent::Click(name(plot)?, place(plot, event)?))
}

fn leave(plot: &HtmlElement, event: &Event) -> Option<PanelEvent> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let is_own = target == **plot;
    is_own.then(|| name(plot).map(PanelEvent::Leave))?
}

/// Place in shares of the plot, which takes a part of the element's width where it says so (`data-ends`).
fn place(plot: &HtmlElement, event: &Event) -> Option<(f64, f64)> {
    let event: &MouseEvent = event.dyn_ref()?;
    let room = plot.get_bounding_client_rect();
    let across = (f64::from(event.client_x()) - room.left()) / room.width();
    let down = (f64::from(event.client_y()) - room.top()) / room.height();
    let ends = plot.get_attribute("data-ends");
    let ends = ends.as_deref().and_then(|ends| ends.split_once(' '));
    let [left, right]: [f64; 2] = match ends {
        Some((left, right)) => [left.parse().ok()?, right.parse().ok()?],
        None => [0.0, 1.0],
    };
    Some(((across - left) / (right - left), down))
}

/// A key of the plot's list; the space bar is `Space` there. Enter and space press what has the focus inside.
fn key(plot: &HtmlElement, event: &Event) -> Option<PanelEvent> {
    let press: &KeyboardEvent = event.dyn_ref()?;
    let pressed = press.key();
    let plain = if pressed == " " { "Space" } else { &*pressed };
    if press.alt_key() || press.meta_key() || dom::is_for_page_around(plot, plain) {
        return None;
    }
    let keys = plot.get_attribute("data-keys")?;
    let with_control = format!("Control+{plain}");
    let key = [&*with_control, plain]
        .into_iter()
        .skip(usize::from(!press.ctrl_key()));
    let key = key
        .into_iter()
        .find(|key| keys.split(' ').any(|own| own == *key))?;
    event.prevent_default();
    let pressed = nearest(event, "data-do").filter(|_| matches!(key, "Enter" | "Space"));
    match pressed {
        Some(does) => Some(PanelEvent::Press(does)),
        None => Some(PanelEvent::Key(name(plot)?, key.to_owned())),
    }
}
