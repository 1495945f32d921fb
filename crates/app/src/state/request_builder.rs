//! Builds the request of a state: tokens, inputs, weights, mask, options.

wasm_chunks::chunk!("more": same_anywhere);

mod cache;
mod imported;
mod layer;
mod mask;
mod own_rule;
mod recent;
mod rows;

use std::borrow::Cow;
use std::ops::Range;

use super::{Field, Hiding, Origin, Panel, PositionKind, State, StepKind, learned, steps};
use attention::text::{Tokens, tokenize, xavier};
use attention::{
    CallOptions, Error, Linformer, Mask, Outputs, Pairs, Places, Position, Request, Rotation,
};
use engine::BackendChoice;

/// The tokens of both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The rows of the map.
    pub queries: Tokens,
    /// The columns, where they come from a second text; `None` where they are the rows again.
    pub source: Option<Tokens>,
}

impl Sides {
    /// Names of the positions: the tokens; with two texts, the number and the token of each text.
    pub fn positions(&self) -> Cow<'_, [String]> {
        let queries = &self.queries.words;
        let Some(Tokens { words: keys, .. }) = &self.source else {
            return Cow::Borrowed(queries);
        };
        let token = |of: &'_ [String], at: usize| of.get(at).map_or("–", String::as_str).to_owned();
        let name = |at| format!("{} {} / {}", at + 1, token(queries, at), token(keys, at));
        (0..queries.len().max(keys.len())).map(name).collect()
    }

    /// How many queries and keys there are.
    pub fn lengths(&self) -> (usize, usize) {
        (self.queries.words.len(), self.keys().words.len())
    }

    /// The columns of the map.
    pub fn keys(&self) -> &Tokens {
        self.source.as_ref().unwrap_or(&self.queries)
    }
}

/// The score written over hidden cells when they are not left out.
pub const WRITTEN: f32 = -1e9;

/// Splits both texts of a state. Imported rows are named by the labels of their file, otherwise by
/// the sentence if it has as many tokens, otherwise by numbers.
pub fn tokens(state: &State) -> Sides {
    let read = (state.origin == Origin::Learned).then(|| learned::tokens(&state.text));
    let sides = Sides {
        queries: read.flatten().unwrap_or_else(|| tokenize(&state.text)),
        source: state.second.as_deref().map(tokenize),
    };
    let imported = state.imported.as_ref();
    let Some((imported, (n, m))) = imported.and_then(|own| Some((own, own.lengths()?))) else {
        return sides;
    };
    let names = imported.names();
    let pieces = |text: &str, tokens: Tokens, length| {
        let is_whole = tokens.words.len() == length;
        if is_whole {
            tokens
        } else {
            spaced(text, length).unwrap_or(tokens)
        }
    };
    let second = state.second.as_deref().unwrap_or_default();
    let keys = sides.source.map(|tokens| pieces(second, tokens, m));
    Sides {
        source: keys.map(|tokens| called(&names.columns, tokens, m)),
        queries: called(&names.rows, pieces(&state.text, sides.queries, n), n),
    }
}

/// Splits at spaces if that gives one piece per row; pieces such as `[CLS]` would not survive
/// tokenizing.
fn spaced(text: &str, length: usize) -> Option<Tokens> {
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let total = words.len();
    (total == length).then_some(Tokens { words, total })
}

/// Whether rows are the words of the sentence, in order.
pub fn rows_are_tokens(state: &State) -> bool {
    let imported = state.imported.as_ref();
    let Some((imported, (n, _))) = imported.and_then(|own| Some((own, own.lengths()?))) else {
        return true;
    };
    let is_called = || tokenize(&state.text).words.len() == n || spaced(&state.text, n).is_some();
    let names = &imported.names().rows;
    if names.is_empty() {
        is_called()
    } else {
        names.len() == n && stand_in(&state.text, names)
    }
}

/// Whether names of tokens stand in a text one after the other; control tokens of models need not.
fn stand_in(text: &str, names: &[String]) -> bool {
    let mut rest = text;
    let mut found = 0;
    let is_control = |name: &str| name.starts_with(['[', '<']);
    let are_all = names.iter().all(|name| match place_of_token(rest, name) {
        Some(place) => {
            found += 1;
            rest = &rest[place.end..];
            true
        }
        None => is_control(name),
    });
    are_all && found > 0
}

/// Where a token stands next in a text, in bytes, whatever its case; one that goes on within a word is named with a `·` in front.
pub fn place_of_token(text: &str, token: &str) -> Option<Range<usize>> {
    let find = |token: &str| {
        let exact = text.find(token);
        let at = exact.or_else(|| find_in_any_case(text, token))?;
        (!token.is_empty()).then(|| at..at + token.len())
    };
    find(token).or_else(|| find(token.strip_prefix('·')?))
}

/// Opening the page finds every token as it is spelled.
#[inline(never)]
fn find_in_any_case(text: &str, token: &str) -> Option<usize> {
    text.to_ascii_lowercase().find(&token.to_ascii_lowercase())
}

/// Names for `length` rows.
fn called(names: &[String], tokens: Tokens, length: usize) -> Tokens {
    let words = match (names.len() == length, tokens.words.len() == length) {
        (true, _) => names.to_vec(),
        (false, true) => tokens.words,
        (false, false) => (1..=length).map(|at| at.to_string()).collect(),
    };
    Tokens {
        total: words.len(),
        words,
    }
}

/// Tokens of the queries and of the keys.
pub fn lengths(state: &State) -> (usize, usize) {
    tokens(state).lengths()
}

