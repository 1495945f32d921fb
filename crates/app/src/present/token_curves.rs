//! One head as curves between tokens: which token is looked at, and the weights between it and the others.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": impl TokenCurves);

use crate::i18n::number::CellStyle;
use crate::i18n::{Key, Language, text};
use crate::present::run::Run;
use crate::scene::curves::{self, Columns, Draw, LEAST, MOST};
use crate::scene::shape::Shape;
use crate::scene::svg;

/// Width of the drawing, which the style sheet stretches to the room there is.
pub const WIDTH: f64 = 100.0;
/// How high a token is: as the room allows, which a long text scrolls in.
const ROW: (f64, f64) = (24.0, 44.0);

/// A token of one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// On the left.
    Query(usize),
    /// On the right.
    Key(usize),
}

impl Token {
    /// As the view names it.
    pub fn name(self) -> String {
        match self {
            Self::Query(at) => format!("query {at}"),
            Self::Key(at) => format!("key {at}"),
        }
    }

    /// The token of such a name.
    pub fn from_name(name: &str) -> Option<Self> {
        let (side, at) = name.split_once(' ')?;
        let at = at.parse().ok()?;
        match side {
            "query" => Some(Self::Query(at)),
            "key" => Some(Self::Key(at)),
            _ => None,
        }
    }
}

/// Data of the view.
#[derive(Default)]
pub struct TokenCurves {
    /// `[queries, keys]` of the head that is drawn; none while there are too many of either.
    weights: Vec<f32>,
    tokens: [Vec<String>; 2],
    /// Every curve that is strong enough to be seen, as SVG.
    pub all: String,
    /// What is said below them.
    pub note: String,
    /// Height of a token.
    pub row_height: f64,
    /// The row that the page reads.
    pub row: usize,
    /// The query and the key that are chosen.
    pub chosen: [Option<usize>; 2],
    /// The token under the pointer or the focus.
    pub held: Option<Token>,
}

/// A token as it stands in its column.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveToken<'a> {
    pub name: String,
    pub token: &'a str,
    /// Its weight to the token that is shown; empty on that token's own side.
    pub value: String,
    /// The same from 0 to 1; 0 where there is none.
    pub share: f64,
    /// Whether Tab stops here.
    pub is_stop: bool,
    pub is_chosen: bool,
}

/// That weights below this one have no curve.
pub fn smallest_drawn(language: Language, least: f32) -> String {
    text::curves_least(language, &CellStyle::THREE_DECIMALS.write(least))
}

impl TokenCurves {
    /// Takes the weights of a head, where their curves can be told apart, into a room of this height.
    pub fn take_head(&mut self, run: &Run, head: usize, room: f64, language: Language) {
        let [queries, keys] = [run.queries.len(), run.keys.len()];
        let is_drawn = queries.max(keys) <= MOST && queries.min(keys) > 0;
        self.weights.clear();
        self.tokens = [Vec::new(), Vec::new()];
        if !is_drawn {
            self.note = refusal(queries, keys, language);
            return;
        }
        self.weights.extend_from_slice(run.head(head));
        self.tokens = [run.queries.clone(), run.keys.clone()];
        self.row_height = (room / queries.max(keys) as f64)
            .floor()
            .clamp(ROW.0, ROW.1);
        let least = curves::least(&self.weights);
        self.note = smallest_drawn(language, least);
        self.all = svg::on_page(&[self.strands(None, least)]);
    }

    /// Whether anything is drawn.
    pub fn is_drawn(&self) -> bool {
        !self.weights.is_empty()
    }

    /// Height of the drawing.
    pub fn height(&self) -> f64 {
        self.row_height * self.tokens[0].len().max(self.tokens[1].len()) as f64
    }

    /// The token that is held, where it still is one.
    pub fn held(&self) -> Option<Token> {
        self.held.filter(|token| self.has(*token))
    }

    /// The token whose curves stand out: the one that is held, or the row.
    pub fn shown(&self) -> Option<Token> {
        let row = Token::Query(self.row);
        self.held().or(Some(row).filter(|row| self.has(*row)))
    }

