//! The head as curves: what is done with its tokens.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": shows_curves);

use super::{App, WITH_PANELS};
use crate::message::Highlight;
use crate::present::address_history::Change;
use crate::present::panel::PanelEvent;
use crate::present::token_curves::Token;
use crate::scene::hit::Pointed;
use crate::state::{Action, Cell, Field, MapView, Value};

impl App {
    /// Whether the head is shown as curves; `false` while their code is on its way.
    pub fn shows_curves(&self) -> bool {
        self.state.view == MapView::Curves && self.chunks.has(WITH_PANELS)
    }

    /// Takes what is pointed out and chosen, and the head's weights where there is another picture, into a room of this height.
    #[inline(never)]
    pub fn follow_curves(&mut self, room: Option<f64>) {
        let (head, query, key) = (self.head(), self.query_of_curves(), self.locked_key());
        self.curves.row = self.row();
        self.curves.chosen = [Some(query), key];
        if let (Some(run), Some(room)) = (&self.main.run, room) {
            self.curves.take_head(run, head, room, self.language);
        }
    }

    /// Handles an event on a token.
    #[inline(never)]
    pub(super) fn use_curves(&mut self, event: PanelEvent) {
        match event {
            PanelEvent::Hover(token) => {
                let held = token.and_then(|token| Token::from_name(&token));
                self.curves.held = held;
                self.highlight(same_on_map(held));
            }
            PanelEvent::Press(token) => {
                if let Some(token) = Token::from_name(&token) {
                    self.choose_token(token);
                }
            }
            _ => {}
        }
    }

    /// A query becomes the row. A key becomes the cell of the row, which is one of the weights.
    fn choose_token(&mut self, token: Token) {
        let (query, key) = match token {
            Token::Query(query) => (query, None),
            Token::Key(key) => (self.query_of_curves(), Some(key)),
        };
        let cell = Value::Cell(Cell { query, key });
        self.act(Action::Set(Field::Cell, cell), Change::Commit);
    }

    /// The chosen query, or else the one that is read.
    fn query_of_curves(&self) -> usize {
        self.state
            .cell
            .map_or_else(|| self.row(), |cell| cell.query)
    }
}

/// The same token on the map.
fn same_on_map(token: Option<Token>) -> Highlight {
    let (query, key) = match token {
        None => return Highlight::Nothing,
        Some(Token::Query(query)) => (Some(query), None),
        Some(Token::Key(key)) => (None, Some(key)),
    };
    Highlight::At(Pointed { query, key })
}
