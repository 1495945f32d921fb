//! Skip links past the controls, for keyboard users.

use web_sys::{Element, HtmlElement};

use super::Control;
use crate::browser::dom::{self, MissingPart, Root};
use crate::browser::event_listener::Listener;
use app::state::State;

/// Each button, and its targets: the first visible one is used.
const SKIPS: [(&str, &[&str]); 3] = [
    (
        "#skip-map",
        &["#curves-view:not([hidden]) [tabindex=\"0\"]", "#map"],
    ),
    ("#skip-reading", &[".reading"]),
    ("#skip-setup", &[".setup"]),
];

/// The buttons.
pub(super) struct Skips {
    /// The last button has no part of its own, but is shown with its target.
    last: [Element; 2],
    _listeners: Vec<Listener>,
}

impl Skips {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        let listen = |(button, goals): (&str, &'static [&str])| {
            let (button, root) = (root.find::<Element>(button)?, root.clone());
            Ok(Listener::new(&button, "click", move |_| {
                let mut goals = goals.iter();
                if let Some(goal) = goals.find_map(|goal| root.find::<HtmlElement>(goal).ok()) {
                    // Refused only for what cannot be focused.
                    let _ = goal.focus();
                }
            }))
        };
        Ok(Self {
            last: [root.find("#skip-setup")?, root.find(".setup")?],
            _listeners: SKIPS.into_iter().map(listen).collect::<Result<_, _>>()?,
        })
    }
}

impl Control for Skips {
    fn update(&mut self, _: &State) {
        let [button, goal] = &self.last;
        dom::set_flag(button, "hidden", goal.has_attribute("data-absent"));
    }
}
