//! Pointer events of the sentences, whose words lie below the text fields.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlTextAreaElement, MouseEvent};

use super::dom::Root;
use super::event_listener::Listener;
use super::sender::{Input, Sender, WordEvent};
use app::Message;

/// Sends the page the events on the words of both sentences, and when they are focused or
/// entered.
pub(super) fn listen(root: &Root, sender: &Sender) -> Vec<Listener> {
    let mut listeners = on_words(root, sender);
    listeners.extend(on_arrival(root, sender));
    listeners
}

/// Reports the first hover or focus of the sentence, as a word may be exchanged next.
fn on_arrival(root: &Root, sender: &Sender) -> Vec<Listener> {
    let has_come = Rc::new(Cell::new(false));
    let Ok(sentences) = root.find::<Element>(".sentences") else {
        return Vec::new();
    };
    let on = |event| {
        let (sender, has_come) = (sender.clone(), Rc::clone(&has_come));
        Listener::new(&sentences, event, move |_| {
            if !has_come.replace(true) {
                sender.send(Message::Arrive);
            }
        })
    };
    ["pointerover", "focusin"].map(on).into()
}

fn on_words(root: &Root, sender: &Sender) -> Vec<Listener> {
    let fields =
        ["#text", "#second"].map(|selector| root.find::<HtmlTextAreaElement>(selector).ok());
    let on = |is_second: bool, field: &Element, name, action: fn(&Event) -> Option<WordEvent>| {
        let sender = sender.clone();
        Listener::new(field, name, move |event| {
            if let Some(action) = action(&event) {
                sender.send(Input::Word(is_second, action));
            }
        })
    };
    let of_field = |(at, field): (usize, HtmlTextAreaElement)| {
        [
            on(at == 1, &field, "pointermove", over),
            on(at == 1, &field, "pointerleave", |_| Some(WordEvent::Away)),
            on(at == 1, &field, "click", press),
        ]
    };
    let fields = fields.into_iter().enumerate();
    let there = fields.filter_map(|(at, field)| Some((at, field?)));
    there.flat_map(of_field).collect()
}

fn over(event: &Event) -> Option<WordEvent> {
    let event: &MouseEvent = event.dyn_ref()?;
    Some(WordEvent::Over(
        event.client_x().into(),
        event.client_y().into(),
    ))
}

/// A press, unless it is the end of marking a piece of the text.
fn press(event: &Event) -> Option<WordEvent> {
    let field: HtmlTextAreaElement = event.target()?.dyn_into().ok()?;
    let is_caret = field.selection_start() == field.selection_end();
    let event: &MouseEvent = event.dyn_ref()?;
    is_caret.then(|| WordEvent::Press(event.client_x().into(), event.client_y().into()))
}
