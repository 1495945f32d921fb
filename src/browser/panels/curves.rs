//! One head as curves from query tokens to key tokens. Pointing at a token highlights its curves; choosing one selects its row,
//! or the cell of its column.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent};

use super::keyed_list::{Row, Rows};
use crate::browser::controls::Act;
use crate::browser::dom::{self, Attribute, MissingPart, Property, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::map::Pointed;
use crate::browser::panels::registry::{Highlight, Hints, PanelView};
use crate::i18n::number::CellStyle;
use crate::i18n::{Key, Language, text};
use crate::present::address_history::Change;
use crate::scene::curves::{self, Columns, Draw, LEAST, MOST};
use crate::scene::shape::Shape;
use crate::scene::svg;
use crate::state::steps::{Axis, axes, begins_with_queries, shown};
use crate::state::{Action, Cell, Field, StepKind, Value};

/// As in the style sheet, where a token is this high and the drawing is stretched to the width that there is.
const COLUMNS: Columns = Columns {
    width: 100.0,
    row: 24.0,
};
const STYLE: CellStyle = CellStyle {
    decimals: 2,
    leading_zero: false,
};

/// For the smallest weight that is drawn.
const LEAST_STYLE: CellStyle = CellStyle {
    decimals: 3,
    leading_zero: true,
};

/// A token of one column.
#[derive(Clone, Copy)]
enum Token {
    /// On the left.
    Query(usize),
    /// On the right.
    Key(usize),
}

/// The panel's body. What the pointer does is shown at once, apart from any picture of the page.
pub(crate) struct Curves {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<Listener>,
}

struct Inner {
    board: HtmlElement,
    drawing: [Attribute; 2],
    all: Element,
    own: Element,
    sides: [Rows<Item>; 2],
    note: Text,
    /// `[queries, keys]` of the head that is drawn; none while there are too many of either.
    weights: Vec<f32>,
    size: [usize; 2],
    /// The row that the page reads.
    row: usize,
    /// The query and the key that are chosen.
    chosen: [Option<usize>; 2],
    /// The token under the pointer or the focus.
    held: Option<Token>,
}

struct Item {
    item: Element,
    token: Text,
    value: Text,
    weight: Property,
    stop: Attribute,
    state: Attribute,
}

impl Row for Item {
    fn make(parent: &Element, at: usize) -> Option<Self> {
        let item: Element = dom::append(parent, "li", "")?;
        let button: Element = dom::append(&item, "button", "")?;
        dom::set(&button, "type", "button");
        dom::set(&button, "data-at", &at.to_string());
        let token: Element = dom::append(&button, "span", "token")?;
        let value: Element = dom::append(&button, "span", "value")?;
        Some(Self {
            token: Text::new(token),
            value: Text::new(value),
            weight: Property::new(button.clone(), "--weight"),
            stop: Attribute::new(button.clone(), "tabindex"),
            state: Attribute::new(button.clone(), "aria-pressed"),
            item,
        })
    }

    fn element(&self) -> &Element {
        &self.item
    }
}

impl Curves {
    /// A query that is chosen becomes the row, a key the cell of that row, through `act`; what is pointed at is pointed
    /// out on the map as well, through `hints`.
    pub(crate) fn new(root: &Root, act: &Act, hints: &Hints) -> Result<Self, MissingPart> {
        let lists: [Element; 2] = [root.find("#curves-queries")?, root.find("#curves-keys")?];
        let drawing: Element = root.find("#curves-lines")?;
        let inner = Inner {
            board: root.find("#curves")?,
            drawing: ["viewBox", "height"].map(|name| Attribute::new(drawing.clone(), name)),
            all: root.find("#curves-lines .all")?,
            own: root.find("#curves-lines .own")?,
            sides: lists.clone().map(Rows::new),
            note: Text::find(root, "#curves-note")?,
            weights: Vec::new(),
            size: [0; 2],
            row: 0,
            chosen: [None; 2],
            held: None,
        };
        let inner = Rc::new(RefCell::new(inner));
        let makers: [fn(usize) -> Token; 2] = [Token::Query, Token::Key];
        let listeners = lists
            .iter()
            .zip(makers)
            .flat_map(|(list, token)| listen(list, token, &inner, act, hints));
        Ok(Self {
            _listeners: listeners.collect(),
            inner,
        })
    }
}

impl PanelView for Curves {
    fn update(&mut self, sight: &ViewContext<'_>) {
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            inner.draw(sight);
        }
    }

    fn point(&mut self, sight: &ViewContext<'_>) {
        let step = shown(sight.state);
        let is_query =
            |cell: &Cell| begins_with_queries(step) && cell.query < sight.run.queries.len();
        let cell = sight.state.cell.filter(is_query);
        let key = cell.and_then(|cell| cell.key);
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            inner.row = sight.row;
            // Where the map has no queries, the row that is read is the chosen one.
            inner.chosen = [
                Some(cell.map_or(sight.row, |cell| cell.query)),
                key.filter(|_| axes(step)[1] == Axis::Keys),
            ];
            inner.point();
        }
    }
}

