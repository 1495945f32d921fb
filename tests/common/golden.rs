//! Reads `tests/golden/*.json` into requests and wanted values.

use std::sync::Arc;

use attention::{
    CallOptions, ExplicitMask, HeadInputs, Layer, LayerOptions, Linear, Linformer, Mask, Request,
    Scoring, Weights,
};
use ndarray::{Array1, Array2, Array3, Array4, ArrayD, Axis, Ix1, Ix2, Ix3};
use serde_json::Value;

pub(crate) const HEAD_CASES: [&str; 5] = [
    "grouped_query",
    "local_window",
    "multi_query_causal",
    "strided",
    "unscaled",
];
pub(crate) const SELF_CASES: [&str; 6] = [
    "additive",
    "self_causal",
    "self_dk_smaller",
    "self_padding",
    "self_plain",
    "self_sentence",
];
pub(crate) const MULTI_HEAD_CASES: [&str; 4] = [
    "multi_head_causal",
    "multi_head_cross",
    "multi_head_self",
    "multi_head_two_heads_of_two",
];

/// A golden case: the request and what PyTorch made of it.
pub(crate) struct Golden {
    pub request: Request,
    /// `[batch, heads, n, keys]`.
    pub weights: Array4<f64>,
    /// `[batch, n, d_out]`, or for given heads `[1, heads, n, d_v]` in `context`.
    pub output: Option<Array3<f64>>,
    pub context: Option<Array4<f64>>,
    /// The file itself, for its stats.
    pub file: Value,
}

pub(crate) fn file(name: &str) -> Value {
    let path = format!("{}/tests/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub(crate) fn tensor(value: &Value) -> ArrayD<f64> {
    let shape: Vec<usize> = numbers(&value["shape"])
        .map(|length| length as usize)
        .collect();
    ArrayD::from_shape_vec(shape, numbers(&value["data"]).collect())
        .expect("a golden's data fills its shape")
}

fn numbers(value: &Value) -> impl Iterator<Item = f64> + '_ {
    value
        .as_array()
        .expect("an array")
        .iter()
        .map(|number| number.as_f64().expect("a number"))
}

fn tensor3(value: &Value) -> Array3<f32> {
    tensor(value)
        .into_dimensionality::<Ix3>()
        .expect("three axes")
        .mapv(|x| x as f32)
}

fn linear(value: &Value) -> Linear {
    let w = tensor(&value["w"])
        .into_dimensionality::<Ix2>()
        .expect("two axes")
        .mapv(|x| x as f32);
    let bias = value.get("b").map(|b| {
        tensor(b)
            .into_dimensionality::<Ix1>()
            .expect("one axis")
            .mapv(|x| x as f32)
    });
    Linear { w, b: bias }
}

/// The mask of a case, `[n, m]` or `[1, n, m]`.
fn mask(value: &Value) -> Mask {
    if value.is_null() {
        return Mask::Full;
    }
    let cells = tensor(value);
    let leading = 4 - cells.ndim();
    let cells = (0..leading).fold(cells, |cells, _| cells.insert_axis(Axis(0)));
    Mask::Painted(ExplicitMask::new(
        cells
            .into_dimensionality()
            .expect("four axes")
            .mapv(|x| x == 1.0),
    ))
}

fn layer(file: &Value, heads: usize, scoring: Scoring) -> Arc<Layer> {
    let weights = &file["weights"];
    let additive = weights.get("W_a").map(|w_a| linear(w_a).w.into_flat());
    let weights = Weights {
        query: linear(&weights["W_q"]),
        key: linear(&weights["W_k"]),
        value: linear(&weights["W_v"]),
        output: Some(linear(&weights["W_o"])),
        additive,
    };
    let options = LayerOptions {
        heads,
        scoring,
        ..LayerOptions::default()
    };
    Arc::new(Layer::new(weights, options).expect("a golden's weights agree"))
}

pub(crate) fn self_case(name: &str) -> Golden {
    let file = file(name);
    let scoring = if name == "additive" {
        Scoring::Additive
    } else {
        Scoring::Dot
    };
    // The modules write this number over hidden scores, so that a row with nothing visible is uniform.
    let call = CallOptions {
        mask: mask(&file["mask"]),
        masked_score: Some(-1e9),
        ..CallOptions::default()
    };
    let request =
        Request::new(layer(&file, 1, scoring), tensor3(&file["x"]), None, call).expect("valid");
    let weights = tensor(&file["attention_weights"])
        .into_dimensionality::<Ix3>()
        .expect("batch, n, m");
    finish(file, request, weights.insert_axis(Axis(1)))
}

pub(crate) fn multi_head_case(name: &str) -> Golden {
    let file = file(name);
    let heads = file["heads"].as_u64().expect("heads") as usize;
    let (queries, keys_values) = (tensor3(&file["query"]), tensor3(&file["key_value"]));
    let keys_values = (queries != keys_values).then_some(keys_values);
    let call = CallOptions {
        mask: mask(&file["mask"]),
        ..CallOptions::default()
    };
    let request = Request::new(
        layer(&file, heads, Scoring::Dot),
        queries,
        keys_values,
        call,
    )
    .expect("valid");
    let weights = tensor(&file["attention_weights"])
        .into_dimensionality()
        .expect("batch, heads, n, m");
    finish(file, request, weights)
}

fn finish(file: Value, request: Request, weights: Array4<f64>) -> Golden {
    let output = tensor(&file["output"])
        .into_dimensionality::<Ix3>()
        .expect("batch, n, d_out");
    Golden {
        request,
        weights,
        output: Some(output),
        context: None,
        file,
    }
}

/// A case on given q, k and v; `mask` replaces the file's painted one where a structured one should equal it.
pub(crate) fn head_case(name: &str, structured: Option<Mask>) -> Golden {
    let file = file(name);
    let [q, k, v] = ["q", "k", "v"].map(|field| tensor3(&file[field]));
    let options = LayerOptions {
        heads: q.dim().0,
        kv_heads: Some(k.dim().0),
        scale: file["scale"].as_f64().map(|scale| scale as f32),
        ..LayerOptions::default()
    };
    let call = CallOptions {
        mask: structured.unwrap_or_else(|| mask(&file["mask"])),
        linformer: projections(&file),
        ..CallOptions::default()
    };
    let inputs = HeadInputs {
        q,
        k,
        v,
        additive: None,
        output: None,
    };
    let request = Request::from_heads(inputs, options, call).expect("valid");
    let four = |field: &str| {
        tensor(&file[field])
            .into_dimensionality::<Ix3>()
            .expect("heads, n, ·")
            .insert_axis(Axis(0))
    };
    let (weights, context) = (four("attention_weights"), four("output"));
    Golden {
        request,
        weights,
        output: None,
        context: Some(context),
        file,
    }
}

fn projections(file: &Value) -> Option<Linformer> {
    let matrix = |field: &str| -> Option<Array2<f32>> {
        Some(
            tensor(file.get(field)?)
                .into_dimensionality::<Ix2>()
                .expect("k, m")
                .mapv(|x| x as f32),
        )
    };
    Some(Linformer {
        e: matrix("e")?,
        f: matrix("f")?,
    })
}

/// `w_a` and other flat things out of a column.
trait Flat {
    fn into_flat(self) -> Array1<f32>;
}

impl Flat for Array2<f32> {
    fn into_flat(self) -> Array1<f32> {
        Array1::from_iter(self.iter().copied())
    }
}
