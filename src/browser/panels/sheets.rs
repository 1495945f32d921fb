//! Ways past the controls, which on a phone open sheets over the lower half of the window.

use web_sys::{Element, HtmlElement, Window};

use crate::browser::dom::{self, Attribute, MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use app::{Message, Sheet};

/// Below this width and from this height on there are sheets, as in `layout.css`.
const WIDE: f64 = 700.0;
const HIGH: f64 = 600.0;

/// Each button, and what it opens; without a sheet the map is alone.
const WAYS: [(&str, Option<Sheet>); 3] = [
    ("#skip-map", None),
    ("#skip-reading", Some(Sheet::Row)),
    ("#skip-setup", Some(Sheet::SetUp)),
];

/// The buttons, and what tells the style sheets which sheet is open.
pub(crate) struct Sheets {
    root: Root,
    window: Window,
    /// The last button has no part of its own, but is shown with its target.
    last: [Element; 2],
    are_names_open: Attribute,
    _listeners: Vec<Listener>,
}

impl Sheets {
    pub(crate) fn new(root: &Root, window: &Window, sender: &Sender) -> Result<Self, MissingPart> {
        let listen = |(button, sheet): (&str, Option<Sheet>)| {
            let (button, sender) = (root.find::<Element>(button)?, sender.clone());
            Ok(Listener::new(&button, "click", move |_| {
                sender.send(Message::Sheet(sheet));
            }))
        };
        let more: Element = root.find("#more-panels")?;
        let (own, toggling) = (more.clone(), sender.clone());
        let toggle = Listener::new(&more, "click", move |_| {
            let is_open = own.get_attribute("aria-expanded").as_deref() == Some("true");
            toggling.send(Message::Sheet((!is_open).then_some(Sheet::Panels)));
        });
        let listeners: Result<Vec<_>, _> = WAYS.into_iter().map(listen).collect();
        Ok(Self {
            root: root.clone(),
            window: window.clone(),
            last: [root.find("#skip-setup")?, root.find(".setup")?],
            are_names_open: Attribute::new(more, "aria-expanded"),
            _listeners: listeners?.into_iter().chain([toggle]).collect(),
        })
    }

    /// Shows the way to the settings where there are some.
    pub(crate) fn follow_parts(&self) {
        let [button, goal] = &self.last;
        dom::set_flag(button, "hidden", goal.has_attribute("data-absent"));
    }

    /// Shows a sheet in place of the one before, with the map above it.
    pub(crate) fn show(&mut self, sheet: Option<Sheet>) {
        dom::set_or_remove(self.root.element(), "data-sheet", sheet.map(Sheet::name));
        let are_names_open = sheet == Some(Sheet::Panels);
        self.are_names_open
            .set(if are_names_open { "true" } else { "false" });
        if let Some(sheet) = sheet {
            self.reveal_map(place_of(sheet));
        }
    }

    /// Moves the focus to a sheet, or to the map.
    pub(crate) fn focus(&self, sheet: Option<Sheet>) {
        let goals = match sheet {
            None => &["#curves-view:not([hidden]) [tabindex=\"0\"]", "#map"][..],
            Some(Sheet::Panels) => &[],
            Some(sheet) => &[place_of(sheet)],
        };
        let mut goals = goals.iter();
        if let Some(goal) = goals.find_map(|goal| self.root.find::<HtmlElement>(goal).ok()) {
            // Refused only for what cannot be focused.
            let _ = goal.focus();
        }
    }

    /// Scrolls the map out from under a sheet, as far as there is map above the window's top.
    fn reveal_map(&self, selector: &str) {
        let found = ["#map", selector].map(|part| self.root.find::<Element>(part));
        let [Ok(map), Ok(sheet)] =
            found.map(|part| part.map(|part| part.get_bounding_client_rect()))
        else {
            return;
        };
        if self.has_sheets() {
            let covered = map.bottom() - sheet.top();
            self.window
                .scroll_by_with_x_and_y(0.0, covered.min(map.top()).max(0.0).ceil());
        }
    }

    fn has_sheets(&self) -> bool {
        let sides = [self.window.inner_width(), self.window.inner_height()];
        let [width, height] = sides.map(|side| side.ok().and_then(|side| side.as_f64()));
        width.is_some_and(|width| width < WIDE) && height.is_some_and(|height| height >= HIGH)
    }
}

/// Where a sheet is on the page.
const fn place_of(sheet: Sheet) -> &'static str {
    match sheet {
        Sheet::Row => ".plate > .reading",
        Sheet::SetUp => ".setup",
        Sheet::Panels => ".panel-names",
    }
}
