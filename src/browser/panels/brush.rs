//! The buttons of the brush.

use std::rc::Rc;

use web_sys::Element;

use crate::browser::dom::{self, Attribute, MissingPart, Root};
use crate::browser::event_listener::Listener;
use app::message::BrushAction;

/// Buttons of the brush, and its message while it is enabled.
pub(crate) struct BrushButtons {
    toggle: Attribute,
    help: Element,
    _listeners: [Listener; 2],
}

impl BrushButtons {
    /// `work` is called with what a button does.
    pub(crate) fn new(
        root: &Root,
        work: impl Fn(BrushAction) + 'static,
    ) -> Result<Self, MissingPart> {
        let work = Rc::new(work);
        let listen = |selector: &str, action| {
            let (button, work) = (root.find::<Element>(selector)?, Rc::clone(&work));
            Ok(Listener::new(&button, "click", move |_| work(action)))
        };
        Ok(Self {
            toggle: Attribute::new(root.find::<Element>("#paint")?, "aria-pressed"),
            help: root.find("#paint-help")?,
            _listeners: [
                listen("#paint", BrushAction::Toggle)?,
                listen("#paint-clear", BrushAction::Clear)?,
            ],
        })
    }

    pub(crate) fn update(&mut self, is_up: bool) {
        self.toggle.set(if is_up { "true" } else { "false" });
        dom::set_flag(&self.help, "hidden", !is_up);
    }
}