    /// The tokens of a side, queries or keys, with their weights to the one that is shown.
    pub fn column(&self, side: usize, shown: Token) -> impl Iterator<Item = CurveToken<'_>> {
        let stop = match (side, self.held()) {
            (0, Some(Token::Query(at))) | (1, Some(Token::Key(at))) => at,
            _ => self.chosen[side].unwrap_or(0),
        };
        let tokens = self.tokens[side].iter().enumerate();
        tokens.map(move |(at, token)| {
            let weight = self.weight(side, at, shown);
            let own = match side {
                0 => Token::Query(at),
                _ => Token::Key(at),
            };
            CurveToken {
                name: own.name(),
                token,
                value: weight.map_or_else(String::new, |weight| CellStyle::WEIGHT.write(weight)),
                share: f64::from(weight.unwrap_or(0.0).clamp(0.0, 1.0)),
                is_stop: stop == at,
                is_chosen: self.chosen[side] == Some(at),
            }
        })
    }

    /// The curves of a token, as SVG.
    pub fn of_token(&self, token: Token) -> String {
        svg::on_page(&[self.strands(Some(token), LEAST)])
    }

    fn has(&self, token: Token) -> bool {
        match token {
            Token::Query(at) => at < self.tokens[0].len(),
            Token::Key(at) => at < self.tokens[1].len(),
        }
    }

    /// The weight between a token of a side and the one that is shown; `None` on its own side.
    fn weight(&self, side: usize, at: usize, shown: Token) -> Option<f32> {
        let (query, key) = match (side, shown) {
            (0, Token::Key(key)) => (at, key),
            (1, Token::Query(query)) => (query, at),
            _ => return None,
        };
        self.weights
            .get(query * self.tokens[1].len() + key)
            .copied()
    }

    fn strands(&self, token: Option<Token>, least: f32) -> Shape {
        let [mut queries, mut keys] = [0, 1].map(|side: usize| 0..self.tokens[side].len());
        match token {
            Some(Token::Query(at)) => queries = at..at + 1,
            Some(Token::Key(at)) => keys = at..at + 1,
            None => {}
        }
        let columns = Columns {
            width: WIDTH,
            row: self.row_height,
        };
        let draw = Draw {
            row: self.tokens[1].len(),
            queries,
            keys,
            least,
            columns,
        };
        Shape::Strands {
            x: 0.0,
            y: 0.0,
            width: WIDTH,
            strands: curves::strands(&self.weights, &draw),
        }
    }
}

/// Why no curves are drawn.
fn refusal(queries: usize, keys: usize, language: Language) -> String {
    if queries.min(keys) == 0 {
        return Key::NoteNoTokens.text(language).to_owned();
    }
    text::curves_too_many(language, &MOST, &queries, &keys)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;

    fn drawn(link: &str) -> (Run, TokenCurves) {
        let run = computed(link);
        let mut curves = TokenCurves::default();
        curves.take_head(&run, 1, 400.0, Language::En);
        (run, curves)
    }

    const LINK: &str = "text=a+b+c&source=d+e&heads=2&weights=random";

    #[test]
    fn the_other_side_has_the_weights_of_the_token_that_is_shown() {
        let (run, curves) = drawn(LINK);
        let weights = run.head(1);
        let shares = |side, shown| -> Vec<f64> {
            let tokens = curves.column(side, shown);
            tokens.map(|token| token.share).collect()
        };
        let share = |at: usize| f64::from(weights[at]);
        assert_eq!(shares(1, Token::Query(2)), [share(4), share(5)]);
        assert_eq!(shares(0, Token::Query(2)), [0.0; 3]);
        assert_eq!(shares(0, Token::Key(1)), [1, 3, 5].map(share));
    }

    #[test]
    fn tokens_take_the_height_that_there_is_within_limits() {
        let run = computed(LINK);
        let mut curves = TokenCurves::default();
        for (room, height) in [(0.0, 24.0), (100.0, 33.0), (1000.0, 44.0)] {
            curves.take_head(&run, 1, room, Language::En);
            assert_eq!((curves.row_height, curves.height()), (height, 3.0 * height));
        }
    }

    #[test]
    fn tab_stops_at_the_token_that_is_held_or_else_at_the_chosen_one() {
        let (_, mut curves) = drawn(LINK);
        let stop = |curves: &TokenCurves, side| {
            let mut tokens = curves.column(side, Token::Query(0));
            tokens.position(|token| token.is_stop)
        };
        assert_eq!(stop(&curves, 0), Some(0));
        curves.chosen = [Some(1), None];
        assert_eq!(stop(&curves, 0), Some(1));
        curves.held = Some(Token::Query(2));
        assert_eq!((stop(&curves, 0), stop(&curves, 1)), (Some(2), Some(0)));
    }

    #[test]
    fn a_token_that_is_gone_is_held_no_longer() {
        let (_, mut curves) = drawn(LINK);
        curves.held = Some(Token::Key(1));
        assert_eq!(curves.shown(), Some(Token::Key(1)));
        curves.held = Some(Token::Key(2));
        assert_eq!(curves.shown(), Some(Token::Query(0)));
        curves.row = 3;
        assert_eq!(curves.shown(), None);
    }

    #[test]
    fn nothing_is_drawn_without_tokens_or_with_too_many() {
        let long = "a+".repeat(MOST + 1);
        for link in [
            "text=&heads=2&weights=random",
            &format!("text={long}&heads=2&weights=random"),
        ] {
            let run = computed(link);
            let mut curves = TokenCurves::default();
            curves.take_head(&run, 1, 400.0, Language::En);
            assert!(!curves.note.is_empty() && !curves.is_drawn(), "{link}");
        }
    }
}
