//! Messages between a page in a frame and its parent page. Those that come are sorted in `js/parent_messages.js`.

wasm_chunks::chunk!("host");

use js_sys::{Array, Function};
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::Window;

use super::js_object::{get, number, text};
use super::js_tree::{message, to_js};
use app::js_tree::JsTree;
use app::protocol::SOURCE;

#[wasm_bindgen]
extern "C" {
    type ParentMessages;

    #[wasm_bindgen(js_name = listenToParent)]
    fn listen(own: &str, most: u32, hear: &Function) -> ParentMessages;

    #[wasm_bindgen(method)]
    fn hold(this: &ParentMessages, on: bool);

    /// `{ messages, dropped }`, of which each message is `{ data, origin }`.
    #[wasm_bindgen(method)]
    fn take(this: &ParentMessages) -> JsValue;

    #[wasm_bindgen(method)]
    fn stop(this: &ParentMessages);
}

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
    messages: ParentMessages,
    _hear: Closure<dyn FnMut(JsValue, String)>,
}

impl ParentChannel {
    /// Calls `on_message` with each message of the host page in our protocol, unparsed; `None` if the
    /// window is not in a frame. While messages are [held](Self::hold), the newest `most` are kept.
    pub fn open(
        window: &Window,
        most: u32,
        mut on_message: impl FnMut(IncomingMessage) + 'static,
    ) -> Option<Self> {
        let parent = window.parent().ok().flatten()?;
        if parent == *window {
            return None;
        }
        let hear = Closure::<dyn FnMut(JsValue, String)>::new(move |data, origin| {
            on_message(IncomingMessage { data, origin });
        });
        let messages = listen(SOURCE, most, hear.as_ref().unchecked_ref());
        Some(Self {
            window: window.clone(),
            parent,
            messages,
            _hear: hear,
        })
    }

    /// Queues messages until they are [taken](Self::take), or delivers them as they arrive.
    pub fn hold(&self, on: bool) {
        self.messages.hold(on);
    }

    /// Takes the queued messages, the oldest first, and the number of dropped ones.
    pub fn take(&self) -> (Vec<IncomingMessage>, u32) {
        let taken = self.messages.take();
        let messages: Array = get(&taken, "messages").unchecked_into();
        let messages = messages.iter().map(|message| IncomingMessage {
            data: get(&message, "data"),
            origin: text(&message, "origin"),
        });
        (messages.collect(), number(&taken, "dropped") as u32)
    }

    /// Origin of the host page, if the browser reports it without a message.
    pub fn origin(&self) -> Option<String> {
        let ancestors = get(&self.window.location(), "ancestorOrigins");
        get(&ancestors, "0").as_string()
    }

    /// Posts a message to the host page if its origin is `origin`; to any origin if that is unknown
    /// or opaque.
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
        self.messages.stop();
    }
}
