//! The similarity of every two heads, as a small map.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent};

use crate::browser::dom::{self, Attribute, MissingPart, Property, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::panels::keyed_list::{Row, Rows};
use crate::i18n::{Language, text};
use crate::present::names;
use crate::scene::colour::{Ink, Lut};
use crate::scene::hit::{CellPosition, Move};
use attention::analysis::Similarity;

/// Heads up to which values stand in the cells.
const MOST_WRITTEN: usize = 8;

/// The map, a grid with one stop for the keyboard. It answers by itself, so what it was shown last is kept.
pub(super) struct SimilarHeads(Rc<RefCell<Inner>>);

struct Inner {
    table: HtmlElement,
    names: Rows<HeadName>,
    rows: Rows<HeadRow>,
    value: Text,
    step: Text,
    heads: usize,
    /// The cell that the keyboard stops at.
    stop: (usize, usize),
    /// What stands above the map while no cell is pointed at.
    said: String,
    _listeners: Vec<Listener>,
}

/// The name of a column.
struct HeadName {
    element: Element,
    name: Text,
}

impl Row for HeadName {
    fn make(parent: &Element, _: usize) -> Option<Self> {
        let element: Element = dom::append(parent, "th", "")?;
        dom::set(&element, "scope", "col");
        Some(Self {
            name: Text::new(element.clone()),
            element,
        })
    }

    fn element(&self) -> &Element {
        &self.element
    }
}

struct HeadRow {
    element: Element,
    name: Text,
    chosen: Attribute,
    cells: Rows<PairCell>,
}

struct PairCell {
    element: HtmlElement,
    text: Text,
    label: Attribute,
    ground: Property,
    ink: Property,
    stop: Attribute,
}

impl Row for HeadRow {
    fn make(parent: &Element, at: usize) -> Option<Self> {
        let element: Element = dom::append(parent, "tr", "")?;
        dom::set(&element, "data-head", &at.to_string());
        let header: Element = dom::append(&element, "th", "")?;
        dom::set(&header, "scope", "row");
        Some(Self {
            chosen: Attribute::new(element.clone(), "class"),
            name: Text::new(header),
            cells: Rows::new(element.clone()),
            element,
        })
    }

    fn element(&self) -> &Element {
        &self.element
    }
}

impl Row for PairCell {
    fn make(parent: &Element, _: usize) -> Option<Self> {
        let element: HtmlElement = dom::append(parent, "td", "")?;
        let text: Element = dom::append(&element, "span", "")?;
        Some(Self {
            text: Text::new(text),
            label: Attribute::new(element.clone(), "aria-label"),
            ground: Property::new(element.clone(), "background"),
            ink: Property::new(element.clone(), "color"),
            stop: Attribute::new(element.clone(), "tabindex"),
            element,
        })
    }

    fn element(&self) -> &Element {
        &self.element
    }
}

impl SimilarHeads {
    /// `choose` is called with the head whose row is pressed.
    pub(super) fn new(root: &Root, choose: impl Fn(usize) + 'static) -> Result<Self, MissingPart> {
        let table: HtmlElement = root.find("#chart-similar table")?;
        let inner = Rc::new(RefCell::new(Inner {
            names: Rows::new(root.find("#chart-similar thead tr")?),
            rows: Rows::new(root.find("#chart-similar tbody")?),
            value: Text::find(root, "#chart-similar .value")?,
            step: Text::find(root, "#similar-step")?,
            table: table.clone(),
            heads: 0,
            stop: (0, 0),
            said: String::new(),
            _listeners: Vec::new(),
        }));
        let listeners = listen(&table, &inner, choose);
        inner.borrow_mut()._listeners = listeners;
        Ok(Self(inner))
    }

    pub(super) fn update(
        &mut self,
        similarity: &Similarity,
        heads: usize,
        chosen: usize,
        lut: &Lut,
        language: Language,
    ) {
        if let Ok(mut inner) = self.0.try_borrow_mut() {
            inner.update(similarity, (heads, chosen), lut, language);
        }
    }
}

impl Inner {
    fn update(
        &mut self,
        similarity: &Similarity,
        (heads, chosen): (usize, usize),
        lut: &Lut,
        language: Language,
    ) {
        let last = heads.saturating_sub(1);
        self.heads = heads;
        self.stop = (self.stop.0.min(last), self.stop.1.min(last));
        dom::set_flag(&self.table, "data-dense", heads > MOST_WRITTEN);
        for (head, name) in self.names.take(heads).iter_mut().enumerate() {
            name.name.set_text(&(head + 1).to_string());
        }
        for (one, row) in self.rows.take(heads).iter_mut().enumerate() {
            row.name.set_text(&(one + 1).to_string());
            row.chosen.set(if one == chosen { "is-chosen" } else { "" });
            for (other, cell) in row.cells.take(heads).iter_mut().enumerate() {
                let alike = similarity.between(one, other);
                cell.text.set_text(&written(alike));
                cell.label.set(&pair(one, other, alike, language));
                let (ground, ink) = alike.map(|alike| colours(alike, lut)).unwrap_or_default();
                cell.ground.set(&ground);
                cell.ink.set(ink);
            }
        }
        self.write_stop();
        self.step.set_text(&match similarity.step {
            0 | 1 => String::new(),
            step => text::analysis_similar_step(language, &step),
        });
        let nearest = similarity.nearest(chosen);
        self.said = nearest.map_or_else(String::new, |(other, alike)| {
            pair(chosen, other, Some(alike), language)
        });
        self.say(None);
    }

    /// Says how alike the pair of a cell is; the chosen head and the one most like it where there is none.
    fn say(&mut self, cell: Option<&Element>) {
        let label = cell.and_then(|cell| cell.get_attribute("aria-label"));
        self.value.set_text(label.as_deref().unwrap_or(&self.said));
    }

    /// Lets the keyboard stop at the right cell only, which it gives back.
    fn write_stop(&mut self) -> Option<HtmlElement> {
        let mut at = None;
        for (one, row) in self.rows.take(self.heads).iter_mut().enumerate() {
            for (other, cell) in row.cells.take(self.heads).iter_mut().enumerate() {
                let is_stop = (one, other) == self.stop;
                cell.stop.set(if is_stop { "0" } else { "-1" });
                at = at.or_else(|| is_stop.then(|| cell.element.clone()));
            }
        }
        at
    }

    /// Goes where a key leads; `None` for a key that means nothing here.
    fn step(&mut self, event: &KeyboardEvent) -> Option<HtmlElement> {
        let from = CellPosition {
            query: self.stop.0,
            key: Some(self.stop.1),
        };
        let step = Move::from_key(&event.key(), event.ctrl_key())?;
        let to = step.apply(Some(from), self.heads, self.heads)?;
        self.stop = (to.query, to.key?);
        self.write_stop()
    }
}

fn written(alike: Option<f64>) -> String {
    alike.map_or_else(|| "–".to_owned(), |alike| format!("{alike:.2}"))
}

fn pair(one: usize, other: usize, alike: Option<f64>, language: Language) -> String {
    let [one, other] = [one, other].map(|head| names::number(head, language));
    let value = written(alike);
    text::analysis_pair(language, &one, &other, &value)
}

/// The colour of a value in 0 … 1, with an ink that can be read on it.
fn colours(alike: f64, lut: &Lut) -> (String, &'static str) {
    let index = (255.0 * alike) as u8;
    let [r, g, b, _] = lut.colour(index);
    let ink = match lut.ink(index) {
        Ink::Black => "#000",
        Ink::White => "#fff",
    };
    (format!("rgb({r} {g} {b})"), ink)
}

fn listen(
    table: &HtmlElement,
    inner: &Rc<RefCell<Inner>>,
    choose: impl Fn(usize) + 'static,
) -> Vec<Listener> {
    let on = |event: &'static str, act: fn(&mut Inner, &Event)| {
        let inner = Rc::downgrade(inner);
        Listener::new(table, event, move |event| {
            if let Some(inner) = inner.upgrade()
                && let Ok(mut inner) = inner.try_borrow_mut()
            {
                act(&mut inner, &event);
            }
        })
    };
    let choose = Rc::new(choose);
    let on_row = {
        let choose = Rc::clone(&choose);
        Listener::new(table, "click", move |event| {
            row_of(&event).into_iter().for_each(|row| choose(row));
        })
    };
    let walker = Rc::downgrade(inner);
    let on_key = Listener::new(table, "keydown", move |event| {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        if key.alt_key() || key.meta_key() {
            return;
        }
        if matches!(key.key().as_str(), "Enter" | " ") {
            event.prevent_default();
            row_of(&event).into_iter().for_each(|row| choose(row));
            return;
        }
        let to = walker
            .upgrade()
            .and_then(|inner| inner.try_borrow_mut().ok()?.step(key));
        if let Some(to) = to {
            event.prevent_default();
            // Fails only for an element that is not on the page.
            let _ = to.focus();
        }
    });
    vec![
        on("pointerover", |inner, event| {
            inner.say(cell(event).as_ref())
        }),
        on("focusin", |inner, event| inner.say(cell(event).as_ref())),
        on("pointerleave", |inner, _| inner.say(None)),
        on("focusout", |inner, _| inner.say(None)),
        on_row,
        on_key,
    ]
}

/// The cell that an event happened in.
fn cell(event: &Event) -> Option<Element> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest("td").ok()?
}

/// The head of the row that an event happened in.
fn row_of(event: &Event) -> Option<usize> {
    let row = cell(event)?.parent_element()?;
    row.get_attribute("data-head")?.parse().ok()
}
