//! Messages between a page in a frame and its parent page.

use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{MessageEvent, Window};

use super::js_object::get;
use super::js_tree::{message, to_js};
use crate::js_tree::JsTree;
use crate::message::SOURCE;

/// A message from the parent page, as it came.
#[derive(Clone, Debug)]
pub struct IncomingMessage {
    data: JsValue,
    /// Its origin: scheme, host and port, or `null` for a page without an origin.
    pub origin: String,
}

impl IncomingMessage {
    /// Reads its data, which takes time.
    pub fn data(&self) -> JsTree {
        message(&self.data)
    }
}

/// The way; it is closed when it is dropped.
pub struct ParentChannel {
    window: Window,
    parent: Window,
    call: Closure<dyn FnMut(MessageEvent)>,
}

impl ParentChannel {
    /// Tells `heard` what the page around says in our protocol, unread; nobody else is listened to, neither frames beside this
    /// one nor who has opened it. `None` where the window is in no frame.
    pub fn open(window: &Window, mut heard: impl FnMut(IncomingMessage) + 'static) -> Option<Self> {
        let parent = window.parent().ok().flatten()?;
        if parent == *window {
            return None;
        }
        let (around, own): (JsValue, JsValue) = (parent.clone().into(), SOURCE.into());
        let call = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if get(&event, "source") != around {
                return;
            }
            let data = event.data();
            // Other scripts of a host talk to their frames too.
            if get(&data, "source") == own {
                let origin = event.origin();
                heard(IncomingMessage { data, origin });
            }
        });
        window
            .add_event_listener_with_callback("message", call.as_ref().unchecked_ref())
            .ok()?;
        Some(Self {
            window: window.clone(),
            parent,
            call,
        })
    }

    /// The origin of the page around, where the browser says it unasked.
    pub fn origin(&self) -> Option<String> {
        let ancestors = get(&self.window.location(), "ancestorOrigins");
        get(&ancestors, "0").as_string()
    }

    /// Says something to the page around, as long as it is of `origin`; to whatever it is where that is not known, or is
    /// none.
    pub fn post(&self, data: &JsTree, origin: Option<&str>) {
        let target = origin.filter(|origin| origin.contains("://"));
        // The value is our own and can be copied; a page around that is gone hears nothing.
        let _ = self
            .parent
            .post_message(&to_js(data), target.unwrap_or("*"));
    }
}

impl Drop for ParentChannel {
    fn drop(&mut self) {
        let call = self.call.as_ref().unchecked_ref();
        // Fails only for a callback that is no function.
        let _ = self
            .window
            .remove_event_listener_with_callback("message", call);
    }
}
