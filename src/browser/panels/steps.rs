//! The steps of the computation as a strip, drawn from the plan. Choosing one makes it the large map.

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlElement, KeyboardEvent};

use crate::browser::dom::{MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::panels::registry::PanelView;
use crate::browser::panels::step_maps::StepMaps;
use crate::browser::sender::Sender;
use crate::browser::view::View;
use app::i18n::text;
use app::present::address_history::Change;
use app::present::names;
use app::present::steps::strip::Strip;
use app::scene::hit::layout_scale;
use app::state::{Action, Field, Part, StepKind, Value};
use app::views::steps as views;

/// The panel's body.
pub(crate) struct Steps {
    list: HtmlElement,
    strip: View,
    whose: Text,
    /// The steps that are laid out, with their canvases.
    laid: Vec<StepKind>,
    maps: StepMaps,
    chosen: Option<StepKind>,
    _listeners: [Listener; 2],
}

impl Steps {
    pub(crate) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let (list, sender): (HtmlElement, Sender) = (root.find("#steps-strip")?, sender.clone());
        let strip = View::new(list.clone().into());
        let choose = strip.on("click", "data-step", move |name: String| {
            if let Some(step) = StepKind::from_name(&name) {
                sender.act(
                    Action::Set(Field::Step, Value::Choice(step.name())),
                    Change::Commit,
                );
            }
        });
        Ok(Self {
            whose: Text::find(root, "#steps-whose")?,
            _listeners: [choose, keys(&list)],
            strip,
            list,
            laid: Vec::new(),
            maps: StepMaps::default(),
            chosen: None,
        })
    }

    fn write(&mut self, strip: &Strip, steps: &[StepKind]) {
        if self.laid == steps {
            return self.strip.update(views::strip(strip));
        }
        let focused = self
            .card(":focus")
            .and_then(|card| card.get_attribute("data-step"));
        // Every card is made anew: a canvas of another step would keep that one's picture.
        self.strip = View::new(self.list.clone().into());
        self.strip.update(views::strip(strip));
        self.laid = steps.to_vec();
        self.maps.restyle();
        if let Some(card) = focused.and_then(|step| self.card(&format!("[data-step={step}]"))) {
            // Fails only for elements that cannot have the focus.
            let _ = card.focus();
        }
    }

    fn card(&self, selector: &str) -> Option<HtmlElement> {
        let found = self.list.query_selector(&format!(".step{selector}"));
        found.ok()??.dyn_into().ok()
    }

    /// Brings the chosen step into sight where it was chosen elsewhere.
    fn scroll_to(&mut self, chosen: StepKind) {
        let before = self.chosen.replace(chosen);
        if before.unwrap_or_default() == chosen {
            return;
        }
        let Some(card) = self.card("[aria-pressed=true]") else {
            return;
        };
        let rects = [&card, &self.list].map(|element| element.get_bounding_client_rect());
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

impl PanelView for Steps {
    fn update(&mut self, context: &ViewContext<'_>) {
        let (run, language) = (context.run, context.language);
        // While the chosen head's own matrices are on their way, those of the one before stay.
        let parts = run.reply.parts.as_ref();
        let head = parts.map_or(context.head, |parts| parts.head);
        let (chosen, is_locked) = (context.displayed.step, context.state.is_locked(Part::Pager));
        let strip = Strip::new(run, chosen, is_locked, language);
        self.write(&strip, &run.steps);
        let name = names::unparted(&names::head(run, head, language));
        self.whose.set_text(&text::steps_whose(language, &name));
        self.maps
            .paint(&self.strip, &strip.miniatures(), head, context);
        // Cards are as wide as their pictures.
        self.scroll_to(chosen);
    }

    fn point(&mut self, context: &ViewContext<'_>) {
        let (row, palette) = (Some(context.row), &context.colours.palette);
        self.maps.mark(context.lit, row, palette);
    }

    fn restyle(&mut self) {
        self.maps.restyle();
    }
}

/// Arrow keys walk along the strip, besides Tab.
fn keys(list: &HtmlElement) -> Listener {
    let own = list.clone();
    Listener::new(list, "keydown", move |event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        let by = match event.key().as_str() {
            _ if event.alt_key() || event.ctrl_key() || event.meta_key() => return,
            "ArrowRight" | "ArrowDown" => 1,
            "ArrowLeft" | "ArrowUp" => -1,
            _ => return,
        };
        let Ok(buttons) = own.query_selector_all("button") else {
            return;
        };
        let button = |at: u32| buttons.get(at)?.dyn_into::<HtmlElement>().ok();
        let at = (0..buttons.length())
            .find(|at| button(*at).is_some_and(|button| button.matches(":focus") == Ok(true)));
        let next = at.and_then(|at| button(at.checked_add_signed(by)?));
        if let Some(next) = next {
            event.prevent_default();
            // Fails only for elements that cannot have the focus.
            let _ = next.focus();
        }
    })
}
