//! The badge that shows where the picture was computed, and the panel that it opens.

use web_sys::{Element, HtmlElement};

use super::backend_check::Compare;
use crate::browser::dom::{self, Attribute, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use app::i18n::{Key, Language, text};
use app::present::backend_status::RunLocation;
use engine::RunInfo;
use engine::{GpuState, GpuStatus};

/// Badge and panel.
pub(crate) struct Backend {
    button: HtmlElement,
    of: Attribute,
    name: HtmlElement,
    beside: Text,
    sentence: Text,
    said: Text,
    adapter: Text,
    pub compare: Compare,
    shown: Option<(RunInfo, GpuStatus, Language)>,
    _places: Option<[Listener; 2]>,
    _focus: Listener,
}

impl Backend {
    /// `compare` is called when both backends are to be compared.
    pub(crate) fn new(root: &Root, compare: impl Fn() + 'static) -> Result<Self, MissingPart> {
        let button: HtmlElement = root.find("#backend")?;
        let panel: HtmlElement = root.find("#backend-panel")?;
        Ok(Self {
            of: Attribute::new(button.clone(), "data-backend"),
            name: root.find("#backend-name")?,
            beside: Text::find(root, "#backend-beside")?,
            sentence: Text::find(root, "#backend-sentence")?,
            said: Text::find(root, "#backend-said")?,
            adapter: Text::find(root, "#backend-adapter")?,
            compare: Compare::new(root, compare)?,
            shown: None,
            _places: keep_in_place(&button, &panel),
            _focus: keep_focus(&button, &panel),
            button,
        })
    }

    /// Shows the backend of the picture on screen and the WebGPU status; does nothing if neither
    /// has changed.
    pub(crate) fn update(&mut self, ran: &RunInfo, status: &GpuStatus, language: Language) {
        let is_same =
            |(a, b, c): &(RunInfo, GpuStatus, Language)| (a, b, *c) == (ran, status, language);
        if self.shown.as_ref().is_some_and(is_same) {
            return;
        }
        self.shown = Some((ran.clone(), status.clone(), language));
        let place = RunLocation {
            backend: ran.backend,
            adapter: ran.adapter.as_deref(),
            is_software: status.is_software,
            reason: ran.reason.as_ref(),
        };
        self.of.set(ran.backend.name());
        match &ran.reason {
            Some(reason) => dom::set(&self.button, "data-reason", reason.code()),
            None => dom::set_flag(&self.button, "data-reason", false),
        }
        // From here on no change of language brings the first words back.
        dom::set_flag(&self.name, "data-t", false);
        self.name.set_text_content(Some(place.name(language)));
        self.beside.set_text(&place.beside(language));
        self.sentence.set_text(&place.sentence(language));
        self.said
            .set_text(&place.said(language).unwrap_or_default());
        self.adapter.set_text(&adapter(status, language));
        self.compare.allow(ran.reason.as_ref(), status, language);
    }
}

/// The adapter, or why none is named.
fn adapter(status: &GpuStatus, language: Language) -> String {
    let key = match (status.state, &status.adapter) {
        (GpuState::Checking, None) => Key::AdapterChecking,
        (GpuState::Ready, None) => Key::AdapterUnnamed,
        (_, None) => Key::AdapterNone,
        (GpuState::Lost, Some(name)) => return text::adapter_lost(language, &name),
        (_, Some(name)) if status.is_software => {
            return text::adapter_software(language, &name);
        }
        (_, Some(name)) => return name.clone(),
    };
    key.text(language).to_owned()
}

/// Gives the focus back to the badge when the panel closes: browsers do so for the menu around both alone.
fn keep_focus(button: &HtmlElement, panel: &HtmlElement) -> Listener {
    let (button, own) = (button.clone(), panel.clone());
    Listener::new(panel, "toggle", move |_| {
        let focused = own.owner_document().and_then(|page| page.active_element());
        // What is hidden may still have it.
        let is_lost = focused
            .is_none_or(|focused| focused.tag_name() == "BODY" || own.contains(Some(&focused)));
        if is_lost && own.matches(":popover-open") == Ok(false) {
            // Refused only where the menu has closed as well.
            let _ = button.focus();
        }
    })
}

/// Keeps the open panel positioned next to its badge. The panel is in the top layer, outside the
/// flow of the page.
fn keep_in_place(button: &HtmlElement, panel: &HtmlElement) -> Option<[Listener; 2]> {
    let window = button.owner_document()?.default_view()?;
    let place = {
        let (button, panel, window) = (button.clone(), panel.clone(), window.clone());
        move || {
            let (at, style) = (Element::get_bounding_client_rect(&button), panel.style());
            let zoom = dom::zoom(&panel);
            let set = |name, inside: f64, scrolled: Result<f64, _>| {
                // Refused only for properties that no browser knows.
                let at = format!("{}px", (inside + scrolled.unwrap_or(0.0)) / zoom);
                let _ = style.set_property(name, &at);
            };
            set("--right", at.right(), window.scroll_x());
            set("--bottom", at.bottom(), window.scroll_y());
        }
    };
    let opened = place.clone();
    let is_open = {
        let panel = panel.clone();
        move || panel.matches(":popover-open").unwrap_or(false)
    };
    Some([
        Listener::new(panel, "beforetoggle", move |_| opened()),
        Listener::new(&window, "resize", move |_| {
            if is_open() {
                place();
            }
        }),
    ])
}
