//! The three kinds of call: compute, make a layer, compute with a layer.

use std::sync::Arc;

use ndarray::Array3;

use super::fields::Fields;
use super::limits::{check_heads, check_run};
use super::mask::{MaskAxes, MaskReader};
use super::options::{backend, bias, finite, flag, layer_options, places, want};
use super::tensor::{Flags, Tensor, matrix};
use super::weights;
use app::js_tree::JsTree;
use attention::{CallOptions, Error, HeadInputs, Layer, Linformer, Mask, Request};
use engine::BackendChoice;

/// Fields that stay with a layer.
const OF_LAYER: [&str; 12] = [
    "weights",
    "heads",
    "kv_heads",
    "scoring",
    "scale",
    "position",
    "alibi_strength",
    "slopes",
    "pairs",
    "base",
    "rotary_columns",
    "backend",
];
/// Fields of one call on inputs.
const OF_CALL: [&str; 11] = [
    "queries",
    "keys_values",
    "mask",
    "query_start",
    "positions",
    "bias",
    "masked_score",
    "mask_after_softmax",
    "temperature",
    "linformer",
    "want",
];
const HEADS: [&str; 3] = ["q", "k", "v"];
/// Taken out before a request comes here, and known all the same.
const OF_TRANSPORT: [&str; 2] = ["signal", "transfer"];

/// A request that may run.
#[derive(Debug)]
pub struct Checked {
    /// Request to run.
    pub request: Request,
    /// Where.
    pub backend: BackendChoice,
    /// Whether the caller gave a batch axis, and so expects one.
    pub has_batch: bool,
}

/// A layer and where its calls run.
#[derive(Debug, Clone)]
pub struct CheckedLayer {
    /// Weights and settings.
    pub layer: Arc<Layer>,
    /// Where its calls run.
    pub backend: BackendChoice,
}

fn all_fields() -> Vec<&'static str> {
    [&OF_CALL[..], &HEADS, &OF_LAYER, &OF_TRANSPORT].concat()
}

/// Checks a request that carries everything.
///
/// # Errors
/// As documented in the public API; every error names field, value and rule.
pub fn compute(raw: JsTree) -> Result<Checked, Error> {
    let mut fields = Fields::parse("", raw, &all_fields())?;
    if HEADS.iter().any(|name| fields.has(name)) {
        return on_heads(fields);
    }
    need_queries(&fields)?;
    let layer = layer_of(&mut fields)?;
    on_inputs(fields, layer)
}

/// Checks weights and settings that will serve many calls.
///
/// # Errors
/// As [`compute`], and [`NotApplicable`](attention::Code::NotApplicable) for fields of a single call.
pub fn layer(raw: JsTree) -> Result<CheckedLayer, Error> {
    let mut fields = Fields::parse("", raw, &all_fields())?;
    fields.refuse(
        &[&OF_CALL[..], &HEADS].concat(),
        "belongs to a call: give it to layer.compute",
    )?;
    layer_of(&mut fields)
}

/// Checks a call on a layer.
///
/// # Errors
/// As [`compute`], and [`NotApplicable`](attention::Code::NotApplicable) for fields that stay with the layer.
pub fn layer_compute(layer: &CheckedLayer, raw: JsTree) -> Result<Checked, Error> {
    let fields = Fields::parse("", raw, &all_fields())?;
    fields.refuse(&OF_LAYER, "belongs to the layer and was given with it")?;
    fields.refuse(
        &HEADS,
        "a layer projects queries and keys_values; use compute for given q, k and v",
    )?;
    need_queries(&fields)?;
    on_inputs(fields, layer.clone())
}

fn need_queries(fields: &Fields) -> Result<(), Error> {
    if fields.has("queries") {
        Ok(())
    } else {
        Err(Error::missing(
            "queries",
            "give queries (and weights), or q, k and v",
        ))
    }
}

fn layer_of(fields: &mut Fields) -> Result<CheckedLayer, Error> {
    let backend = backend(fields)?;
    let options = layer_options(fields, 1, None)?;
    let weights = fields
        .take("weights")
        .ok_or_else(|| Error::missing("weights", "w_q, w_k and w_v are needed"))?;
    let layer = Arc::new(Layer::new(weights::of_layer(weights, &options)?, options)?);
    Ok(CheckedLayer { layer, backend })
}

