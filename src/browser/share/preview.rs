//! The preview: the page itself in a frame that exists only while it is visible. A closed preview has one that nobody sees while the
//! height of a frame is to be said.

use std::rc::Rc;

use js_sys::Reflect;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlDetailsElement, HtmlIFrameElement, HtmlInputElement, MessageEvent};

use super::ShareAction;
use crate::browser::activity::{Activity, Pending};
use crate::browser::dom::{self, MissingPart, Root};
use crate::browser::event_listener::Listener;
use app::i18n::{Key, Language};
use app::share::preview_width;

/// Heights that a frame may ask for, in CSS pixels.
const HEIGHTS: std::ops::RangeInclusive<f64> = 80.0..=4000.0;

/// Height of a frame before its page has reported its own, and of one that measures: no scrollbar takes room in it.
const HEIGHT: &str = "480";
const MEASURING: &str = "4000";

/// The preview.
pub(super) struct Preview {
    details: HtmlDetailsElement,
    /// Where the frame is seen, and where it is not.
    rooms: [Element; 2],
    widths: Vec<HtmlInputElement>,
    frame: Option<Frame>,
    /// Whether the first width was chosen by the room there is.
    is_fitted: bool,
    activity: Activity,
    on_action: Rc<dyn Fn(ShareAction)>,
}

struct Frame {
    element: HtmlIFrameElement,
    is_seen: bool,
    shown: String,
    width: String,
    height: Option<u32>,
    /// Kept until the page in the frame has reported its height.
    opening: Option<Pending>,
    _listener: Option<Listener>,
}

impl Preview {
    pub(super) fn new(
        root: &Root,
        on_action: &Rc<dyn Fn(ShareAction)>,
    ) -> Result<Self, MissingPart> {
        Ok(Self {
            details: root.find("#share-preview")?,
            rooms: [root.find("#share-measure")?, root.find("#share-frame")?],
            widths: root.all("input[name=share-width]"),
            frame: None,
            is_fitted: false,
            activity: root.activity().clone(),
            on_action: Rc::clone(on_action),
        })
    }

    /// Shows what `link` leads to, if the preview is open; otherwise `measures` its height out of sight.
    pub(super) fn update(&mut self, link: &str, measures: bool, language: Language) {
        let is_seen = self.details.open();
        if !is_seen && !measures {
            return self.close();
        }
        if (self.frame.as_ref()).is_some_and(|frame| !frame.can_show(link, is_seen)) {
            self.close();
        }
        let room = &self.rooms[usize::from(is_seen)];
        if self.frame.is_none() {
            self.frame = Frame::new(room, is_seen, &self.on_action, language);
            if let Some(frame) = &mut self.frame {
                frame.opening = Some(self.activity.begin());
            }
        }
        if is_seen {
            self.fit();
        }
        let width = self.widths.iter().find(|width| width.checked());
        let width = width.map_or_else(String::new, HtmlInputElement::value);
        if let Some(frame) = &mut self.frame {
            frame.update(link, width, &self.rooms[usize::from(is_seen)]);
        }
    }

    /// Begins with a width that there is room for.
    fn fit(&mut self) {
        if std::mem::replace(&mut self.is_fitted, true) {
            return;
        }
        let width = |input: &HtmlInputElement| input.value().parse().unwrap_or(f64::INFINITY);
        let widths: Vec<f64> = self.widths.iter().map(width).collect();
        let chosen = self.widths.iter().position(HtmlInputElement::checked);
        let room = f64::from(self.rooms[1].client_width());
        if let Some(width) = self.widths.get(preview_width(&widths, chosen, room)) {
            width.set_checked(true);
        }
    }

    /// Removes the frame, and with it its page.
    pub(super) fn close(&mut self) {
        if let Some(frame) = self.frame.take() {
            frame.element.remove();
        }
    }

    /// Sets the frame to the height that its page has requested.
    pub(super) fn grow(&mut self, height: u32) {
        if let Some(frame) = &mut self.frame {
            frame.height = Some(height);
            if frame.is_seen {
                frame.element.set_height(&height.to_string());
            }
            frame.opening = None;
        }
    }

    /// Whether a height is not known yet that soon will be.
    pub(super) fn is_measuring(&self) -> bool {
        let frame = self.frame.as_ref();
        frame.is_some_and(|frame| frame.height.is_none())
    }

    /// Height that the page in the frame has requested.
    pub(super) fn height(&self) -> Option<u32> {
        self.frame.as_ref()?.height
    }
}

impl Frame {
    fn new(
        room: &Element,
        is_seen: bool,
        on_action: &Rc<dyn Fn(ShareAction)>,
        language: Language,
    ) -> Option<Self> {
        let element: HtmlIFrameElement = dom::create(room, "iframe")?;
        dom::set(&element, "title", Key::SharePreview.text(language));
        element.set_height(if is_seen { HEIGHT } else { MEASURING });
        Some(Self {
            is_seen,
            _listener: hear(&element, on_action),
            element,
            shown: String::new(),
            width: String::new(),
            height: None,
            opening: None,
        })
    }

    /// Whether it can stay for a link. One that measures another cannot: its page would report only a height that differs.
    fn can_show(&self, link: &str, is_seen: bool) -> bool {
        self.is_seen == is_seen && (is_seen || self.shown == link)
    }

    fn update(&mut self, link: &str, width: String, room: &Element) {
        if self.width != width {
            self.element.set_width(&width);
            self.width = width;
        }
        if self.shown == link {
            return;
        }
        self.shown = link.to_owned();
        // In place of what is there: pages that were looked at on the way are none to go back to.
        if let Some(inside) = self.element.content_window() {
            // Refused only for what is no address.
            let _ = inside.location().replace(link);
            return;
        }
        self.element.set_src(link);
        // Fails only for a parent that cannot hold children.
        let _ = room.append_child(&self.element);
    }
}

/// Listens for the height of the page in the frame.
fn hear(frame: &HtmlIFrameElement, on_action: &Rc<dyn Fn(ShareAction)>) -> Option<Listener> {
    let window = frame.owner_document()?.default_view()?;
    let (frame, on_action) = (frame.clone(), Rc::clone(on_action));
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
            let height = height.ceil().clamp(*HEIGHTS.start(), *HEIGHTS.end());
            on_action(ShareAction::Height(height as u32));
        }
    }))
}
