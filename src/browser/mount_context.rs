//! Mount context of a page: a window, a frame or an element, and the features that it may use
//! there.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, ShadowRoot, Window};

use super::dom::Root;
use app::i18n::Language;

/// Where a page is mounted. It decides over address, history and memory, and over whom an undecided theme follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MountContext {
    /// The window's own page: the address bar with its history, and what the browser remembers.
    Page,
    /// A frame in a third-party page: it has an address of its own, but adds no entries to the
    /// history that it shares with its host, and stores nothing.
    Frame,
    /// An element among others: no address, no history, no memory, nothing of the window's.
    Element {
        /// Where the whole page is, if that is known.
        page: Option<String>,
    },
}

impl MountContext {
    /// The context of a page that has the whole document.
    pub fn for_window(window: &Window) -> Self {
        let parent = window.parent().ok().flatten();
        if parent.is_some_and(|parent| &parent != window) {
            Self::Frame
        } else {
            Self::Page
        }
    }

    /// Whether the window's address is the page's.
    pub fn has_address(&self) -> bool {
        !self.is_element()
    }

    /// Whether the user's choices are stored for the next visit.
    pub fn has_memory(&self) -> bool {
        *self == Self::Page
    }

    /// The address of the whole page, without a fragment, if that is known.
    pub fn page_base(&self, window: &Window) -> Option<String> {
        match self {
            Self::Element { page, .. } => page.clone(),
            Self::Page | Self::Frame => {
                let address = window.location().href().ok()?;
                address.split('#').next().map(str::to_owned)
            }
        }
    }

    /// Whether `root` is an element of another page's document.
    pub fn is_element(&self) -> bool {
        matches!(self, Self::Element { .. })
    }
}

/// Language of the text around the element that contains `root`, according to its document.
pub(super) fn language_around(root: &Root) -> Option<Language> {
    let mut at: Element = root.element().clone();
    loop {
        let shadow = at.get_root_node().dyn_into::<ShadowRoot>().ok()?;
        at = shadow.host();
        if let Some(named) = at.closest("[lang]").ok().flatten() {
            return Language::from_tag(&named.get_attribute("lang")?);
        }
    }
}

/// Whether the `color-scheme` around the element is dark: `layout.css` gives its unseen beginning white or black by it.
pub(super) fn is_dark_around(root: &Root, window: &Window) -> bool {
    let style = window.get_computed_style_with_pseudo_elt(root.element(), "::before");
    let colour = style
        .ok()
        .flatten()
        .and_then(|style| style.get_property_value("color").ok());
    colour.as_deref() == Some("rgb(0, 0, 0)")
}