fn on_inputs(
    mut fields: Fields,
    CheckedLayer { layer, backend }: CheckedLayer,
) -> Result<Checked, Error> {
    let (queries, has_batch) =
        rows(&mut fields, "queries")?.ok_or_else(|| Error::missing("queries", "is needed"))?;
    let keys_values = match rows(&mut fields, "keys_values")? {
        None => None,
        Some((rows, same)) if same == has_batch => Some(rows),
        Some((rows, _)) => {
            let shape = if has_batch {
                rows.shape()[1..].to_vec()
            } else {
                rows.shape().to_vec()
            };
            let rule = "must have a batch axis exactly where queries has one";
            return Err(Error::new(
                attention::Code::ShapeMismatch,
                "keys_values",
                format!("{shape:?}"),
                rule,
            ));
        }
    };
    let beside = [
        ("queries", Some(&queries)),
        ("keys_values", keys_values.as_ref()),
    ];
    for (field, rows) in beside {
        if let Some(rows) = rows.filter(|_| !has_batch) {
            check_width(field, rows, layer.d_model())?;
        }
    }
    let batch = has_batch.then(|| queries.dim().0);
    let cells = [&queries, keys_values.as_ref().unwrap_or(&queries)].map(|rows| rows.dim().1);
    let call = call(fields, batch, layer.heads(), cells)?;
    finished(
        Request::new(layer, queries, keys_values, call)?,
        backend,
        has_batch,
    )
}

fn on_heads(mut fields: Fields) -> Result<Checked, Error> {
    fields.refuse(&["queries", "keys_values"], "q, k and v are given instead")?;
    let backend = backend(&mut fields)?;
    let [q, k, v] = [
        ("q", "heads, n, d_k"),
        ("k", "kv_heads, m, d_k"),
        ("v", "kv_heads, m, d_v"),
    ]
    .map(|(name, axes)| {
        let raw = fields
            .take(name)
            .ok_or_else(|| Error::missing(name, "q, k and v are given together"))?;
        Tensor::read(name, raw, Flags::Refused)?.into_array::<3, _>(axes)
    });
    let (q, k, v) = (q?, k?, v?);
    let (heads, kv_heads) = (q.dim().0, k.dim().0);
    let options = layer_options(&mut fields, heads, Some(kv_heads))?;
    check_heads(options.heads, v.dim().2)?;
    let (additive, output) = weights::beside_heads(fields.take("weights"))?;
    let call = call(fields, None, heads, [q.dim().1, v.dim().1])?;
    finished(
        Request::from_heads(
            HeadInputs {
                q,
                k,
                v,
                additive,
                output,
            },
            options,
            call,
        )?,
        backend,
        false,
    )
}

fn finished(request: Request, backend: BackendChoice, has_batch: bool) -> Result<Checked, Error> {
    check_run(request.sizes(), &request.call().want)?;
    Ok(Checked {
        request,
        backend,
        has_batch,
    })
}

/// `[rows, d_model]` or `[batch, rows, d_model]`, and whether there was a batch.
fn rows(fields: &mut Fields, name: &'static str) -> Result<Option<(Array3<f32>, bool)>, Error> {
    fields
        .take(name)
        .map(|raw| Tensor::read(name, raw, Flags::Refused)?.into_rows())
        .transpose()
}

/// Refuses rows of another width by the two axes that were given: a request has a batch before them.
fn check_width(field: &str, rows: &Array3<f32>, d_model: usize) -> Result<(), Error> {
    let (_, count, width) = rows.dim();
    if width == d_model {
        return Ok(());
    }
    let (found, wanted) = ([count, width], [count, d_model]);
    Err(Error::shape(field, &found, &wanted, "rows, d_model"))
}

/// The settings of one call on so many heads of `n` queries and `m` keys, with the length of the batch if there is one.
fn call(
    mut fields: Fields,
    batch: Option<usize>,
    heads: usize,
    cells: [usize; 2],
) -> Result<CallOptions, Error> {
    let places = places(&mut fields, cells)?;
    let axes = MaskAxes {
        batch,
        heads,
        cells,
        query_start: places.query_start,
    };
    let mask = fields
        .take("mask")
        .map_or(Ok(Mask::Full), |raw| MaskReader::new(axes).read(raw))?;
    let masked_score = fields
        .take("masked_score")
        .map(|raw| finite("masked_score", &raw))
        .transpose()?;
    let mask_after = fields
        .take("mask_after_softmax")
        .map_or(Ok(false), |raw| flag("mask_after_softmax", &raw))?;
    let temperature = fields
        .take("temperature")
        .map_or(Ok(1.0), |raw| finite("temperature", &raw))?;
    let bias = fields.take("bias").map(bias).transpose()?;
    let linformer = fields.take("linformer").map(linformer).transpose()?;
    Ok(CallOptions {
        mask,
        places,
        bias,
        masked_score,
        mask_after,
        temperature,
        linformer,
        want: want(&mut fields)?,
    })
}

fn linformer(raw: JsTree) -> Result<Linformer, Error> {
    let mut fields = Fields::parse("linformer", raw, &["e", "f"])?;
    let needed = |matrix: Option<_>, field| {
        matrix.ok_or_else(|| Error::missing(field, "both projections are needed"))
    };
    let e = needed(matrix(&mut fields, "e", "linformer.e")?, "linformer.e")?;
    let f = needed(matrix(&mut fields, "f", "linformer.f")?, "linformer.f")?;
    Ok(Linformer { e, f })
}
