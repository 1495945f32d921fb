//! The headers that open and close the panels below the map.

use web_sys::{Element, HtmlElement};

use super::Control;
use crate::browser::dom::{self, Attribute, MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use app::present::address_history::Change;
use app::state::{Action, Field, Panel, State};

/// Every panel's button and body, and the way to the numbers of one's own from above the map.
pub(super) struct Headers {
    headers: Vec<Header>,
    _open_own: Listener,
}

struct Header {
    panel: Panel,
    expanded: Attribute,
    body: Element,
    _listener: Listener,
}

impl Headers {
    pub(super) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let header = |panel| Header::new(root, panel, sender);
        let (open_own, files): (Element, HtmlElement) =
            (root.find("#open-own")?, root.find("#import-file")?);
        let opening = sender.clone();
        Ok(Self {
            _open_own: Listener::new(&open_own, "click", move |_| {
                let open = Action::Include(Field::Panels, Panel::Data.name(), true);
                opening.act(open, Change::Commit);
                // The browser brings what has the focus into view.
                files.focus().ok();
            }),
            headers: Panel::ALL
                .into_iter()
                .map(header)
                .collect::<Result<_, _>>()?,
        })
    }
}

impl Header {
    fn new(root: &Root, panel: Panel, sender: &Sender) -> Result<Self, MissingPart> {
        let name = panel.name();
        let button: Element = root.find(&format!("#open-{name}"))?;
        let section: Element = root.find(&format!("#panel-{name}"))?;
        let heading: HtmlElement = root.find(&format!("#title-{name}"))?;
        let (own, sender) = (button.clone(), sender.clone());
        let listener = Listener::new(&button, "click", move |_| {
            let is_open = own.get_attribute("aria-expanded").as_deref() == Some("true");
            let action = Action::Include(Field::Panels, panel.name(), !is_open);
            sender.act(action, Change::Commit);
            if !is_open {
                section.scroll_into_view();
                // Whoever comes by keyboard goes on in the panel.
                let _ = heading.focus();
            }
        });
        Ok(Self {
            panel,
            expanded: Attribute::new(button, "aria-expanded"),
            body: root.find(&format!("#{}-body", panel.name()))?,
            _listener: listener,
        })
    }
}

impl Control for Headers {
    fn update(&mut self, state: &State) {
        for header in &mut self.headers {
            let is_open = state.panels.contains(header.panel);
            header.expanded.set(if is_open { "true" } else { "false" });
            dom::set_flag(&header.body, "hidden", !is_open);
        }
    }
}