impl Inner {
    /// Takes a query as the row at once, as the next choice may come before the next picture. Returns the row.
    fn choose(&mut self, token: Token) -> usize {
        if let Token::Query(query) = token {
            self.chosen[0] = Some(query);
        }
        self.chosen[0].unwrap_or(0)
    }

    fn draw(&mut self, sight: &ViewContext<'_>) {
        let ViewContext {
            run,
            head,
            language,
            ..
        } = *sight;
        let [queries, keys] = [run.queries.len(), run.keys.len()];
        let is_shown = queries.max(keys) <= MOST && queries.min(keys) > 0;
        self.size = if is_shown { [queries, keys] } else { [0; 2] };
        dom::set_flag(&self.board, "hidden", !is_shown);
        self.weights.clear();
        if !is_shown {
            return self.note.set_text(&none(queries, keys, language));
        }
        self.weights.extend_from_slice(run.head(head));
        let least = curves::least(&self.weights);
        let written = LEAST_STYLE.write(least);
        self.note.set_text(&text::curves_least(language, &written));
        let height = COLUMNS.row * queries.max(keys) as f64;
        self.drawing[0].set(&format!("0 0 {} {height}", COLUMNS.width));
        self.drawing[1].set(&height.to_string());
        self.all.set_inner_html(&self.strands(None, least));
        for (side, tokens) in self.sides.iter_mut().zip([&run.queries, &run.keys]) {
            for (item, token) in side.take(tokens.len()).iter_mut().zip(tokens) {
                item.token.set_text(token);
            }
        }
    }

    /// Shows which token is pointed out, and which row and column are chosen.
    fn point(&mut self) {
        let [queries, keys] = self.size;
        let is_there = |token: &Token| match *token {
            Token::Query(at) => at < queries,
            Token::Key(at) => at < keys,
        };
        let held = self.held.filter(is_there);
        let row = Token::Query(self.row);
        let Some(shown) = held.or(Some(row).filter(is_there)) else {
            return;
        };
        self.own.set_inner_html(&self.strands(Some(shown), LEAST));
        dom::set_flag(&self.board, "data-isolated", held.is_some());
        for side in 0..2 {
            let stop = match (side, held) {
                (0, Some(Token::Query(at))) | (1, Some(Token::Key(at))) => at,
                _ => self.chosen[side].unwrap_or(0),
            };
            let weights: Vec<Option<f32>> = (0..self.size[side])
                .map(|at| self.weight(side, at, shown))
                .collect();
            let items = self.sides[side].take(weights.len());
            for (at, (item, weight)) in items.iter_mut().zip(weights).enumerate() {
                item.update(weight, stop == at, self.chosen[side] == Some(at));
            }
        }
    }

    /// The weight between a token of a side and the one that is shown; `None` on its own side.
    fn weight(&self, side: usize, at: usize, shown: Token) -> Option<f32> {
        let (query, key) = match (side, shown) {
            (0, Token::Key(key)) => (at, key),
            (1, Token::Query(query)) => (query, at),
            _ => return None,
        };
        self.weights.get(query * self.size[1] + key).copied()
    }

    fn strands(&self, token: Option<Token>, least: f32) -> String {
        let [mut queries, mut keys] = self.size.map(|length| 0..length);
        match token {
            Some(Token::Query(at)) => queries = at..at + 1,
            Some(Token::Key(at)) => keys = at..at + 1,
            None => {}
        }
        let draw = Draw {
            row: self.size[1],
            queries,
            keys,
            least,
            columns: COLUMNS,
        };
        svg::on_page(&[Shape::Strands {
            x: 0.0,
            y: 0.0,
            width: COLUMNS.width,
            strands: curves::strands(&self.weights, &draw),
        }])
    }
}

