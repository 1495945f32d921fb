//! The set-up column, with few settings or all.

use web_sys::Element;

use crate::browser::dom::{self, Attribute, MissingPart, Root};
use crate::browser::event_listener::Listener;

/// The button, and the column that it unfolds.
pub(crate) struct AllSettings {
    column: Element,
    expanded: Attribute,
    _listener: Listener,
}

impl AllSettings {
    /// `toggle` is called where the button is pressed.
    pub(crate) fn new(root: &Root, toggle: impl Fn() + 'static) -> Result<Self, MissingPart> {
        let button: Element = root.find("#all-settings")?;
        Ok(Self {
            column: root.find(".setup")?,
            _listener: Listener::new(&button, "click", move |_| toggle()),
            expanded: Attribute::new(button, "aria-expanded"),
        })
    }

    pub(crate) fn show(&mut self, are_all: bool) {
        dom::set_flag(&self.column, "data-all", are_all);
        self.expanded.set(if are_all { "true" } else { "false" });
    }
}
