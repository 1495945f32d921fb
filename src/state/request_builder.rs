//! Builds the request of a state: tokens, inputs, weights, mask, options.

mod imported;

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::sync::Arc;

use ndarray::{Array1, Array2, Array4, Axis};

use super::{
    Field, Hiding, ImportedData, MaskPart, Origin, Panel, PositionKind, ScoringKind, State,
    StepKind, steps,
};
use crate::engine::BackendChoice;
use attention::text::{Sizes, Tokens, embedding, teaching, tokenize, xavier};
use attention::{
    CallOptions, CellIndex, Error, ExplicitMask, Layer, LayerOptions, Mask, Outputs, Position,
    Request, Scoring, Weights,
};

/// The tokens of both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The rows of the map.
    pub queries: Tokens,
    /// The columns, where they come from a second text; `None` where they are the rows again.
    pub source: Option<Tokens>,
}

impl Sides {
    /// What positions are called: by their tokens, and where there are two texts by their number and what stands there in each.
    pub fn positions(&self) -> Cow<'_, [String]> {
        let queries = &self.queries.words;
        let Some(Tokens { words: keys, .. }) = &self.source else {
            return Cow::Borrowed(queries);
        };
        let token = |of: &'_ [String], at: usize| of.get(at).map_or("–", String::as_str).to_owned();
        let name = |at| format!("{} {} / {}", at + 1, token(queries, at), token(keys, at));
        (0..queries.len().max(keys.len())).map(name).collect()
    }

    /// The columns of the map.
    pub fn keys(&self) -> &Tokens {
        self.source.as_ref().unwrap_or(&self.queries)
    }
}

/// The score written over hidden cells when they are not left out.
pub const WRITTEN: f32 = -1e9;

/// Splits both texts of a state. Where rows were brought they are called as was said with them, or after the sentence
/// where it has as many tokens, or by their numbers.
pub fn tokens(state: &State) -> Sides {
    let sides = Sides {
        queries: tokenize(&state.text),
        source: state.second.as_deref().map(tokenize),
    };
    let brought = state.imported.as_ref();
    let Some((brought, (n, m))) = brought.and_then(|own| Some((own, own.lengths()?))) else {
        return sides;
    };
    let names = brought.names();
    Sides {
        source: sides.source.map(|tokens| called(&names.columns, tokens, m)),
        queries: called(&names.rows, sides.queries, n),
    }
}

