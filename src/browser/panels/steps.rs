//! The steps of the computation as a strip, drawn from the plan. Choosing one makes it the large map.

use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;

use super::arrows;
use super::step_maps::StepMaps;
use crate::browser::dom::{MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use crate::browser::view::View;
use app::App;
use app::present::colour_style::ColourStyle;
use app::present::panel::PanelEvent;
use app::present::roving;
use app::present::steps::strip::miniatures;
use app::scene::hit::layout_scale;
use app::state::Panel;

/// The panel's body.
pub(crate) struct Steps {
    list: HtmlElement,
    strip: View,
    whose: Text,
    maps: StepMaps,
    /// What is to be brought into view once it is shown.
    awaited: Option<&'static str>,
    _listeners: [Listener; 2],
}

impl Steps {
    pub(crate) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let list: HtmlElement = root.find("#steps-strip")?;
        let strip = View::new(list.clone().into());
        let press = sender.on_panel(Panel::Steps, PanelEvent::Press);
        Ok(Self {
            whose: Text::find(root, "#steps-whose")?,
            _listeners: [
                strip.on("click", "data-do", press),
                arrows::listen(&list, roving::beside),
            ],
            strip,
            list,
            maps: StepMaps::default(),
            awaited: None,
        })
    }

    /// Shows the steps of another picture.
    pub(crate) fn show(&mut self, app: &App, colours: &ColourStyle, dpr: f64) {
        let (Some(run), Some(strip), Some(whose)) =
            (&app.main.run, app.steps_view(), app.whose_steps())
        else {
            return;
        };
        let focused = self.card(":focus");
        let focused = focused.and_then(|card| card.get_attribute("data-step"));
        self.strip.update(strip);
        // The focus stays with the step, which may have another place.
        let moved = focused.and_then(|step| self.card(&format!("[data-step={step}]:not(:focus)")));
        if let Some(card) = moved {
            // Fails only for elements that cannot have the focus.
            let _ = card.focus();
        }
        self.whose.set_text(&whose);
        let of = (run, app.head_of_steps());
        (self.maps).paint(&self.strip, &miniatures(run), of, (colours, dpr));
        // Cards are as wide as their pictures.
        if let Some(card) = self.awaited.take().and_then(|awaited| self.card(awaited)) {
            self.scroll_to(&card);
        }
    }

    /// Marks what is pointed out.
    pub(crate) fn point(&mut self, app: &App, colours: &ColourStyle) {
        (self.maps).mark(&app.lit, Some(app.row()), &colours.palette);
    }

    /// Colours have changed, or canvases were emptied.
    pub(crate) fn restyle(&mut self) {
        self.maps.restyle();
    }

    /// Brings the card that matches a selector into view, once it is shown.
    pub(crate) fn reveal(&mut self, card: &'static str) {
        self.awaited = Some(card);
    }

    fn card(&self, selector: &str) -> Option<HtmlElement> {
        let found = self.list.query_selector(&format!(".step{selector}"));
        found.ok()??.dyn_into().ok()
    }

    fn scroll_to(&self, card: &HtmlElement) {
        let rects = [card, &self.list].map(|element| element.get_bounding_client_rect());
        let [own, room] = rects;
        let scale = layout_scale(self.list.offset_width().into(), room.width());
        let (left, right) = (own.left() - room.left(), own.right() - room.right());
        let (left, right) = (left * scale, right * scale);
        // Whole pixels, as the list scrolls by them.
        let by = left.min(0.0).floor() + right.max(0.0).ceil();
        if by != 0.0 {
            self.list
                .set_scroll_left(self.list.scroll_left() + by as i32);
        }
    }
}
