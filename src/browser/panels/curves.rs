//! The other view of the map: one head as curves from query tokens to key tokens. Pointing at a token highlights its curves; choosing one selects its row,
//! or the cell of its column.

wasm_chunks::chunk!("more");

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent};

use crate::browser::dom::{self, Attribute, MissingPart, Property, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::map::Pointed;
use crate::browser::sender::Sender;
use crate::browser::view::View;
use app::i18n::Key;
use app::message::Highlight;
use app::present::address_history::Change;
use app::present::roving;
use app::present::token_curves::{Token, TokenCurves, WIDTH};
use app::scene::svg;
use app::state::{Action, Cell, Field, MapView, Value};
use app::views::curves;
use app::{ChunkState, Chunks as _, WITH_PANELS};

/// The view. What the pointer does is shown at once, apart from any picture of the page.
pub(crate) struct Curves {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<Listener>,
}

struct Inner {
    board: HtmlElement,
    row: Property,
    drawing: [Attribute; 2],
    all: Element,
    own: Element,
    sides: [View; 2],
    note: Text,
    /// Which picture the button beside the heading saves.
    saved: Attribute,
    curves: TokenCurves,
}

impl Curves {
    /// A query that is chosen becomes the row, a key the cell of that row; what is pointed at is pointed out on the map as well.
    pub(crate) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let lists: [Element; 2] = [root.find("#curves-queries")?, root.find("#curves-keys")?];
        let drawing: Element = root.find("#curves-lines")?;
        let board: HtmlElement = root.find("#curves")?;
        let inner = Inner {
            row: Property::new(board.clone(), "--row"),
            board,
            saved: Attribute::new(root.find::<Element>("#save")?, "data-picture"),
            drawing: ["viewBox", "height"].map(|name| Attribute::new(drawing.clone(), name)),
            all: root.find("#curves-lines .all")?,
            own: root.find("#curves-lines .own")?,
            sides: lists.clone().map(View::new),
            note: Text::find(root, "#curves-note")?,
            curves: TokenCurves::default(),
        };
        let inner = Rc::new(RefCell::new(inner));
        let makers: [fn(usize) -> Token; 2] = [Token::Query, Token::Key];
        let listeners = lists
            .iter()
            .zip(makers)
            .flat_map(|(list, token)| listen(list, token, &inner, sender));
        Ok(Self {
            _listeners: listeners.collect(),
            inner,
        })
    }
}

impl Curves {
    /// Shows another picture: other numbers, settings or words.
    pub(crate) fn update(&self, context: &ViewContext<'_>) {
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            let is_asked = context.state.view == MapView::Curves;
            let is_shown = is_asked && context.chunks.has(WITH_PANELS);
            if is_shown {
                inner.draw(context);
            } else if is_asked {
                dom::set_flag(&inner.board, "hidden", true);
                inner
                    .note
                    .set_text(match context.chunks.state(WITH_PANELS) {
                        ChunkState::Missing => Key::PartMissing.text(context.language),
                        _ => "",
                    });
            }
            let is_saved = is_shown && inner.curves.is_drawn();
            inner.saved.set(if is_saved { "curves" } else { "map" });
        }
    }

    /// Shows what is pointed out.
    pub(crate) fn point(&self, context: &ViewContext<'_>) {
        if context.state.view == MapView::Map || !context.chunks.has(WITH_PANELS) {
            return;
        }
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            let cell = context.state.cell;
            inner.curves.row = context.row;
            inner.curves.chosen = [
                Some(cell.map_or(context.row, |cell| cell.query)),
                cell.and_then(|cell| cell.key),
            ];
            inner.point();
        }
    }
}

impl Inner {
    fn draw(&mut self, context: &ViewContext<'_>) {
        let room = context.room.plot_height;
        let note = (self.curves).take_head(context.run, context.head, room, context.language);
        self.note.set_text(&note);
        dom::set_flag(&self.board, "hidden", !self.curves.is_drawn());
        if !self.curves.is_drawn() {
            return;
        }
        let height = self.curves.height();
        self.row.set(&format!("{}px", self.curves.row_height));
        self.drawing[0].set(&format!("0 0 {WIDTH} {height}"));
        self.drawing[1].set(&height.to_string());
        self.all.set_inner_html(&svg::on_page(&[self.curves.all()]));
    }

    /// Shows which token is pointed out, and which row and column are chosen.
    fn point(&mut self) {
        let Some(shown) = self.curves.shown() else {
            return;
        };
        self.own
            .set_inner_html(&svg::on_page(&[self.curves.of_token(shown)]));
        dom::set_flag(&self.board, "data-isolated", self.curves.held().is_some());
        for (side, view) in self.sides.iter_mut().enumerate() {
            view.update(curves::column(self.curves.column(side, shown)));
        }
    }
}

fn listen(
    list: &Element,
    token: fn(usize) -> Token,
    inner: &Rc<RefCell<Inner>>,
    sender: &Sender,
) -> Vec<Listener> {
    let hold = |event, is_over: bool| {
        let (inner, sender) = (Rc::clone(inner), sender.clone());
        Listener::new(list, event, move |event| {
            let held = token_index(&event).filter(|_| is_over).map(token);
            // Elements that are taken away while something is drawn lose the focus: that is of our own making.
            if let Ok(mut inner) = inner.try_borrow_mut() {
                inner.curves.held = held;
                inner.point();
            }
            sender.highlight(hint(held));
        })
    };
    let (of, choose, keys) = (Rc::clone(inner), sender.clone(), list.clone());
    vec![
        hold("pointerover", true),
        hold("pointerleave", false),
        hold("focusin", true),
        hold("focusout", false),
        Listener::new(list, "click", move |event| {
            let Some(token) = token_index(&event).map(token) else {
                return;
            };
            let row = of
                .try_borrow_mut()
                .map_or(0, |mut inner| inner.curves.choose(token));
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
fn choose_token(token: Token, row: usize, sender: &Sender) {
    let (query, key) = match token {
        Token::Query(query) => (query, None),
        Token::Key(key) => (row, Some(key)),
    };
    let cell = Value::Cell(Cell { query, key });
    sender.act(Action::Set(Field::Cell, cell), Change::Commit);
}

/// Which token of a column an event happened on.
fn token_index(event: &Event) -> Option<usize> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let button = target.closest("button").ok()??;
    button.get_attribute("data-at")?.parse().ok()
}

/// Moves the focus along a column, which is a single stop for Tab.
fn step(list: &Element, event: &Event) {
    let (Some(from), Some(press)) = (token_index(event), event.dyn_ref::<KeyboardEvent>()) else {
        return;
    };
    let count = list.child_element_count() as usize;
    let Some(to) = roving::target(&press.key(), ["ArrowUp", "ArrowDown"], from, count) else {
        return;
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
