//! The inspector: how the chosen cell of the map was computed, as a sentence, a formula and its operands. Pointing at an operand
//! highlights its cell, choosing it goes there.

mod source_maps;

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement};

use crate::browser::dom::{self, MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::view::View;
use app::message::InspectorAction;
use app::present::steps::explain::{CellRef, explain};
use app::state::{State, StepKind, steps};
use app::views::inspector as views;
use app::views::{Markup, missing};
use app::{ChunkState, Chunks as _, WITH_PANELS};
use source_maps::Sources;

/// The section in the reading pane.
pub(crate) struct Inspector {
    section: HtmlElement,
    cell: View,
    sentence: View,
    formula: View,
    terms: View,
    sources: Sources,
    /// The cell that is explained.
    place: Option<CellRef>,
    /// Whether every term of it is shown.
    is_unfolded: Rc<Cell<bool>>,
    _listeners: Vec<Listener>,
}

impl Inspector {
    /// `act` is called with each action on the numbers.
    pub(crate) fn new(
        root: &Root,
        act: impl Fn(InspectorAction) + 'static,
    ) -> Result<Self, MissingPart> {
        let section: HtmlElement = root.find("#inspector")?;
        let close: Element = root.find("#inspector-close")?;
        let act: Rc<dyn Fn(InspectorAction)> = Rc::new(act);
        let closing = Rc::clone(&act);
        let is_unfolded = Rc::new(Cell::new(false));
        let mut listeners = listen(&section, &act, &is_unfolded);
        listeners.push(Listener::new(&close, "click", move |_| {
            closing(InspectorAction::Close)
        }));
        Ok(Self {
            cell: View::find(root, "#inspector-cell")?,
            sentence: View::find(root, "#inspector-why")?,
            formula: View::find(root, "#inspector-formula")?,
            terms: View::find(root, "#inspector-terms")?,
            sources: Sources::new(root)?,
            place: None,
            is_unfolded,
            section,
            _listeners: listeners,
        })
    }

    /// Explains the chosen cell of the large map; shows nothing where there is none.
    pub(crate) fn update(&mut self, context: &ViewContext<'_>) {
        let ViewContext {
            run,
            head,
            language,
            ..
        } = *context;
        let place = chosen(context.state);
        if place.is_some() && !context.chunks.has(WITH_PANELS) {
            return self.wait(context);
        }
        let found = match (place, run.numbers(head)) {
            // The numbers of another head are on their way: until then what stands there stays, so that nothing jumps.
            (Some(_), None) => return,
            (Some(place), Some(numbers)) => explain(&numbers, &run.state, place),
            (None, _) => None,
        };
        dom::set_flag(&self.section, "hidden", found.is_none());
        let Some(explanation) = found else {
            return self.clear();
        };
        if self.place.replace(explanation.place) != Some(explanation.place) {
            self.is_unfolded.set(false);
        }
        let is_unfolded = self.is_unfolded.get();
        let side = context.displayed.sides()[0];
        self.cell
            .update(views::cell(&explanation, side, run, language));
        self.sentence
            .update(views::sentence(&explanation, run, language));
        self.formula
            .update(views::formula(&explanation, &run.config));
        self.terms
            .update(views::terms(&explanation, run, language, is_unfolded));
        self.sources.update(&explanation, context);
    }

    /// Shows that the code for explanations could not be loaded.
    fn wait(&mut self, context: &ViewContext<'_>) {
        let is_missing = context.chunks.state(WITH_PANELS) == ChunkState::Missing;
        self.clear();
        dom::set_flag(&self.section, "hidden", !is_missing);
        if is_missing {
            self.sentence.update(missing(context.language));
        }
    }

    /// Clears outdated content, so that translating, searching and copying the page never find it.
    fn clear(&mut self) {
        self.place = None;
        self.sources.clear();
        let views = [
            &mut self.cell,
            &mut self.sentence,
            &mut self.formula,
            &mut self.terms,
        ];
        views
            .into_iter()
            .for_each(|view| view.update(Markup::default()));
    }

    /// Colours have changed.
    pub(crate) fn restyle(&mut self) {
        self.sources.restyle();
    }

    /// Moves the focus to the section, as after choosing a number that is no longer shown.
    pub(crate) fn focus(&self) {
        // Fails for elements that cannot have the focus.
        let _ = self.section.focus();
    }
}

/// The cell that is chosen, in the step that is the large map.
fn chosen(state: &State) -> Option<CellRef> {
    let cell = state.cell?;
    Some(CellRef {
        step: steps::shown(state),
        row: cell.query,
        column: cell.key?,
    })
}

fn listen(
    section: &HtmlElement,
    act: &Rc<dyn Fn(InspectorAction)>,
    is_unfolded: &Rc<Cell<bool>>,
) -> Vec<Listener> {
    let on = |event, action: fn(&Event) -> Option<InspectorAction>| {
        let act = Rc::clone(act);
        Listener::new(section, event, move |event| {
            action(&event).into_iter().for_each(|action| act(action));
        })
    };
    let over = |event: &Event| Some(InspectorAction::Light(places(event)));
    let away = |_: &Event| Some(InspectorAction::Light(Vec::new()));
    let (unfolding, is_unfolded) = (Rc::clone(act), Rc::clone(is_unfolded));
    let unfold = Listener::new(section, "click", move |event| {
        if closest(&event, "[data-unfold]").is_some() {
            is_unfolded.set(!is_unfolded.get());
            unfolding(InspectorAction::Unfold);
        }
    });
    vec![
        unfold,
        on("pointerover", over),
        on("pointerleave", away),
        on("focusin", over),
        on("focusout", away),
        on("click", |event| {
            Some(InspectorAction::Go(cell_of(&button(event)?)?))
        }),
    ]
}

fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

fn closest(event: &Event, selector: &str) -> Option<Element> {
    target(event)?.closest(selector).ok()?
}

fn button(event: &Event) -> Option<Element> {
    closest(event, "[data-step]")
}

/// Cells of the number that an event happened on, or of all numbers in its line.
fn places(event: &Event) -> Vec<CellRef> {
    if let Some(button) = button(event) {
        return cell_of(&button).into_iter().collect();
    }
    let line = closest(event, "tr");
    let Some(all) = line.and_then(|line| line.query_selector_all("[data-step]").ok()) else {
        return Vec::new();
    };
    (0..all.length())
        .filter_map(|at| cell_of(&all.get(at)?.dyn_into().ok()?))
        .collect()
}

fn cell_of(button: &Element) -> Option<CellRef> {
    let number = |name| button.get_attribute(name)?.parse().ok();
    Some(CellRef {
        step: StepKind::from_name(&button.get_attribute("data-step")?)?,
        row: number("data-row")?,
        column: number("data-column")?,
    })
}
