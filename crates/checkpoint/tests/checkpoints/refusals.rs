//! What is refused, by the name of the setting or the tensor.

use attention::{Code, Error};
use checkpoint::{Checkpoint, FileTensor};
use serde_json::{Value, json};

use crate::files::{Tensors, text};

fn settings(name: &str) -> Value {
    serde_json::from_str(&text(&format!("{name}/config.json"))).expect("JSON")
}

fn refusal(name: &str, key: &str, value: Value) -> Error {
    let mut config = settings(name);
    config[key] = value.clone();
    let tensors = Tensors::read(&format!("{name}/model.safetensors"));
    let found = Checkpoint::from_hugging_face(&config.to_string(), &tensors.list);
    match found {
        Ok(_) => panic!("{name} with {key} {value} opens"),
        Err(error) => error,
    }
}

#[test]
fn sizes_that_are_none_are_refused_by_name() {
    let sizes = [
        ("llama", "hidden_size"),
        ("llama", "num_hidden_layers"),
        ("llama", "num_attention_heads"),
        ("llama", "num_key_value_heads"),
        ("llama", "head_dim"),
        ("llama", "intermediate_size"),
        ("llama", "vocab_size"),
        ("llama", "max_position_embeddings"),
        ("gpt2", "n_embd"),
        ("gpt2", "n_layer"),
        ("gpt2", "n_inner"),
        ("bert", "intermediate_size"),
        ("distilbert", "dim"),
        ("mistral", "sliding_window"),
        ("gemma3", "sliding_window_pattern"),
    ];
    for (name, key) in sizes {
        let values = [
            json!(0),
            json!(-4),
            json!(2.5),
            json!(1e18),
            json!("4"),
            json!(true),
            json!([4]),
            json!({}),
        ];
        for value in values {
            let error = refusal(name, key, value);
            assert_eq!(
                (error.code, error.field.as_str()),
                (Code::UnknownOption, key),
                "{error}"
            );
        }
    }
    // JSON has no infinity; Python writes one.
    let config = settings("llama")
        .to_string()
        .replace("\"hidden_size\":32", "\"hidden_size\":Infinity");
    let tensors = Tensors::read("llama/model.safetensors");
    let error = Checkpoint::from_hugging_face(&config, &tensors.list).expect_err("no size");
    assert_eq!(error.field, "hidden_size");
}

/// They are held against the tensors before anything is listed or made for them.
#[test]
fn sizes_that_the_file_does_not_have_are_refused() {
    let cases = [
        (
            "num_hidden_layers",
            json!(2_000_000_000),
            Code::ShapeMismatch,
            "layers",
        ),
        (
            "num_hidden_layers",
            json!(500),
            Code::ShapeMismatch,
            "layers",
        ),
        (
            "num_hidden_layers",
            json!(3),
            Code::MissingField,
            "model.layers.2.input_layernorm.weight",
        ),
        (
            "num_hidden_layers",
            json!(1),
            Code::NotApplicable,
            "model.layers.1.input_layernorm.weight",
        ),
        (
            "hidden_size",
            json!(2_147_483_644),
            Code::TooLarge,
            "config",
        ),
        (
            "hidden_size",
            json!(64),
            Code::ShapeMismatch,
            "model.embed_tokens.weight",
        ),
        (
            "vocab_size",
            json!(311),
            Code::ShapeMismatch,
            "model.embed_tokens.weight",
        ),
        (
            "intermediate_size",
            json!(47),
            Code::ShapeMismatch,
            "model.layers.0.mlp.up_proj.weight",
        ),
        (
            "head_dim",
            json!(16),
            Code::ShapeMismatch,
            "model.layers.0.self_attn.q_proj.weight",
        ),
        (
            "num_key_value_heads",
            json!(4),
            Code::ShapeMismatch,
            "model.layers.0.self_attn.k_proj.weight",
        ),
        (
            "num_key_value_heads",
            json!(3),
            Code::KvHeadsDoNotDivide,
            "kv_heads",
        ),
        (
            "num_attention_heads",
            json!(5),
            Code::KvHeadsDoNotDivide,
            "kv_heads",
        ),
    ];
    for (key, value, code, field) in cases {
        let error = refusal("llama", key, value);
        assert_eq!((error.code, error.field.as_str()), (code, field), "{error}");
    }
    let error = refusal("bert", "num_attention_heads", json!(5));
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::HeadsDoNotDivide, "num_attention_heads")
    );
    let error = refusal("roberta", "max_position_embeddings", json!(2));
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::ShapeMismatch, "max_position_embeddings")
    );
}

