//! Files of `tests/golden/models`.

use model::{Activation, Examples, Model, ModelConfig, ModelPositions, Norm, NormPlace, Words};
use ndarray::{ArrayD, IxDyn};
use serde_json::Value;

/// A file of `tests/golden/models`.
pub(crate) fn file(name: &str) -> Value {
    let path = format!(
        "{}/tests/golden/models/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Its model.
pub(crate) fn model(file: &Value) -> Model {
    let tensors = &file["tensors"];
    Model::from_tensors(config(&file["config"]), |name| {
        tensors
            .get(name)
            .map(|tensor| array(tensor).mapv(|x| x as f32))
    })
    .expect("a golden model")
}

/// Its examples.
pub(crate) fn examples(file: &Value, model: &Model) -> Examples {
    let rows = |field: &str| -> Vec<Vec<i64>> {
        serde_json::from_value(file[field].clone()).expect("rows of whole numbers")
    };
    let known = |word: &i64| usize::try_from(*word).ok();
    let tokens: Vec<Vec<usize>> = rows("tokens")
        .iter()
        .map(|row| row.iter().filter_map(known).collect())
        .collect();
    let targets: Vec<Vec<Option<usize>>> = rows("targets")
        .iter()
        .map(|row| row.iter().map(known).collect())
        .collect();
    let words = Words::new(model.config(), &tokens).expect("golden words");
    Examples::new(model.config(), words, &targets).expect("golden targets")
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// The config in a golden file, as `models.md` names its fields.
pub(crate) fn config(value: &Value) -> ModelConfig {
    let size = |field: &str| value[field].as_u64().map(|size| size as usize);
    let given = |field: &str| size(field).unwrap_or_else(|| panic!("{field}"));
    let is = |field: &str| value[field].as_bool().unwrap_or_else(|| panic!("{field}"));
    let name = |field: &str| value[field].as_str().unwrap_or_else(|| panic!("{field}"));
    let number = |field: &str| value[field].as_f64().unwrap_or_else(|| panic!("{field}")) as f32;
    let start = ModelConfig::new(
        given("vocabulary"),
        given("length"),
        given("d_model"),
        given("layers"),
        given("heads"),
    );
    ModelConfig {
        kv_heads: size("kv_heads").unwrap_or(start.heads),
        d_k: size("d_k").unwrap_or(start.d_k),
        causal: name("mask") == "causal",
        positions: match name("positions") {
            "learned" => ModelPositions::Learned,
            "sinusoidal" => ModelPositions::Sinusoidal,
            "rotary" => ModelPositions::Rotary {
                base: number("rotary_base"),
            },
            other => panic!("positions {other}"),
        },
        norm: match name("norm") {
            "none" => Norm::None,
            "layer" => Norm::Layer,
            "rms" => Norm::Rms,
            other => panic!("norm {other}"),
        },
        norm_place: match name("norm_place") {
            "before" => NormPlace::Before,
            "after" => NormPlace::After,
            other => panic!("norm_place {other}"),
        },
        final_norm: is("final_norm"),
        epsilon: number("epsilon"),
        mlp: given("mlp"),
        activation: match name("activation") {
            "gelu" => Activation::Gelu,
            "gelu_tanh" => Activation::GeluTanh,
            "silu" => Activation::Silu,
            other => panic!("activation {other}"),
        },
        gated: is("gated"),
        biases: is("biases"),
        tied: is("tied"),
        residual: is("residual"),
        scaled: is("scaled"),
        ..start
    }
}

/// Numbers of a golden file: `{ shape, data }`, or nested lists.
pub(crate) fn array(value: &Value) -> ArrayD<f64> {
    let shape: Vec<usize> = value["shape"]
        .as_array()
        .expect("shape")
        .iter()
        .map(|axis| axis.as_u64().expect("axis") as usize)
        .collect();
    let data = value["data"].as_array().expect("data");
    let data = data.iter().map(|x| x.as_f64().expect("number")).collect();
    ArrayD::from_shape_vec(IxDyn(&shape), data).expect("as many numbers as the shape says")
}
