//! Builds requests from imported numbers.

use ndarray::{Array3, Array4, Axis};

use super::layer::additive;
use super::{Origin, State};
use crate::state::imported::{ImportedData, ImportedTensors, Inputs};
use attention::{Biases, Code, Error, HeadInputs, InputKind, Sizes, Weights};

/// How the queries, keys and values of a state come about, and what becomes of the context.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Made {
    /// Axis lengths.
    pub sizes: Sizes,
    /// Where q, k and v come from.
    pub input: InputKind,
    /// Whether the heads side by side are multiplied by `W_O`.
    pub has_output: bool,
    /// Which projections add a bias.
    pub biases: Biases,
}

/// Sizes of a state with `n` queries and `m` keys, without making any numbers.
pub fn sizes(state: &State, n: usize, m: usize) -> Made {
    let contents = state.imported.as_ref().map(|imported| imported.contents());
    let (mut d_model, mut d_v, mut d_out) = (Some(state.d_model), state.d_k, state.d_model);
    let mut has_output = true;
    match contents {
        Some(ImportedTensors::Heads { q, v, .. }) => {
            (d_model, d_v, d_out) = (None, v.dim().2, q.dim().0 * v.dim().2);
            has_output = false;
        }
        Some(ImportedTensors::Layer {
            weights,
            heads,
            kv_heads,
            ..
        }) => {
            d_v = weights.value.w.ncols() / kv_heads;
            let output = weights.output.as_ref();
            d_out = output.map_or(heads * d_v, |output| output.w.ncols());
            has_output = output.is_some();
        }
        Some(ImportedTensors::Matrix(_)) => (d_model, has_output) = (None, false),
        Some(ImportedTensors::Embeddings(_)) | None => {}
    }
    let sizes = Sizes {
        batch: 1,
        heads: state.heads,
        kv_heads: state.kv_heads,
        n,
        m,
        keys: if state.linformer { state.projected } else { m },
        d_model,
        d_k: state.d_k,
        d_v,
        d_out,
    };
    let input = match (contents, &state.second) {
        (Some(ImportedTensors::Heads { .. } | ImportedTensors::Matrix(_)), _) => InputKind::Given,
        (_, Some(_)) => InputKind::CrossAttention,
        (_, None) => InputKind::SelfAttention,
    };
    Made {
        sizes,
        input,
        has_output,
        biases: biases(state),
    }
}

/// Of the page's own weights, those of hand-built heads have a bias of the queries and random ones have none.
fn biases(state: &State) -> Biases {
    match state.imported.as_ref().map(|imported| imported.contents()) {
        Some(ImportedTensors::Layer { weights, .. }) => weights.biases(),
        Some(ImportedTensors::Heads { .. } | ImportedTensors::Matrix(_)) => Biases::default(),
        Some(ImportedTensors::Embeddings(_)) | None => Biases {
            query: state.origin == Origin::Teaching,
            ..Biases::default()
        },
    }
}

/// Finished weights, `[1, heads, n, m]`, if they were imported.
pub fn finished(state: &State) -> Option<Array4<f32>> {
    match state.imported.as_ref()?.contents() {
        ImportedTensors::Matrix(weights) => Some(weights.clone().insert_axis(Axis(0))),
        _ => None,
    }
}

/// q, k and v, if they were imported.
pub(super) fn heads(state: &State) -> Result<Option<HeadInputs>, Error> {
    match state.imported.as_ref().map(|imported| imported.contents()) {
        Some(ImportedTensors::Heads { q, k, v }) => {
            Ok(Some(given(state, [q, k, v].map(Array3::clone))))
        }
        Some(ImportedTensors::Matrix(_)) => {
            let rule = "finished weights say nothing of what they were computed from";
            let what = "a finished attention matrix";
            Err(Error::new(Code::NotApplicable, "q", what, rule))
        }
        _ => Ok(None),
    }
}

/// These q, k and v with what the mechanism of `state` needs besides.
pub(crate) fn given(state: &State, [q, k, v]: [Array3<f32>; 3]) -> HeadInputs {
    HeadInputs {
        q,
        k,
        v,
        additive: additive(state),
        output: None,
    }
}

/// Input rows, if they were imported.
pub(super) fn inputs(state: &State) -> Option<&Inputs> {
    state.imported.as_ref()?.contents().inputs()
}

/// Weights, if they were imported.
pub(super) fn layer(imported: Option<&ImportedData>) -> Option<&Weights> {
    match imported?.contents() {
        ImportedTensors::Layer { weights, .. } => Some(weights),
        _ => None,
    }
}
