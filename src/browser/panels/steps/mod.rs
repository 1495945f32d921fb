//! The steps of the computation as a strip, drawn from the plan. Choosing one makes it the large map.

mod card;

use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use crate::browser::controls::Act;
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::panels::registry::PanelView;
use crate::browser::panels::thumbnail::PaintedThumbnail;
use crate::i18n::{Language, text};
use crate::present::address_history::Change;
use crate::present::names;
use crate::present::run::Run;
use crate::state::steps::stages;
use crate::state::{Action, Field, Part, StepKind, Value};
use card::Card;

/// The panel's body.
pub(crate) struct Steps {
    list: HtmlElement,
    whose: Text,
    cards: Vec<Card>,
    /// The steps that are laid out.
    laid: Vec<StepKind>,
    painted: Option<PaintedThumbnail>,
    chosen: Option<StepKind>,
    pixels: Vec<u8>,
    choose: Rc<dyn Fn(StepKind)>,
    _keys: Listener,
}

impl Steps {
    pub(crate) fn new(root: &Root, act: &Act) -> Result<Self, MissingPart> {
        let (list, act): (HtmlElement, Act) = (root.find("#steps-strip")?, Rc::clone(act));
        let choose = move |step: StepKind| {
            act(
                Action::Set(Field::Step, Value::Choice(step.name())),
                Change::Commit,
            );
        };
        Ok(Self {
            whose: Text::find(root, "#steps-whose")?,
            _keys: keys(&list),
            list,
            cards: Vec::new(),
            laid: Vec::new(),
            painted: None,
            chosen: None,
            pixels: Vec::new(),
            choose: Rc::new(choose),
        })
    }

    /// Puts the cards of `steps` into the list, each made once. The focus stays on its step where that is still there.
    fn lay_out(&mut self, steps: &[StepKind]) {
        if self.laid == steps {
            return;
        }
        self.laid = steps.to_vec();
        let focused = self.cards.iter().find(|card| card.has_focus());
        let focused = focused.map(|card| card.step);
        self.list.set_text_content(None);
        for stage in stages(steps) {
            let class = match (stage.len(), &stage[0][..]) {
                (1, [StepKind::Positions]) => "stage is-added",
                (1, _) => "stage",
                _ => "stage is-branched",
            };
            let Some(item) = dom::append::<Element>(&self.list, "li", class) else {
                return;
            };
            for lane in &stage {
                let Some(place) = dom::append::<Element>(&item, "div", "lane") else {
                    return;
                };
                for step in lane {
                    self.place(*step, &place, stage.len());
                }
            }
        }
        if let Some(card) = self.cards.iter().find(|card| Some(card.step) == focused) {
            card.focus();
        }
    }

    fn place(&mut self, step: StepKind, place: &Element, lanes: usize) {
        let found = self.cards.iter().position(|card| card.step == step);
        let at = found.or_else(|| {
            self.cards.push(Card::new(place, step, &self.choose)?);
            Some(self.cards.len() - 1)
        });
        if let Some(card) = at.and_then(|at| self.cards.get_mut(at)) {
            card.stand_in(place, lanes);
        }
    }

    /// Marks the chosen step, and brings it into sight where it was chosen elsewhere.
    fn press(&mut self, chosen: StepKind) {
        let shown = self.cards.iter_mut();
        shown.for_each(|card| card.press(card.step == chosen));
        let before = self.chosen.replace(chosen);
        if before.is_some_and(|before| before != chosen)
            && let Some(card) = self.cards.iter().find(|card| card.step == chosen)
        {
            let (left, right) = card.beyond(&self.list);
            // Whole pixels, as the list scrolls by them.
            let by = left.min(0.0).floor() + right.max(0.0).ceil();
            if by != 0.0 {
                self.list
                    .set_scroll_left(self.list.scroll_left() + by as i32);
            }
        }
    }

    fn describe(&mut self, run: &Run, head: usize, language: Language) {
        let name = names::head(&run.state, head, language);
        self.whose
            .set_text(&text::steps_whose(language, &names::unparted(&name)));
    }
}

impl PanelView for Steps {
    fn update(&mut self, sight: &ViewContext<'_>) {
        let (run, language) = (sight.run, sight.language);
        // While the chosen head's own matrices are on their way, those of the one before stay.
        let parts = run.reply.parts.as_ref();
        let head = parts.map_or(sight.head, |parts| parts.head);
        self.lay_out(&run.steps);
        self.describe(run, head, language);
        self.press(sight.exhibit.step);
        let is_locked = sight.state.is_locked(Part::Pager);
        self.cards.iter_mut().for_each(|card| card.lock(is_locked));
        let painted = PaintedThumbnail::from_state(head, sight);
        if self.painted.as_ref() == Some(&painted) {
            return;
        }
        for step in &self.laid {
            let card = self.cards.iter_mut().find(|card| card.step == *step);
            if let Some(card) = card {
                card.name(run, language);
                let (whose, pixels) = ((run, head), &mut self.pixels);
                card.picture.paint(whose, sight.look, painted.frame, pixels);
            }
        }
        self.painted = parts.is_some().then_some(painted);
    }

    fn point(&mut self, sight: &ViewContext<'_>) {
        for card in &mut self.cards {
            let query = Some(sight.row);
            card.picture.light(sight.lit, query, &sight.look.palette);
        }
    }

    fn restyle(&mut self) {
        self.painted = None;
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
