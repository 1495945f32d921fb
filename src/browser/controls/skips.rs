//! Buttons that lead past the controls, for those who come by keyboard.

use web_sys::{Element, HtmlElement};

use super::Control;
use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::state::State;

/// Each button, and what it leads to.
const SKIPS: [(&str, &str); 2] = [("#skip-map", "#map"), ("#skip-reading", ".reading")];

/// The buttons.
pub(super) struct Skips {
    _listeners: Vec<Listener>,
}

impl Skips {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        let listen = |(button, goal): (&str, &str)| {
            let (button, goal) = (
                root.find::<Element>(button)?,
                root.find::<HtmlElement>(goal)?,
            );
            Ok(Listener::new(&button, "click", move |_| {
                // Refused only for what cannot be focused.
                let _ = goal.focus();
            }))
        };
        Ok(Self {
            _listeners: SKIPS.into_iter().map(listen).collect::<Result<_, _>>()?,
        })
    }
}

impl Control for Skips {
    fn update(&mut self, _: &State) {}
}
