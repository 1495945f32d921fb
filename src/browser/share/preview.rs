//! The frame with the page that is shared, and the height that it reports.

use js_sys::Reflect;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlIFrameElement, MessageEvent};

use crate::browser::activity::Pending;
use crate::browser::dom::{self, Root};
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use app::Message;
use app::i18n::{Key, Language};
use app::message::ShareEvent;
use app::share::Frame;

/// The frame that is there, if there is one.
pub(super) struct Preview {
    root: Root,
    sender: Sender,
    frame: Option<ShownFrame>,
}

struct ShownFrame {
    element: HtmlIFrameElement,
    number: u32,
    link: String,
    /// Kept until its page has reported its height.
    opening: Option<Pending>,
    _listener: Option<Listener>,
}

impl Preview {
    pub(super) fn new(root: &Root, sender: &Sender) -> Self {
        Self {
            root: root.clone(),
            sender: sender.clone(),
            frame: None,
        }
    }

    /// Shows a frame in place of the one that is there; without one its page is gone.
    pub(super) fn show(&mut self, wanted: Option<&Frame>, language: Language) {
        let number = wanted.map(|frame| frame.number);
        if let Some(gone) = self.frame.take_if(|frame| Some(frame.number) != number) {
            gone.element.remove();
        }
        let Some(wanted) = wanted else { return };
        if self.frame.is_none() {
            self.frame = self.opened(wanted, language);
        }
        if let Some(frame) = &mut self.frame {
            frame.update(wanted);
        }
    }

    fn opened(&self, wanted: &Frame, language: Language) -> Option<ShownFrame> {
        let place: Element = self.root.find("#share-frame").ok()?;
        let element: HtmlIFrameElement = dom::create(&place, "iframe")?;
        dom::set(&element, "title", Key::SharePreview.text(language));
        let room = ShareEvent::Room(place.client_width().into());
        self.sender.send(Message::Share(room));
        let opening = Some(self.root.activity().begin());
        let listener = listen(&element, &self.sender);
        element.set_src(&wanted.link);
        // Fails only for a parent that cannot hold children.
        let _ = place.append_child(&element);
        Some(ShownFrame {
            number: wanted.number,
            link: wanted.link.clone(),
            opening,
            _listener: listener,
            element,
        })
    }
}

impl ShownFrame {
    fn update(&mut self, wanted: &Frame) {
        let (width, height) = (wanted.width.to_string(), wanted.height().to_string());
        if self.element.width() != width {
            self.element.set_width(&width);
        }
        if self.element.height() != height {
            self.element.set_height(&height);
        }
        if wanted.is_measured() {
            self.opening = None;
        }
        if self.link != wanted.link {
            self.link.clone_from(&wanted.link);
            // In place of what is there: pages that were looked at on the way are none to go back to.
            if let Some(inside) = self.element.content_window() {
                // Refused only for what is no address.
                let _ = inside.location().replace(&wanted.link);
            }
        }
    }
}

/// Listens for the height of the page in the frame.
fn listen(frame: &HtmlIFrameElement, sender: &Sender) -> Option<Listener> {
    let window = frame.owner_document()?.default_view()?;
    let (frame, sender) = (frame.clone(), sender.clone());
    Some(Listener::new(&window, "message", move |event| {
        let Some(event) = event.dyn_ref::<MessageEvent>() else {
            return;
        };
        let is_own = match (event.source(), frame.content_window()) {
            (Some(source), Some(inside)) => source == **inside,
            _ => false,
        };
        let get = |key: &str| Reflect::get(&event.data(), &key.into()).ok();
        // Others hold the height of a page that is still coming up.
        let is_resize = get("type").is_some_and(|kind| kind == "resize");
        let height = get("height").and_then(|height| height.as_f64());
        if let Some(height) = height.filter(|_| is_own && is_resize) {
            sender.send(Message::Share(ShareEvent::Height(height)));
        }
    }))
}
