//! The inspector: how the chosen cell of the map was computed, as a sentence, a formula and its operands. Pointing at an operand
//! highlights its cell, choosing it goes there.

mod explanation_text;
mod formula;
mod source_maps;
mod terms;

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement};

use super::readout::class;
use crate::browser::dom::{self, Attribute, MissingPart, Root, Symbols, Text};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::i18n::number;
use crate::i18n::{Language, text};
use crate::present::run::Run;
use crate::present::steps::explain::{CellRef, Explanation, explain};
use crate::state::{State, StepKind, steps};
use source_maps::Sources;

/// What is done with the numbers of an explanation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum InspectorAction {
    /// Numbers are pointed at that stand in these places; none when nothing is pointed at any more.
    Light(Vec<CellRef>),
    /// Another number is to be explained.
    Go(CellRef),
    /// Every term is to be shown, or the largest alone.
    Unfold,
    /// The cell is let go.
    Close,
}

/// The section in the reading pane.
pub(crate) struct Inspector {
    section: HtmlElement,
    cell: [Text; 4],
    /// The hue of the row.
    class: Attribute,
    why: Symbols,
    /// Formula and terms, and what was written there last.
    written: [(Element, String); 2],
    sources: Sources,
    /// The cell that is explained.
    place: Option<CellRef>,
    /// Whether every term of it is shown.
    is_unfolded: Rc<Cell<bool>>,
    _listeners: Vec<Listener>,
}

impl Inspector {
    /// `act` hears what is done with the numbers.
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
        let text = |part: &str| Text::find(root, &format!("#inspector-cell {part}"));
        let written = |part: &str| Ok((root.find(part)?, String::new()));
        Ok(Self {
            cell: [
                text(".is-query-text")?,
                text(".arrow")?,
                text(".is-key-text")?,
                text(".value")?,
            ],
            class: Attribute::new(
                root.find::<Element>("#inspector-cell .is-query-text")?,
                "class",
            ),
            why: Symbols::new(root.find("#inspector-why")?),
            written: [written("#inspector-formula")?, written("#inspector-terms")?],
            sources: Sources::new(root)?,
            place: None,
            is_unfolded,
            section,
            _listeners: listeners,
        })
    }

    /// Explains the chosen cell of the large map; shows nothing where there is none.
    pub(crate) fn update(&mut self, sight: &ViewContext<'_>) {
        let ViewContext {
            run,
            head,
            language,
            ..
        } = *sight;
        let place = chosen(sight.state);
        let found = match (place, run.numbers(head)) {
            // The numbers of another head are on their way: until then what stands there stays, so that nothing jumps.
            (Some(_), None) => return,
            (Some(place), Some(numbers)) => explain(&numbers, &run.state, place),
            (None, _) => None,
        };
        dom::set_flag(&self.section, "hidden", found.is_none());
        let Some(explanation) = found else { return };
        if self.place.replace(explanation.place) != Some(explanation.place) {
            self.is_unfolded.set(false);
        }
        self.class.set(class(sight.exhibit.sides()[0]));
        self.name(&explanation, run, language);
        self.why
            .set_text(&explanation_text::sentence(&explanation, run, language));
        let terms = terms(&explanation, run, language, self.is_unfolded.get());
        let [formula, table] = &mut self.written;
        put(formula, formula::formula(&explanation, &run.config));
        put(table, terms);
        self.sources.update(&explanation, sight);
    }

    /// Colours have changed.
    pub(crate) fn restyle(&mut self) {
        self.sources.restyle();
    }

    /// Moves the focus to the section, as after a number was chosen that stands there no more.
    pub(crate) fn focus(&self) {
        // Fails for elements that cannot have the focus.
        let _ = self.section.focus();
    }

    fn name(&mut self, explanation: &Explanation, run: &Run, language: Language) {
        let [row, arrow, column, value] = &mut self.cell;
        let names = explanation_text::names(explanation.place, run, language);
        row.set_text(&names.row);
        // Keys have their hue, components have none.
        arrow.set_text(if names.has_key { "→" } else { &names.column });
        column.set_text(if names.has_key { &names.column } else { "" });
        value.set_text(&explanation.computed.map_or_else(
            || "–".to_owned(),
            |value| explanation_text::value(explanation, value),
        ));
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

fn terms(explanation: &Explanation, run: &Run, language: Language, is_unfolded: bool) -> String {
    let lines = explanation_text::lines(explanation, language);
    let table = terms::table(explanation, run, language, is_unfolded);
    let rounding = rounding(explanation, language);
    format!("{lines}{table}{rounding}")
}

/// Writes what is not there yet. The button that unfolds the terms keeps the focus when it is written anew.
fn put((element, written): &mut (Element, String), html: String) {
    if *written == html {
        return;
    }
    let has_focus = |button: Element| button.matches(":focus") == Ok(true);
    let button = |element: &Element| element.query_selector("[data-unfold]").ok().flatten();
    let is_focused = button(element).is_some_and(has_focus);
    element.set_inner_html(&html);
    *written = html;
    let again = button(element).filter(|_| is_focused);
    if let Some(again) = again.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
        // Fails only for elements that cannot have the focus.
        let _ = again.focus();
    }
}

/// What is said where the digits that are shown are not those of the run.
fn rounding(explanation: &Explanation, language: Language) -> String {
    let (Some(value), Some(computed)) = (explanation.value, explanation.computed) else {
        return String::new();
    };
    let written = terms::written(value);
    if written == number::exact(computed) {
        return String::new();
    }
    let sentence = text::inspector_rounding(language, &written);
    format!("<p class=\"note\">{sentence}</p>")
}

fn listen(
    section: &HtmlElement,
    act: &Rc<dyn Fn(InspectorAction)>,
    is_unfolded: &Rc<Cell<bool>>,
) -> Vec<Listener> {
    let on = |event, deed: fn(&Event) -> Option<InspectorAction>| {
        let act = Rc::clone(act);
        Listener::new(section, event, move |event| {
            deed(&event).into_iter().for_each(|deed| act(deed));
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
            Some(InspectorAction::Go(place(&button(event)?)?))
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

/// Where the number stands that an event happened on, or all numbers of its line.
fn places(event: &Event) -> Vec<CellRef> {
    if let Some(button) = button(event) {
        return place(&button).into_iter().collect();
    }
    let line = closest(event, "tr");
    let Some(all) = line.and_then(|line| line.query_selector_all("[data-step]").ok()) else {
        return Vec::new();
    };
    (0..all.length())
        .filter_map(|at| place(&all.get(at)?.dyn_into().ok()?))
        .collect()
}

fn place(button: &Element) -> Option<CellRef> {
    let number = |name| button.get_attribute(name)?.parse().ok();
    Some(CellRef {
        step: StepKind::from_name(&button.get_attribute("data-step")?)?,
        row: number("data-row")?,
        column: number("data-column")?,
    })
}
