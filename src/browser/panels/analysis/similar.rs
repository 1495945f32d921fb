//! The similarity of every two heads, as a small map.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent};

use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::view::View;
use app::present::similar_heads::SimilarHeads as Model;
use app::scene::hit::{CellPosition, Move};
use app::views::similar_heads::similar_heads;

/// The grid, with one Tab stop. It handles hover and keys itself, so it keeps its last data.
pub(super) struct SimilarHeads(Rc<RefCell<Inner>>);

struct Inner {
    table: HtmlElement,
    grid: View,
    value: Text,
    step: Text,
    shown: Model,
    /// The cell that the keyboard stops at.
    stop: (usize, usize),
    _listeners: Vec<Listener>,
}

impl SimilarHeads {
    /// `choose` is called with the head whose row is pressed.
    pub(super) fn new(root: &Root, choose: impl Fn(usize) + 'static) -> Result<Self, MissingPart> {
        let table: HtmlElement = root.find("#chart-similar table")?;
        let inner = Rc::new(RefCell::new(Inner {
            grid: View::new(table.clone().into()),
            value: Text::find(root, "#chart-similar .value")?,
            step: Text::find(root, "#similar-step")?,
            table: table.clone(),
            shown: Model::default(),
            stop: (0, 0),
            _listeners: Vec::new(),
        }));
        let listeners = listen(&table, &inner, choose);
        inner.borrow_mut()._listeners = listeners;
        Ok(Self(inner))
    }

    pub(super) fn update(&mut self, shown: Model) {
        if let Ok(mut inner) = self.0.try_borrow_mut() {
            inner.update(shown);
        }
    }
}

impl Inner {
    fn update(&mut self, shown: Model) {
        let last = shown.heads.saturating_sub(1);
        self.stop = (self.stop.0.min(last), self.stop.1.min(last));
        self.shown = shown;
        dom::set_flag(&self.table, "data-dense", self.shown.is_dense());
        self.grid.update(similar_heads(&self.shown, self.stop));
        self.step.set_text(&self.shown.step);
        self.show_pair(None);
    }

    /// Shows the similarity of a cell's pair; without a cell, that of the chosen head and the one
    /// most similar to it.
    fn show_pair(&mut self, cell: Option<&Element>) {
        let label = cell.and_then(|cell| cell.get_attribute("aria-label"));
        self.value
            .set_text(label.as_deref().unwrap_or(&self.shown.nearest));
    }

    /// Goes where a key leads; `None` for a key that means nothing here.
    fn step(&mut self, event: &KeyboardEvent) -> Option<HtmlElement> {
        let from = CellPosition {
            query: self.stop.0,
            key: Some(self.stop.1),
        };
        let step = Move::from_key(&event.key(), event.ctrl_key())?;
        let to = step.apply(Some(from), self.shown.heads, self.shown.heads)?;
        self.stop = (to.query, to.key?);
        self.grid.update(similar_heads(&self.shown, self.stop));
        self.grid.all("[tabindex='0']").pop()
    }
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
            inner.show_pair(cell(event).as_ref())
        }),
        on("focusin", |inner, event| {
            inner.show_pair(cell(event).as_ref())
        }),
        on("pointerleave", |inner, _| inner.show_pair(None)),
        on("focusout", |inner, _| inner.show_pair(None)),
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