/// Why no curves are drawn.
fn none(queries: usize, keys: usize, language: Language) -> String {
    if queries.min(keys) == 0 {
        return Key::NoteNoTokens.text(language).to_owned();
    }
    text::curves_too_many(language, &MOST, &queries, &keys)
}

impl Item {
    fn update(&mut self, weight: Option<f32>, is_stop: bool, is_chosen: bool) {
        self.value
            .set_text(&weight.map_or_else(String::new, |w| STYLE.write(w)));
        let share = 100.0 * weight.unwrap_or(0.0).clamp(0.0, 1.0);
        self.weight.set(&format!("{share:.1}%"));
        self.stop.set(if is_stop { "0" } else { "-1" });
        self.state.set(if is_chosen { "true" } else { "false" });
    }
}

fn listen(
    list: &Element,
    token: fn(usize) -> Token,
    inner: &Rc<RefCell<Inner>>,
    act: &Act,
    hints: &Hints,
) -> Vec<Listener> {
    let hold = |event, is_over: bool| {
        let (inner, hints) = (Rc::clone(inner), Rc::clone(hints));
        Listener::new(list, event, move |event| {
            let held = place(&event).filter(|_| is_over).map(token);
            // Elements that are taken away while something is drawn lose the focus: that is of our own making.
            if let Ok(mut inner) = inner.try_borrow_mut() {
                inner.held = held;
                inner.point();
            }
            hints(hint(held));
        })
    };
    let (of, choose, keys) = (Rc::clone(inner), Rc::clone(act), list.clone());
    vec![
        hold("pointerover", true),
        hold("pointerleave", false),
        hold("focusin", true),
        hold("focusout", false),
        Listener::new(list, "click", move |event| {
            let Some(token) = place(&event).map(token) else {
                return;
            };
            let row = of
                .try_borrow_mut()
                .map_or(0, |mut inner| inner.choose(token));
            choose_token(token, row, &choose);
        }),
        Listener::new(list, "keydown", move |event| step(&keys, &event)),
    ]
}

/// The same token on the map.
fn hint(token: Option<Token>) -> Highlight {
    let (query, key) = match token {
        None => return Highlight::Nothing,
        Some(Token::Query(query)) => (Some(query), None),
        Some(Token::Key(key)) => (None, Some(key)),
    };
    Highlight::At(Pointed { query, key })
}

/// A query becomes the row. A key becomes the cell of the row, which is one of the weights.
fn choose_token(token: Token, row: usize, act: &Act) {
    let (query, key) = match token {
        Token::Query(query) => (query, None),
        Token::Key(key) => (row, Some(key)),
    };
    if key.is_some() {
        let weights = Value::Choice(StepKind::Weights.name());
        act(Action::Set(Field::Step, weights), Change::Commit);
    }
    let cell = Value::Cell(Cell { query, key });
    act(Action::Set(Field::Cell, cell), Change::Commit);
}

/// Which token of a column an event happened on.
fn place(event: &Event) -> Option<usize> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let button = target.closest("button").ok()??;
    button.get_attribute("data-at")?.parse().ok()
}

/// Moves the focus along a column, which is a single stop for Tab.
fn step(list: &Element, event: &Event) {
    let (Some(from), Some(press)) = (place(event), event.dyn_ref::<KeyboardEvent>()) else {
        return;
    };
    let last = (list.child_element_count() as usize).saturating_sub(1);
    let to = match press.key().as_str() {
        "ArrowDown" => (from + 1).min(last),
        "ArrowUp" => from.saturating_sub(1),
        "Home" => 0,
        "End" => last,
        _ => return,
    };
    event.prevent_default();
    let button = list.query_selector(&format!("[data-at=\"{to}\"]"));
    let button = button
        .ok()
        .flatten()
        .and_then(|it| it.dyn_into::<HtmlElement>().ok());
    if let Some(button) = button {
        // Fails for elements that cannot have the focus.
        let _ = button.focus();
    }
}
