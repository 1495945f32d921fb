//! From a state to what is computed.

use std::num::NonZeroUsize;
use std::sync::Arc;

use ndarray::{Array4, Axis};

use super::{Field, Hiding, MaskPart, Origin, Panel, PositionKind, ScoringKind, State, StepKind};
use crate::attention::{
    At, Call, Error, Layer, LayerOptions, Mask, Painted, Position, Request, Scoring, Want, Weights,
};
use crate::text::{Sizes, Tokens, embedding, teaching, tokenize, xavier};

/// The tokens of both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The rows of the map.
    pub queries: Tokens,
    /// The columns, where they come from a second text; `None` where they are the rows again.
    pub source: Option<Tokens>,
}

impl Sides {
    /// The columns of the map.
    pub fn keys(&self) -> &Tokens {
        self.source.as_ref().unwrap_or(&self.queries)
    }
}

/// What is written over hidden scores where they are not left out.
pub const WRITTEN: f32 = -1e9;

/// Splits both texts of a state.
pub fn tokens(state: &State) -> Sides {
    Sides {
        queries: tokenize(&state.text),
        source: state.second.as_deref().map(tokenize),
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
    let rule = clipped(structured(state), keys);
    if state.paint.is_empty() {
        return rule;
    }
    let queries = tokenize(&state.text).words.len();
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
    Mask::Painted(Painted::new(cells))
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
        is_sparse.then(|| one_or(any, Mask::Any)),
    ];
    one_or(all.into_iter().flatten().collect(), Mask::All)
}

/// Whether a cell of the first head is visible.
pub fn is_visible(mask: &Mask, query: usize, key: usize) -> bool {
    let (batch, head) = (0, 0);
    mask.visible(At {
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

/// The same mask with no valid length beyond the last key, which hides nothing more.
fn clipped(mask: Mask, keys: usize) -> Mask {
    let all = |masks: Vec<Mask>| masks.into_iter().map(|mask| clipped(mask, keys)).collect();
    match mask {
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
        || !matches!(state.step, StepKind::Weights | StepKind::Mask)
        || state.cell.is_some_and(|cell| cell.key.is_some())
}

/// Whether the output is looked at.
fn needs_output(state: &State) -> bool {
    needs_parts(state) || state.open_panels().contains(Panel::Compare)
}

/// Whether both states give the same numbers, and the newer one, `other`, wants no more of them than the older.
pub fn computes_alike(one: &State, other: &State) -> bool {
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

/// What the page shows and nothing more: weights and the measures of each head, and the rest where it is looked at.
fn wanted(state: &State) -> Want {
    let parts = needs_parts(state);
    Want {
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
/// Only for a state that did not come through [`State::set`].
pub fn request(state: &State) -> Result<Request, Error> {
    request_for(state, wanted(state))
}

/// The same, wanting what somebody else asks for.
///
/// # Errors
/// As [`request`].
pub fn request_for(state: &State, want: Want) -> Result<Request, Error> {
    let sides = tokens(state);
    let rows = |tokens: &Tokens| {
        let rows = match state.origin {
            Origin::Teaching => teaching::embeddings(&tokens.words, state.d_model, state.seed),
            Origin::Random => embedding::embeddings(&tokens.words, state.d_model, state.seed),
        };
        rows.insert_axis(Axis(0))
    };
    Request::new(
        Arc::new(Layer::new(weights(state), options(state))?),
        rows(&sides.queries),
        sides.source.as_ref().map(rows),
        Call {
            want,
            ..call(state, sides.keys().words.len())
        },
    )
}

/// The settings that stay with the weights.
pub(super) fn options(state: &State) -> LayerOptions {
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
pub(super) fn weights(state: &State) -> Weights {
    let sizes = Sizes {
        d_model: state.d_model,
        d_k: state.d_k,
        heads: state.heads,
        kv_heads: state.kv_heads,
    };
    let has_encoding = state.positions == PositionKind::Sinusoidal;
    let made = match state.origin {
        Origin::Teaching => teaching::weights(sizes, has_encoding),
        Origin::Random => xavier::weights(sizes, state.seed),
    };
    let is_additive = state.scoring == ScoringKind::Additive;
    Weights {
        additive: is_additive.then(|| xavier::additive(state.d_k, state.seed)),
        ..made
    }
}

/// The settings of one call over `keys` keys.
pub(super) fn call(state: &State, keys: usize) -> Call {
    let has_mask = !state.linformer;
    let shortened = || xavier::linformer(state.projected, keys, state.seed);
    Call {
        mask: mask(state, keys),
        masked_score: (has_mask && state.hiding == Hiding::Written).then_some(WRITTEN),
        mask_after: has_mask && state.hiding == Hiding::AfterSoftmax,
        temperature: temperature(state),
        linformer: state.linformer.then(shortened),
        want: wanted(state),
    }
}

/// What scores are divided by before the softmax.
pub(super) fn temperature(state: &State) -> f32 {
    state.temperature as f32 / 100.0
}

/// ALiBi is about distances between positions, of which Linformer leaves none.
pub(super) fn position(state: &State) -> Position {
    match state.positions {
        PositionKind::Sinusoidal => Position::Sinusoidal,
        PositionKind::Rotary => Position::Rotary,
        PositionKind::Alibi if !state.linformer => Position::Alibi { strength: 1.0 },
        PositionKind::None | PositionKind::Alibi => Position::None,
    }
}
