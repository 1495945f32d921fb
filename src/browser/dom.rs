//! Finds elements below the mount root, and writes to the DOM only what has changed.

use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement, Node};

use crate::browser::activity::Activity;
use app::scene::hit::layout_scale;

/// Errors that keep a page from opening.
#[derive(Clone, Debug, thiserror::Error)]
pub enum MissingPart {
    /// A part that `index.html` has to have and does not.
    #[error("the page has no {0:?} of the right kind")]
    Element(String),
    /// A canvas context, which a browser may refuse. The page recognizes the error by this text
    /// (`data-failure-when`).
    #[error("The browser gives no 2D canvas.")]
    Canvas,
}

impl MissingPart {
    pub(super) fn new(selector: &str) -> Self {
        Self::Element(selector.to_owned())
    }
}

/// Where the page is mounted; nothing outside it is ever looked up.
#[derive(Clone)]
pub(super) struct Root(Element, Activity);

impl Root {
    /// A part of the page, to look something up in.
    pub(super) fn new(element: Element) -> Self {
        Self(element, Activity::default())
    }

    /// The mount root of a page.
    pub(super) fn mounted(element: Element, activity: Activity) -> Self {
        Self(element, activity)
    }

    /// Returns the activity indicator of the page.
    pub(super) fn activity(&self) -> &Activity {
        &self.1
    }

    pub(super) fn element(&self) -> &Element {
        &self.0
    }

    /// The first element inside that matches `selector`, as a `T`.
    pub(super) fn find<T: JsCast>(&self, selector: &str) -> Result<T, MissingPart> {
        let found = self.0.query_selector(selector).ok().flatten();
        found
            .and_then(|element| element.dyn_into().ok())
            .ok_or_else(|| MissingPart::new(selector))
    }

    /// Every element inside that matches `selector` and is a `T`, in the order of the page.
    pub(super) fn all<T: JsCast>(&self, selector: &str) -> Vec<T> {
        let Ok(list) = self.0.query_selector_all(selector) else {
            return Vec::new();
        };
        (0..list.length())
            .filter_map(|at| list.get(at)?.dyn_into().ok())
            .collect()
    }

    pub(super) fn document(&self) -> Option<Document> {
        self.0.owner_document()
    }
}

/// Calls a constructor without inlining it. Compilers inline what is called from one place only; browsers optimise whole functions, and one of
/// 85 kB, which runs once, kept a core busy while the first map was computed.
#[inline(never)]
pub(super) fn not_inlined<T>(make: impl FnOnce() -> T) -> T {
    make()
}

/// A new element of kind `T`; `None` only if the document is gone.
pub(super) fn create<T: JsCast>(beside: &Element, tag: &str) -> Option<T> {
    beside
        .owner_document()?
        .create_element(tag)
        .ok()?
        .dyn_into()
        .ok()
}

/// A new element with a class, at the end of `parent`.
pub(super) fn append<T: JsCast + AsRef<Node>>(
    parent: &Element,
    tag: &str,
    class: &str,
) -> Option<T> {
    let element: Element = create(parent, tag)?;
    if !class.is_empty() {
        element.set_class_name(class);
    }
    parent.append_child(&element).ok()?;
    element.dyn_into().ok()
}

/// A place in the window as one in the layout of an element, from its upper left corner: a page around may have scaled the element.
pub(super) fn place_in(element: &HtmlElement, (x, y): (f64, f64)) -> (f64, f64) {
    let shown = element.get_bounding_client_rect();
    let scale = |laid_out: i32, shown| layout_scale(laid_out.into(), shown);
    (
        (x - shown.left()) * scale(element.offset_width(), shown.width()),
        (y - shown.top()) * scale(element.offset_height(), shown.height()),
    )
}

/// Factor by which CSS `zoom` around the page scales an element, also one in the top layer, where
/// `transform` has no effect. 1 in browsers that do not report it.
pub(super) fn zoom(element: &Element) -> f64 {
    let told = js_sys::Reflect::get(element, &"currentCSSZoom".into());
    let told = told.ok().and_then(|zoom| zoom.as_f64());
    told.filter(|zoom| *zoom > 0.0).unwrap_or(1.0)
}

/// Whether a key that is pressed on a part of ours is for the page around: by page up and page down presenters turn its slides.
pub(super) fn is_for_page_around(part: &Node, key: &str) -> bool {
    let is_in_element = part.get_root_node().node_type() != Node::DOCUMENT_NODE;
    is_in_element && matches!(key, "PageUp" | "PageDown")
}

/// Sets or removes a boolean attribute.
pub(super) fn set_flag(element: &Element, name: &str, on: bool) {
    // Refused only for names that are no names.
    let _ = element.toggle_attribute_with_force(name, on);
}

/// Sets an attribute.
pub(super) fn set(element: &Element, name: &str, value: &str) {
    let _ = element.set_attribute(name, value);
}

/// Sets an attribute, or removes it.
pub(super) fn set_or_remove(element: &Element, name: &str, value: Option<&str>) {
    match value {
        Some(value) => set(element, name, value),
        None => set_flag(element, name, false),
    }
}

/// The text of a node, written only when it is another one: a write costs layout even if nothing changes.
pub(super) struct Text {
    node: Node,
    shown: Option<String>,
}

impl Text {
    pub(super) fn new(node: impl Into<Node>) -> Self {
        Self {
            node: node.into(),
            shown: None,
        }
    }

    pub(super) fn find(root: &Root, selector: &str) -> Result<Self, MissingPart> {
        root.find::<Element>(selector).map(Self::new)
    }

    pub(super) fn set_text(&mut self, text: &str) {
        if self.shown.as_deref() != Some(text) {
            self.node.set_text_content(Some(text));
            self.shown = Some(text.to_owned());
        }
    }
}

/// An attribute, written only when its value is another one.
pub(super) struct Attribute {
    element: Element,
    name: &'static str,
    shown: Option<String>,
}

impl Attribute {
    pub(super) fn new(element: impl Into<Element>, name: &'static str) -> Self {
        Self {
            element: element.into(),
            name,
            shown: None,
        }
    }

    pub(super) fn set(&mut self, value: &str) {
        if self.shown.as_deref() != Some(value) {
            set(&self.element, self.name, value);
            self.shown = Some(value.to_owned());
        }
    }
}

/// A property of an element's style, written only when its value is another one. A `style` attribute would be refused
/// by the page's Content-Security-Policy.
pub(super) struct Property {
    element: HtmlElement,
    name: &'static str,
    shown: Option<String>,
}

impl Property {
    pub(super) fn new(element: impl Into<Element>, name: &'static str) -> Self {
        Self {
            // Elements of SVG have a style as well.
            element: element.into().unchecked_into(),
            name,
            shown: None,
        }
    }

    /// An empty value takes the property away.
    pub(super) fn set(&mut self, value: &str) {
        if self.shown.as_deref() != Some(value) {
            let _ = self.element.style().set_property(self.name, value);
            self.shown = Some(value.to_owned());
        }
    }
}

/// Shows that a button leads nowhere. It can still have the focus, which would be lost with a disabled one.
pub(super) fn mark_end(button: &Element, is_end: bool) {
    if is_end != button.has_attribute("aria-disabled") {
        set_or_remove(button, "aria-disabled", is_end.then_some("true"));
    }
}