/// Whether rows are the words of the sentence, in order.
pub fn rows_are_tokens(state: &State) -> bool {
    let brought = state.imported.as_ref();
    let Some((brought, (n, _))) = brought.and_then(|own| Some((own, own.lengths()?))) else {
        return true;
    };
    brought.names().rows.is_empty() && tokenize(&state.text).words.len() == n
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
    let sides = tokens(state);
    (sides.queries.words.len(), sides.keys().words.len())
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

/// The mask of a state over `keys` columns: what is painted, and elsewhere what [`structured`] says. Linformer's columns
/// are no positions, so no mask applies to them.
pub fn mask(state: &State, keys: usize) -> Mask {
    if state.linformer {
        return Mask::Full;
    }
    if state.imported.as_ref().is_some_and(ImportedData::is_causal) {
        return Mask::Causal;
    }
    let queries = lengths(state).0;
    let rule = clipped(structured(state), queries, keys);
    if state.paint.is_empty() {
        return rule;
    }
    let on_map = |(query, mut at, _): (usize, std::ops::Range<usize>, bool)| {
        query < queries && at.next().is_some_and(|key| key < keys)
    };
    if !state.paint.iter().any(on_map) {
        return rule;
    }
    let cells = Array4::from_shape_fn((1, 1, queries, keys), |(_, _, query, key)| {
        let painted = state.paint.at(query, key);
        painted.unwrap_or_else(|| is_visible(&rule, query, key))
    });
    Mask::Painted(ExplicitMask::new(cells))
}

/// The structured mask, without what is painted: causal and padding each hide what they hide; where local or strided is
/// on, a key is visible that either of them shows, or that is among the first where those are kept. First tokens alone
/// hide nothing.
pub fn structured(state: &State) -> Mask {
    let is_on = |part| state.masks.contains(part);
    let shows = |part| match part {
        MaskPart::Local => Some(Mask::Local {
            window: state.window,
        }),
        MaskPart::Strided => NonZeroUsize::new(state.stride).map(|stride| Mask::Strided { stride }),
        MaskPart::First => Some(Mask::Padding { valid: state.first }),
        MaskPart::Causal | MaskPart::Padding => None,
    };
    let is_sparse = is_on(MaskPart::Local) || is_on(MaskPart::Strided);
    let any = state.masks.iter().filter_map(shows).collect();
    let all = [
        is_on(MaskPart::Causal).then_some(Mask::Causal),
        is_on(MaskPart::Padding).then_some(Mask::Padding { valid: state.valid }),
        pads_rows(state).then_some(Mask::PaddedQueries { valid: state.valid }),
        is_sparse.then(|| one_or(any, Mask::Any)),
    ];
    one_or(all.into_iter().flatten().collect(), Mask::All)
}

/// Whether rows of padded tokens are hidden: queries of another text are not padded as keys are.
pub fn pads_rows(state: &State) -> bool {
    state.pad_rows && state.masks.contains(MaskPart::Padding) && state.second.is_none()
}

/// Whether a cell of the first head is visible.
pub fn is_visible(mask: &Mask, query: usize, key: usize) -> bool {
    let (batch, head) = (0, 0);
    mask.visible(CellIndex {
        batch,
        head,
        query,
        key,
    })
}

/// A mask alone, or several joined; none hides nothing.
fn one_or(mut masks: Vec<Mask>, join: fn(Vec<Mask>) -> Mask) -> Mask {
    match masks.len() {
        0 => Mask::Full,
        1 => masks.remove(0),
        _ => join(masks),
    }
}

/// The same mask with no valid length beyond the last query or key, which hides nothing more.
fn clipped(mask: Mask, queries: usize, keys: usize) -> Mask {
    let all = |masks: Vec<Mask>| {
        let masks = masks.into_iter();
        masks.map(|mask| clipped(mask, queries, keys)).collect()
    };
    match mask {
        Mask::PaddedQueries { valid } => Mask::PaddedQueries {
            valid: valid.min(queries),
        },
        Mask::Padding { valid } => Mask::Padding {
            valid: valid.min(keys),
        },
        Mask::All(masks) => Mask::All(all(masks)),
        Mask::Any(masks) => Mask::Any(all(masks)),
        other => other,
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
}

/// Whether the output is looked at.
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

/// What the page shows and nothing more: weights and the measures of each head, and the rest where it is looked at.
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
/// The batch has one entry. A text without tokens gives a map without rows or columns, which is no error.
///
/// # Errors
/// `Code::NotApplicable` for a finished matrix, of which no computation is known; and for a state that did not come
/// through [`State::set`].
pub fn request(state: &State) -> Result<Request, Error> {
    request_for(state, wanted(state))
}

/// The same with other outputs.
///
/// # Errors
/// As [`request`].
pub fn request_for(state: &State, want: Outputs) -> Result<Request, Error> {
    let sides = tokens(state);
    let call = CallOptions {
        want,
        ..call(state, sides.keys().words.len())
    };
    if let Some(inputs) = imported::heads(state)? {
        return Request::from_heads(inputs, options(state), call);
    }
    let (queries, source) = match imported::inputs(state) {
        Some(inputs) => (inputs.queries.clone(), inputs.keys_values.clone()),
        None => embedded(state, &sides),
    };
    Request::new(
        Arc::new(Layer::new(weights(state), options(state))?),
        queries.insert_axis(Axis(0)),
        source.map(|rows| rows.insert_axis(Axis(0))),
        call,
    )
}

/// The embeddings of both sides.
fn embedded(state: &State, sides: &Sides) -> (Array2<f32>, Option<Array2<f32>>) {
    let (queries, source) = (&sides.queries, sides.source.as_ref());
    let rows = |tokens: &Tokens, other: Option<&Tokens>| match state.origin {
        Origin::Teaching => {
            let other = other.map(|other| &*other.words);
            teaching::embeddings(&tokens.words, other, state.d_model, state.seed)
        }
        Origin::Random => embedding::embeddings(&tokens.words, state.d_model, state.seed),
    };
    let of_source = source.map(|source| rows(source, Some(queries)));
    (rows(queries, source), of_source)
}

/// The settings that stay with the weights.
pub(crate) fn options(state: &State) -> LayerOptions {
    let is_dot = state.scoring == ScoringKind::Dot;
    LayerOptions {
        heads: state.heads,
        kv_heads: Some(state.kv_heads),
        scoring: if is_dot {
            Scoring::Dot
        } else {
            Scoring::Additive
        },
        scale: (is_dot && !state.scaled).then_some(1.0),
        position: position(state),
    }
}

/// The weights of every head, and `w_a` where scores are additive.
pub(crate) fn weights(state: &State) -> Weights {
    let sizes = Sizes {
        d_model: state.d_model,
        d_k: state.d_k,
        heads: state.heads,
        kv_heads: state.kv_heads,
    };
    let additive = additive(state);
    if let Some(brought) = imported::layer(state) {
        return Weights {
            additive: additive.map(|own| brought.additive.clone().unwrap_or(own)),
            ..brought.clone()
        };
    }
    let has_encoding = state.positions == PositionKind::Sinusoidal;
    let made = match state.origin {
        Origin::Teaching => teaching::weights(sizes, has_encoding),
        Origin::Random => xavier::weights(sizes, state.seed),
    };
    Weights { additive, ..made }
}

/// `w_a`, where scores are additive.
fn additive(state: &State) -> Option<Array1<f32>> {
    let is_additive = state.scoring == ScoringKind::Additive;
    is_additive.then(|| xavier::additive(state.d_k, state.seed))
}

/// The settings of one call over `keys` keys.
pub(crate) fn call(state: &State, keys: usize) -> CallOptions {
    let has_mask = !state.linformer;
    let shortened = || xavier::linformer(state.projected, keys, state.seed);
    CallOptions {
        mask: mask(state, keys),
        masked_score: (has_mask && state.hiding == Hiding::Written).then_some(WRITTEN),
        mask_after: has_mask && state.hiding == Hiding::AfterSoftmax,
        temperature: temperature(state),
        linformer: state.linformer.then(shortened),
        want: wanted(state),
    }
}

pub(crate) use imported::given;
pub use imported::{Made, finished, sizes};

/// What scores are divided by before the softmax.
pub(crate) fn temperature(state: &State) -> f32 {
    state.temperature as f32 / 100.0
}

/// ALiBi is about distances between positions, of which Linformer leaves none.
pub(crate) fn position(state: &State) -> Position {
    match state.positions {
        PositionKind::Sinusoidal => Position::Sinusoidal,
        PositionKind::Rotary => Position::Rotary,
        PositionKind::Alibi if !state.linformer => Position::Alibi { strength: 1.0 },
        PositionKind::None | PositionKind::Alibi => Position::None,
    }
}