/// Rows and columns of the map.
pub fn shape(state: &State) -> (usize, usize) {
    let sides = tokens(state);
    (sides.queries.words.len(), columns(state, &sides))
}

/// Columns of the map: the keys, or the mixtures of them that Linformer makes.
pub fn columns(state: &State, sides: &Sides) -> usize {
    if state.linformer {
        state.projected
    } else {
        sides.keys().words.len()
    }
}

/// Whether more than weights and measures is shown, so that the chosen head's other matrices are wanted as well.
pub fn needs_parts(state: &State) -> bool {
    let open = state.open_panels();
    let shows = |panel| open.contains(panel);
    shows(Panel::Steps)
        || shows(Panel::Streaming)
        || !matches!(steps::asked(state), StepKind::Weights | StepKind::Mask)
        || state.cell.is_some_and(|cell| cell.key.is_some())
        || is_changed(state)
}

/// Whether the state shows a layer of a model with settings that it was not trained with: its
/// answers then follow from the run.
fn is_changed(state: &State) -> bool {
    let is_learned = state.origin == Origin::Learned && state.imported.is_none();
    is_learned && !steps::computes_as_learned(&steps::config(state))
}

/// Whether the output is on display.
fn needs_output(state: &State) -> bool {
    needs_parts(state) || state.open_panels().contains(Panel::Compare)
}

/// Whether both states give the same numbers, and the newer one, `other`, wants no more of them than the older.
pub fn same_computation(one: &State, other: &State) -> bool {
    let is_same = |field: &Field| one.get(*field) == other.get(*field);
    let has_parts = !needs_parts(other) || (needs_parts(one) && one.head == other.head);
    let has_output = !needs_output(other) || needs_output(one);
    has_parts
        && has_output
        && Field::ALL
            .iter()
            .filter(|field| !field.is_shown_only())
            .all(is_same)
}

/// The same, wherever they are computed.
pub fn same_anywhere(one: &State, other: &State) -> bool {
    let somewhere = |state: &State| State {
        backend: BackendChoice::Auto,
        ..state.clone()
    };
    same_computation(&somewhere(one), &somewhere(other))
}

/// Outputs that the page shows: weights and measures of each head, and the other matrices if they
/// are on display.
fn wanted(state: &State) -> Outputs {
    let parts = needs_parts(state);
    Outputs {
        weights: true,
        stats: true,
        q: parts,
        k: parts,
        v: parts,
        scores: parts,
        context: parts,
        output: needs_output(state),
    }
}

/// The attention that a state describes, wanting what its page shows.
///
/// # Errors
/// As [`RequestCache::request`].
pub fn request(state: &State) -> Result<Request, Error> {
    RequestCache::default().request(state)
}

/// The same with other outputs.
///
/// # Errors
/// As [`RequestCache::request`].
pub fn request_for(state: &State, want: Outputs) -> Result<Request, Error> {
    RequestCache::default().request_for(state, want)
}

/// The settings of one call of `n` queries over `m` keys.
pub(crate) fn call(state: &State, (n, m): (usize, usize)) -> CallOptions {
    let linformer = LinformerKey::new(state, m).map(LinformerKey::matrices);
    call_with(state, (n, m), mask_of_shape(state, (n, m)), linformer)
}

/// The same with a mask and Linformer's matrices that were made for it.
fn call_with(
    state: &State,
    shape: (usize, usize),
    mask: Mask,
    linformer: Option<Linformer>,
) -> CallOptions {
    let has_mask = !state.linformer;
    let (mask, bias) = if is_added(state, &mask) {
        (Mask::Full, Some(as_bias(&mask, shape)))
    } else {
        (mask, None)
    };
    CallOptions {
        mask,
        places: Places {
            query_start: query_start(state, shape),
            positions: None,
        },
        bias,
        masked_score: (has_mask && state.hiding == Hiding::Written).then_some(WRITTEN),
        mask_after: has_mask && state.hiding == Hiding::AfterSoftmax,
        temperature: temperature(state),
        linformer,
        want: wanted(state),
    }
}

/// Everything that Linformer's matrices are made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LinformerKey {
    projected: usize,
    keys: usize,
    seed: u32,
}

impl LinformerKey {
    /// `None` without Linformer.
    fn new(state: &State, keys: usize) -> Option<Self> {
        state.linformer.then_some(Self {
            projected: state.projected,
            keys,
            seed: state.seed,
        })
    }

    fn matrices(self) -> Linformer {
        xavier::linformer(self.projected, self.keys, self.seed)
    }
}

pub use cache::RequestCache;
pub(crate) use imported::given;
pub use imported::{Made, finished, sizes};
pub(crate) use layer::{options, weights};
use mask::{as_bias, mask_of_shape};
pub use mask::{is_added, is_visible, mask, pads_rows, query_start, ruled, structured};
pub use own_rule::{RuleFault, own_rule};

/// Temperature: scores are divided by it before the softmax.
pub(crate) fn temperature(state: &State) -> f32 {
    state.temperature as f32 / 100.0
}

/// ALiBi is about distances between positions, of which Linformer leaves none.
pub(crate) fn position(state: &State) -> Position {
    match state.positions {
        PositionKind::Sinusoidal => Position::Sinusoidal,
        PositionKind::Rotary => Position::ROTARY,
        PositionKind::RotaryHalves => Position::Rotary(Rotation {
            pairs: Pairs::Halves,
            ..Rotation::PAPER
        }),
        PositionKind::Alibi if !state.linformer => Position::ALIBI,
        PositionKind::None | PositionKind::Alibi => Position::None,
    }
}
