//! Where a page is mounted: the window, a frame or an element, and what it may use there.

use wasm_bindgen::JsCast as _;
use web_sys::{CssStyleDeclaration, Element, HtmlElement, ShadowRoot, Window};

use super::dom::Root;
use crate::i18n::Language;
use crate::scene::colour::{Background, Layers, Srgb};

/// Where a page is mounted. It decides over address, history and memory, and over whom an undecided theme follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MountContext {
    /// The window's own page: the address bar with its history, and what the browser remembers.
    Page,
    /// A frame of somebody else's page: its own address, but no entry in the history that it shares with its host,
    /// and nothing is remembered.
    Frame,
    /// An element among others: no address, no history, no memory, nothing of the window's.
    Element {
        /// The fragment that it opens.
        opens: String,
        /// Where the whole page is, if that is known.
        page: Option<String>,
    },
}

impl MountContext {
    /// The context of a page that has the whole document.
    pub fn for_window(window: &Window) -> Self {
        let parent = window.parent().ok().flatten();
        match parent.is_some_and(|parent| &parent != window) {
            true => Self::Frame,
            false => Self::Page,
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

/// The language of the text around the element that `root` stands in, as its document says it.
pub fn language_around(root: &Root) -> Option<Language> {
    let mut at: Element = root.element().clone();
    loop {
        let shadow = at.get_root_node().dyn_into::<ShadowRoot>().ok()?;
        at = shadow.host();
        if let Some(named) = at.closest("[lang]").ok().flatten() {
            return Language::from_tag(&named.get_attribute("lang")?);
        }
    }
}

/// The ground that the document around has laid under the element. Where that is a picture, its text is asked, which has
/// to be read on it as well; `None` where it has laid nothing.
pub fn ground_around(root: &Root, window: &Window) -> Option<Background> {
    let host = root.element().get_root_node().dyn_into::<ShadowRoot>();
    let host = host.ok()?.host();
    let mixer = Mixer::new(root, window)?;
    let mut layers = Layers::default();
    let mut next = Some(host.clone());
    while let Some(element) = next {
        let style = window.get_computed_style(&element).ok().flatten()?;
        let is_plain = style.get_property_value("background-image").ok()? == "none";
        if !is_plain {
            let text = window.get_computed_style(&host).ok().flatten()?;
            return Some(mixer.srgb(&text, "color")?.ground_below());
        }
        layers.put_below(mixer.srgb(&style, "background-color")?);
        next = (!layers.is_covered()).then(|| parent(&element)).flatten();
    }
    layers.ground()
}

/// What `element` is painted on.
fn parent(element: &Element) -> Option<Element> {
    let slot = element.assigned_slot().map(Element::from);
    slot.or_else(|| element.parent_element()).or_else(|| {
        let shadow = element.get_root_node().dyn_into::<ShadowRoot>();
        shadow.ok().map(|shadow| shadow.host())
    })
}

/// Converts colours of any notation, by the browser.
struct Mixer {
    own: CssStyleDeclaration,
    computed: CssStyleDeclaration,
}

impl Mixer {
    fn new(root: &Root, window: &Window) -> Option<Self> {
        let probe: HtmlElement = root.find("#probe").ok()?;
        Some(Self {
            own: probe.style(),
            computed: window.get_computed_style(&probe).ok().flatten()?,
        })
    }

    fn srgb(&self, style: &CssStyleDeclaration, property: &str) -> Option<Srgb> {
        let colour = style.get_property_value(property).ok()?;
        let mixed = format!("color-mix(in srgb, {colour}, {colour})");
        self.own.set_property("color", &mixed).ok()?;
        Srgb::read(&self.computed.get_property_value("color").ok()?)
    }
}

/// Whether dark colours are in use around the element: `layout.css` gives its unseen beginning white or black.
pub fn is_dark_around(root: &Root, window: &Window) -> bool {
    let style = window.get_computed_style_with_pseudo_elt(root.element(), "::before");
    let colour = style
        .ok()
        .flatten()
        .and_then(|style| style.get_property_value("color").ok());
    colour.as_deref() == Some("rgb(0, 0, 0)")
}
