//! A lesson before an audience: full screen, large, and with the keys of a presenter.

use std::rc::Weak;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, KeyboardEvent};

use super::{Back, Inner, with};
use crate::browser::dom;
use crate::browser::event_listener::Listener;
use app::share::Qr;
use app::state::LESSON_OWN;

/// Elements that handle arrow keys themselves.
const WITH_ARROWS: &str = "input, textarea, select, summary, [role=application], [role=toolbar], [role=grid], [role=radiogroup]";

pub(super) fn listeners(inner: &Inner, back: &Back) -> Vec<Listener> {
    let [of_keys, of_screen] = [(); 2].map(|()| Weak::clone(back));
    vec![
        Listener::new(&inner.document, "keydown", move |event| {
            if let Some(tool) = tool_of(&event) {
                with(&of_keys, |inner| {
                    if !inner.is_lecture {
                        return None;
                    }
                    event.prevent_default();
                    inner.press(tool)
                });
            }
        }),
        Listener::new(&inner.document, "fullscreenchange", move |_| {
            with(&of_screen, |inner| {
                if inner.document.fullscreen_element().is_none() && inner.is_lecture {
                    return inner.press("lecture");
                }
                None
            });
        }),
    ]
}

/// Returns the tool for a key; presentation remotes send Page Up and Page Down.
fn tool_of(event: &Event) -> Option<&'static str> {
    let event: &KeyboardEvent = event.dyn_ref()?;
    let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
    let has_arrows =
        target.is_some_and(|target| target.closest(WITH_ARROWS).ok().flatten().is_some());
    match event.key().as_str() {
        "PageDown" => Some("next"),
        "PageUp" => Some("previous"),
        "ArrowRight" if !has_arrows => Some("next"),
        "ArrowLeft" if !has_arrows => Some("previous"),
        "Escape" => Some("lecture"),
        _ => None,
    }
}

impl Inner {
    /// Begins or ends to show the lesson to an audience.
    pub(super) fn lecture(&mut self, is_lecture: bool) {
        if self.is_lecture == is_lecture {
            return;
        }
        self.is_lecture = is_lecture;
        let root = self.document.document_element();
        if let Some(root) = &root {
            // For style sheets, which would look through all of the page with each change if they had to ask what is in it.
            dom::set_flag(root, "data-lecture", is_lecture);
        }
        if is_lecture {
            // Refused by some phones, which have no more room to give.
            let _ = root.map(|root| root.request_fullscreen());
        } else if self.document.fullscreen_element().is_some() {
            self.document.exit_fullscreen();
        }
    }

    /// The code of a link to the lesson, at its beginning; there is none of a link that is too long.
    pub(super) fn code(&self) -> Option<Qr> {
        let location = self.window.location();
        let (origin, path) = (location.origin().ok()?, location.pathname().ok()?);
        let name = &self.state.lesson;
        let link = if name == LESSON_OWN {
            location.href().ok()?
        } else {
            format!("{origin}{path}#v=1&lesson={name}")
        };
        Qr::encode(&link).ok()
    }
}
