//! From a state to what is computed.

use std::num::NonZeroUsize;
use std::sync::Arc;

use ndarray::Axis;

use super::{MaskKind, Origin, State};
use crate::attention::{Call, Error, Layer, LayerOptions, Mask, Position, Request, Want};
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

/// What the page shows and nothing more: weights and the measures of each head.
const SHOWN: Want = Want {
    weights: true,
    stats: true,
    ..Want::NOTHING
};

/// Splits both texts of a state.
pub fn tokens(state: &State) -> Sides {
    Sides {
        queries: tokenize(&state.text),
        source: state.second.as_deref().map(tokenize),
    }
}

/// Rows and columns of the map.
pub fn shape(state: &State) -> (usize, usize) {
    let sides = tokens(state);
    (sides.queries.words.len(), sides.keys().words.len())
}

/// The mask of a state over `keys` columns. A valid length beyond the last key hides nothing.
pub fn mask(state: &State, keys: usize) -> Mask {
    match state.mask {
        MaskKind::None => Mask::Full,
        MaskKind::Causal => Mask::Causal,
        MaskKind::Padding => Mask::Padding {
            valid: state.valid.min(keys),
        },
        MaskKind::Local => Mask::Local {
            window: state.window,
        },
        MaskKind::Strided => {
            NonZeroUsize::new(state.stride).map_or(Mask::Full, |stride| Mask::Strided { stride })
        }
    }
}

/// The attention that a state describes, wanting weights and measures.
///
/// The batch has one entry. A text without tokens gives a map without rows or columns, which is no error.
///
/// # Errors
/// Only for a state that did not come through [`State::set`].
pub fn request(state: &State) -> Result<Request, Error> {
    let sides = tokens(state);
    let options = LayerOptions {
        heads: state.heads,
        kv_heads: Some(state.kv_heads),
        scale: (!state.scaled).then_some(1.0),
        position: if state.positions {
            Position::Sinusoidal
        } else {
            Position::None
        },
        ..LayerOptions::default()
    };
    let rows = |tokens: &Tokens| {
        let rows = match state.origin {
            Origin::Teaching => teaching::embeddings(&tokens.words, state.d_model, state.seed),
            Origin::Random => embedding::embeddings(&tokens.words, state.d_model, state.seed),
        };
        rows.insert_axis(Axis(0))
    };
    let sizes = Sizes {
        d_model: state.d_model,
        d_k: state.d_k,
        heads: state.heads,
        kv_heads: state.kv_heads,
    };
    let weights = match state.origin {
        Origin::Teaching => teaching::weights(sizes, state.positions),
        Origin::Random => xavier::weights(sizes, state.seed),
    };
    let call = Call {
        mask: mask(state, sides.keys().words.len()),
        want: SHOWN,
        ..Call::default()
    };
    let layer = Arc::new(Layer::new(weights, options)?);
    Request::new(
        layer,
        rows(&sides.queries),
        sides.source.as_ref().map(rows),
        call,
    )
}
