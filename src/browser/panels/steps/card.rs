//! One step of the strip: its small matrix, name, formula and shape.

use std::rc::Rc;

use web_sys::{Element, HtmlCanvasElement, HtmlElement};

use crate::browser::dom::{self, Attribute, Text};
use crate::browser::event_listener::Listener;
use crate::browser::panels::thumbnail::Miniature;
use crate::i18n::{Language, text};
use crate::present::names;
use crate::present::run::Run;
use crate::present::steps::{formula, spoken_formula};
use crate::state::StepKind;
use crate::state::steps::{Axis, axes};

/// The largest picture of a stage with one, two and three lanes, in CSS pixels.
const SIZES: [[f64; 2]; 3] = [[104.0, 88.0], [72.0, 60.0], [72.0, 44.0]];

/// A card and its button.
pub(super) struct Card {
    pub step: StepKind,
    button: HtmlElement,
    name: Text,
    formula: (Element, String),
    shape: (Element, String),
    pressed: Attribute,
    disabled: Attribute,
    spoken: Text,
    pub picture: Miniature,
    _listener: Listener,
}

impl Card {
    /// `choose` is called with the step when the card is pressed.
    pub(super) fn new(
        place: &Element,
        step: StepKind,
        choose: &Rc<dyn Fn(StepKind)>,
    ) -> Option<Self> {
        let button: HtmlElement = dom::append(place, "button", "step")?;
        dom::set(&button, "type", "button");
        dom::set(&button, "data-step", step.name());
        let name: Element = dom::append(&button, "span", "name")?;
        let frame: Element = dom::append(&button, "span", "picture")?;
        let canvas: HtmlCanvasElement = dom::append(&frame, "canvas", "")?;
        let formula: Element = dom::append(&button, "span", "formula")?;
        let shape: Element = dom::append(&button, "span", "shape")?;
        // What these say to the eye, the last one says aloud.
        for seen in [&frame, &formula, &shape] {
            dom::set(seen, "aria-hidden", "true");
        }
        let spoken: Element = dom::append(&button, "span", "unseen")?;
        let choose = Rc::clone(choose);
        Some(Self {
            step,
            name: Text::new(name),
            formula: (formula, String::new()),
            shape: (shape, String::new()),
            pressed: Attribute::new(button.clone(), "aria-pressed"),
            disabled: Attribute::new(button.clone(), "aria-disabled"),
            spoken: Text::new(spoken),
            picture: Miniature::new(canvas, step, SIZES[0])?,
            _listener: Listener::new(&button, "click", move |_| choose(step)),
            button,
        })
    }

    /// Stands at the end of `place`, one of `lanes` above each other.
    pub(super) fn stand_in(&mut self, place: &Element, lanes: usize) {
        self.picture.room = SIZES[lanes.clamp(1, SIZES.len()) - 1];
        // Fails only for a parent that cannot hold children.
        let _ = place.append_child(&self.button);
    }

    pub(super) fn has_focus(&self) -> bool {
        self.button.matches(":focus") == Ok(true)
    }

    pub(super) fn focus(&self) {
        // Fails only for elements that cannot have the focus.
        let _ = self.button.focus();
    }

    /// How far it lies to the right of the left end of `list`, and of its right end.
    pub(super) fn beyond(&self, list: &Element) -> (f64, f64) {
        let [own, room] = [&*self.button, list].map(Element::get_bounding_client_rect);
        (own.left() - room.left(), own.right() - room.right())
    }

    pub(super) fn press(&mut self, is_chosen: bool) {
        self.pressed.set(if is_chosen { "true" } else { "false" });
    }

    /// Whether pressing it does nothing but say why: it can still be gone to, and the strip be scrolled by that.
    pub(super) fn lock(&mut self, is_locked: bool) {
        self.disabled.set(if is_locked { "true" } else { "false" });
    }

    /// Writes name, formula and shape.
    pub(super) fn name(&mut self, run: &Run, language: Language) {
        let (step, config) = (self.step, &run.config);
        let is_written = run.is_written();
        let axes = axes(step);
        let [rows, columns] = axes.map(|axis| axis.length(&config.sizes));
        self.name.set_text(names::step(step, language));
        put(&mut self.formula, formula(step, config, is_written));
        let [down, across] = axes.map(|axis| symbol(axis, run));
        put(
            &mut self.shape,
            format!("{rows} × {columns} <span>{down} × {across}</span>"),
        );
        let spoken = spoken_formula(step, config, is_written);
        self.spoken
            .set_text(&text::step_label(language, &spoken, &rows, &columns));
    }
}

fn put((element, shown): &mut (Element, String), html: String) {
    if *shown != html {
        element.set_inner_html(&html);
        *shown = html;
    }
}

/// The letter of an axis's length.
fn symbol(axis: Axis, run: &Run) -> &'static str {
    match axis {
        Axis::N => "<var>n</var>",
        // In self-attention there is one sentence, and one length.
        Axis::M if run.state.second.is_none() => "<var>n</var>",
        Axis::Positions if run.state.second.is_none() => "<var>n</var>",
        Axis::Positions => "max(<var>n</var>, <var>m</var>)",
        Axis::Keys if run.state.linformer => "<var>k</var>",
        Axis::Keys if run.state.second.is_none() => "<var>n</var>",
        Axis::M | Axis::Keys => "<var>m</var>",
        Axis::DK => "<var>d<sub>k</sub></var>",
        Axis::DV => "<var>d<sub>v</sub></var>",
        Axis::Merged => "<var>h d<sub>v</sub></var>",
        _ => "<var>d<sub>model</sub></var>",
    }
}