#[test]
fn options_that_are_not_known_are_refused_by_name() {
    let rope = |kind: &str| json!({"rope_type": kind, "rope_theta": 10000.0, "factor": 2.0});
    let cases = [
        (
            "llama",
            "rope_parameters",
            rope("yarn"),
            "rope_type",
            "yarn",
        ),
        (
            "llama",
            "rope_scaling",
            json!({"type": "dynamic", "factor": 2.0}),
            "type",
            "dynamic",
        ),
        (
            "llama",
            "hidden_act",
            json!("quick_gelu"),
            "hidden_act",
            "quick_gelu",
        ),
        ("llama", "attention_bias", json!(1), "attention_bias", "1"),
        ("llama", "rms_norm_eps", json!(0), "rms_norm_eps", "0"),
        (
            "llama",
            "rms_norm_eps",
            json!(-1e-6),
            "rms_norm_eps",
            "-0.000001",
        ),
        (
            "llama",
            "rope_parameters",
            json!({"rope_theta": -1.0}),
            "rope_theta",
            "-1",
        ),
        (
            "llama",
            "rope_parameters",
            json!([]),
            "rope_parameters",
            "a list of 0",
        ),
        (
            "gpt2",
            "scale_attn_by_inverse_layer_idx",
            json!(true),
            "scale_attn_by_inverse_layer_idx",
            "true",
        ),
        (
            "gpt2",
            "add_cross_attention",
            json!(true),
            "add_cross_attention",
            "true",
        ),
        (
            "bert",
            "position_embedding_type",
            json!("relative_key"),
            "position_embedding_type",
            "relative_key",
        ),
        ("bert", "is_decoder", json!(true), "is_decoder", "true"),
        (
            "gemma2",
            "use_bidirectional_attention",
            json!(true),
            "use_bidirectional_attention",
            "true",
        ),
        (
            "gemma3",
            "layer_types",
            json!(["sliding_attention", "chunked", "full_attention"]),
            "layer_types",
            "chunked",
        ),
        (
            "gemma3",
            "rope_parameters",
            json!({"sliding_attention": rope("linear")}),
            "rope_parameters.sliding_attention.rope_type",
            "another",
        ),
    ];
    for (name, key, value, field, found) in cases {
        let error = refusal(name, key, value);
        assert_eq!(
            (error.code, error.field.as_str()),
            (Code::UnknownOption, field),
            "{error}"
        );
        assert_eq!(error.value, found);
    }
    let missing = refusal(
        "llama",
        "rope_parameters",
        json!({"rope_type": "llama3", "factor": 8.0}),
    );
    assert_eq!(
        (missing.code, missing.field.as_str()),
        (Code::MissingField, "low_freq_factor")
    );
    let short = refusal("gemma3", "layer_types", json!(["full_attention"]));
    assert_eq!(
        (short.code, short.field.as_str()),
        (Code::ShapeMismatch, "layer_types")
    );
    let odd = refusal(
        "gpt_neox",
        "rope_parameters",
        json!({"partial_rotary_factor": 0.4}),
    );
    assert_eq!(
        (odd.code, odd.field.as_str()),
        (Code::ShapeMismatch, "rotary_columns")
    );
}

#[test]
fn types_of_layers_that_follow_no_pattern_are_refused() {
    let mut config = settings("gemma3");
    config["num_hidden_layers"] = json!(5);
    let [near, full] = ["sliding_attention", "full_attention"];
    config["layer_types"] = json!([near, full, full, near, near]);
    let tensors = Tensors::read("gemma3/model.safetensors");
    let error =
        Checkpoint::from_hugging_face(&config.to_string(), &tensors.list).expect_err("no pattern");
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::UnknownOption, "layer_types")
    );
}

#[test]
fn an_unknown_architecture_is_refused_with_the_tensors_seen() {
    let error = refusal("llama", "model_type", json!("mamba"));
    assert_eq!(
        (error.code, error.field.as_str(), error.value.as_str()),
        (Code::UnknownOption, "model_type", "mamba")
    );
    assert!(
        error.rule.contains("qwen3") && error.rule.contains("model.embed_tokens.weight, "),
        "{error}"
    );
    let error = refusal("llama", "model_type", Value::Null);
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::MissingField, "model_type")
    );
    let error =
        Checkpoint::from_hugging_face("{\"model_type\": \"llama\"}", &[]).expect_err("no sizes");
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::MissingField, "hidden_size")
    );
    let error = Checkpoint::from_hugging_face("model_type: llama", &[]).expect_err("no JSON");
    assert_eq!(error.field, "config.json, line 1");
}

/// <https://github.com/pytorch/torchtitan/pull/2211>: sinks in the softmax are not computed with, so no checkpoint opens without them.
#[test]
fn sinks_are_refused_by_the_family_or_by_the_tensor() {
    let error = refusal("llama", "model_type", json!("gpt_oss"));
    assert_eq!(
        (error.code, error.field.as_str(), error.value.as_str()),
        (Code::UnknownOption, "model_type", "gpt_oss")
    );
    let mut tensors = Tensors::read("llama/model.safetensors").list;
    let sinks = "model.layers.0.self_attn.sinks";
    tensors.push(FileTensor {
        name: sinks.to_owned(),
        shape: vec![4],
        ..tensors[0].clone()
    });
    let error = Checkpoint::from_hugging_face(&settings("llama").to_string(), &tensors)
        .expect_err("a tensor too many");
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::NotApplicable, sinks)
    );
}
