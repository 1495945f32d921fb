//! The buttons that zoom into the map, show it whole, and fill the screen with it.

use std::rc::Rc;

use web_sys::Element;

use crate::browser::dom::{self, Attribute, MissingPart, Root};
use crate::browser::event_listener::Listener;
use app::message::ZoomAction;

/// The buttons, and the section that fills the screen.
pub(crate) struct ZoomButtons {
    root: Root,
    section: Element,
    frame: Element,
    is_framing: Attribute,
    whole: Element,
    is_full: Attribute,
    _listeners: [Listener; 3],
}

impl ZoomButtons {
    /// `work` is called with what a button does.
    pub(crate) fn new(
        root: &Root,
        work: impl Fn(ZoomAction) + 'static,
    ) -> Result<Self, MissingPart> {
        let work = Rc::new(work);
        let [frame, whole, full]: [Element; 3] = [
            root.find("#zoom-frame")?,
            root.find("#zoom-whole")?,
            root.find("#full-screen")?,
        ];
        let listen = |button: &Element, action| {
            let work = Rc::clone(&work);
            Listener::new(button, "click", move |_| work(action))
        };
        let is_possible = (root.document()).is_some_and(|document| document.fullscreen_enabled());
        dom::set_flag(&full, "hidden", !is_possible);
        Ok(Self {
            section: root.find(".map")?,
            root: root.clone(),
            is_framing: Attribute::new(frame.clone(), "aria-pressed"),
            is_full: Attribute::new(full.clone(), "aria-pressed"),
            _listeners: [
                listen(&frame, ZoomAction::Frame),
                listen(&whole, ZoomAction::Whole),
                listen(&full, ZoomAction::FullScreen),
            ],
            frame,
            whole,
        })
    }

    pub(crate) fn update(&mut self, is_zoomable: bool, is_framing: bool, is_zoomed: bool) {
        dom::set_flag(&self.frame, "hidden", !is_zoomable);
        dom::set_flag(&self.whole, "hidden", !is_zoomed);
        self.is_framing.set(pressed(is_framing));
    }

    /// Whether the map fills the screen; its button says so.
    pub(crate) fn notice_full_screen(&mut self) -> bool {
        let is_full = self.section.matches(":fullscreen").unwrap_or(false);
        self.is_full.set(pressed(is_full));
        is_full
    }

    pub(crate) fn toggle_full_screen(&self) {
        if self.section.matches(":fullscreen").unwrap_or(false) {
            if let Some(document) = self.root.document() {
                document.exit_fullscreen();
            }
        } else {
            // Refused only where the host of a frame does not allow it, and then there is no button.
            let _ = self.section.request_fullscreen();
        }
    }
}

fn pressed(is_pressed: bool) -> &'static str {
    if is_pressed { "true" } else { "false" }
}
