//! `weights`: matrices and biases by name.

use ndarray::Array1;

use super::fields::Fields;
use super::limits::check_heads;
use super::tensor::{Flags, Tensor, matrix};
use app::js_tree::JsTree;
use attention::{Error, LayerOptions, Linear, Weights};

const NAMES: &[&str] = &[
    "w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o", "w_a",
];
/// Parameters before q, k and v.
const BEFORE_HEADS: &[&str] = &["w_q", "w_k", "w_v", "b_q", "b_k", "b_v"];

/// All weights of a layer.
pub(super) fn of_layer(raw: JsTree, options: &LayerOptions) -> Result<Weights, Error> {
    let mut fields = Fields::parse("weights", raw, NAMES)?;
    let needed = |linear: Option<Linear>, field: &str| {
        linear.ok_or_else(|| {
            Error::missing(
                field,
                "queries are projected by it; give q, k and v instead to do without",
            )
        })
    };
    let query = needed(linear(&mut fields, "w_q", "b_q")?, "w_q")?;
    let key = needed(linear(&mut fields, "w_k", "b_k")?, "w_k")?;
    let value = needed(linear(&mut fields, "w_v", "b_v")?, "w_v")?;
    let kv_heads = options.kv_heads.unwrap_or(options.heads);
    check_heads(options.heads, value.w.ncols() / kv_heads.max(1))?;
    let (additive, output) = after_heads(&mut fields)?;
    Ok(Weights {
        query,
        key,
        value,
        output,
        additive,
    })
}

/// `w_a` and `W_O`, which alone may stand beside q, k and v.
pub(super) fn beside_heads(
    raw: Option<JsTree>,
) -> Result<(Option<Array1<f32>>, Option<Linear>), Error> {
    let Some(raw) = raw else {
        return Ok((None, None));
    };
    let mut fields = Fields::parse("weights", raw, NAMES)?;
    fields.refuse(
        BEFORE_HEADS,
        "q, k and v are given, so there is nothing to project",
    )?;
    after_heads(&mut fields)
}

fn after_heads(fields: &mut Fields) -> Result<(Option<Array1<f32>>, Option<Linear>), Error> {
    let additive = fields
        .take("w_a")
        .map(|raw| Tensor::read("w_a", raw, Flags::Refused)?.into_column())
        .transpose()?;
    Ok((additive, linear(fields, "w_o", "b_o")?))
}

/// A matrix with its bias. The core checks that they fit each other.
fn linear(fields: &mut Fields, w: &'static str, b: &'static str) -> Result<Option<Linear>, Error> {
    let weight = matrix(fields, w, w)?;
    let bias = fields
        .take(b)
        .map(|raw| Tensor::read(b, raw, Flags::Refused)?.into_array::<1, _>("columns"))
        .transpose()?;
    match (weight, bias) {
        (Some(w), b) => Ok(Some(Linear { w, b })),
        (None, None) => Ok(None),
        (None, Some(_)) => Err(Error::missing(w, format!("{b} is added to what {w} makes"))),
    }
}
