//! Undo, redo and reset: buttons, and the keys that mean the same.

use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, KeyboardEvent};

use crate::browser::dom::{Attribute, MissingPart, Root};
use crate::browser::event_listener::Listener;
use app::message::UndoAction;

/// Fields with the browser's own undo: a number being typed, and fields that are no settings.
const WITH_OWN_UNDO: &str =
    "dialog, textarea:not(#text, #second), input:not([type=range], [type=radio], [type=checkbox])";

/// Actions of the buttons, in their order.
const OF_BUTTONS: [UndoAction; 4] = [
    UndoAction::Undo,
    UndoAction::Redo,
    UndoAction::Reset,
    UndoAction::Undo,
];

/// The buttons.
pub(crate) struct UndoButtons {
    /// Of each whether it can do nothing; the brush has a button of its own for the same as the first.
    off: [Attribute; 4],
    _listeners: Vec<Listener>,
}

impl UndoButtons {
    /// `done` is called with the requested action.
    pub(crate) fn new(
        root: &Root,
        done: impl Fn(UndoAction) + 'static,
    ) -> Result<Self, MissingPart> {
        let done = Rc::new(done);
        let buttons: [Element; 4] = [
            root.find("#undo")?,
            root.find("#redo")?,
            root.find("#reset")?,
            root.find("#paint-undo")?,
        ];
        let listen = |(button, action): (&Element, UndoAction)| {
            let done = Rc::clone(&done);
            Listener::new(button, "click", move |_| done(action))
        };
        let mut listeners: Vec<Listener> = buttons.iter().zip(OF_BUTTONS).map(listen).collect();
        listeners.push(Listener::new(root.element(), "keydown", move |event| {
            if let Some(action) = key(&event) {
                event.prevent_default();
                done(action);
            }
        }));
        Ok(Self {
            off: buttons.map(|button| Attribute::new(button, "aria-disabled")),
            _listeners: listeners,
        })
    }

    /// Shows what can be done.
    pub(crate) fn update(&mut self, [undo, redo, reset]: [bool; 3]) {
        for (off, can) in self.off.iter_mut().zip([undo, redo, reset, undo]) {
            off.set(if can { "false" } else { "true" });
        }
    }
}

/// Returns the action of a key, also in text fields: browsers drop a field's own undo history
/// whenever the page writes to it, and it lacks changes to other settings, so the page keeps one
/// history for all.
fn key(event: &Event) -> Option<UndoAction> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let is_left_alone = target.closest(WITH_OWN_UNDO).ok()?.is_some();
    let event: &KeyboardEvent = event.dyn_ref()?;
    let is_command = event.ctrl_key() != event.meta_key();
    if is_left_alone || !is_command || event.alt_key() || event.is_composing() {
        return None;
    }
    match (event.key().to_ascii_lowercase().as_str(), event.shift_key()) {
        ("z", false) => Some(UndoAction::Undo),
        ("z", true) => Some(UndoAction::Redo),
        ("y", false) if event.ctrl_key() => Some(UndoAction::Redo),
        _ => None,
    }
}
