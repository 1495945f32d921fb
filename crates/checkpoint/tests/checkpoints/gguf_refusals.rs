//! What is refused of a GGUF file, by the key or the tensor.

use attention::{Code, Error};
use checkpoint::{Checkpoint, FileTensor, Value};

use crate::files::Tensors;
use crate::gguf::{Metadata, number};

fn refusal(metadata: &Metadata, tensors: &[FileTensor]) -> Error {
    Checkpoint::from_gguf(metadata, tensors).expect_err("refused")
}

#[test]
fn metadata_and_tensors_are_refused_by_name() {
    let name = "gguf_llama";
    let (metadata, tensors) = (
        Metadata::read(name),
        Tensors::read(&format!("{name}/tensors.safetensors")).list,
    );
    let changes = [
        (
            "llama.block_count",
            number(0),
            Code::UnknownOption,
            "llama.block_count",
        ),
        (
            "llama.block_count",
            Value::Number(2.5),
            Code::UnknownOption,
            "llama.block_count",
        ),
        (
            "llama.block_count",
            number(1 << 30),
            Code::ShapeMismatch,
            "layers",
        ),
        (
            "llama.attention.head_count",
            Value::List(vec![number(4); 3]),
            Code::UnknownOption,
            "llama.attention.head_count",
        ),
        (
            "llama.attention.head_count_kv",
            number(3),
            Code::KvHeadsDoNotDivide,
            "kv_heads",
        ),
        (
            "llama.attention.value_length",
            number(9),
            Code::ShapeMismatch,
            "llama.attention.value_length",
        ),
        (
            "llama.embedding_length",
            number(25),
            Code::ShapeMismatch,
            "token_embd.weight",
        ),
        (
            "llama.expert_count",
            number(8),
            Code::UnknownOption,
            "llama.expert_count",
        ),
        (
            "llama.rope.scaling.type",
            Value::Text("yarn".to_owned()),
            Code::UnknownOption,
            "llama.rope.scaling.type",
        ),
        (
            "llama.rope.dimension_count",
            number(7),
            Code::ShapeMismatch,
            "rotary_columns",
        ),
        (
            "llama.rope.dimension_count",
            number(12),
            Code::ShapeMismatch,
            "rotary_columns",
        ),
        (
            "llama.rope.freq_base",
            Value::Number(f64::NAN),
            Code::UnknownOption,
            "llama.rope.freq_base",
        ),
        (
            "general.architecture",
            Value::Text("mamba".to_owned()),
            Code::UnknownOption,
            "general.architecture",
        ),
        (
            "general.architecture",
            number(1),
            Code::UnknownOption,
            "general.architecture",
        ),
    ];
    for (key, value, code, field) in changes {
        let error = refusal(&metadata.with(key, value), &tensors);
        assert_eq!((error.code, error.field.as_str()), (code, field), "{error}");
    }
    for key in [
        "general.architecture",
        "llama.context_length",
        "llama.attention.layer_norm_rms_epsilon",
    ] {
        let mut without = metadata.clone();
        without.0.remove(key);
        let error = refusal(&without, &tensors);
        assert_eq!(
            (error.code, error.field.as_str()),
            (Code::MissingField, key)
        );
    }
    let error = refusal(&Metadata::default(), &[]);
    assert_eq!(error.field, "general.architecture");
    let mut typed = tensors.clone();
    typed[0].dtype = "IQ2_XXS".to_owned();
    let error = refusal(&metadata, &typed);
    assert_eq!(
        (error.code, &error.field, error.value.as_str()),
        (Code::UnknownOption, &typed[0].name, "IQ2_XXS")
    );
    let mut sinks = tensors.clone();
    sinks.push(FileTensor {
        name: "blk.0.attn_sinks.weight".to_owned(),
        shape: vec![4],
        ..tensors[0].clone()
    });
    let error = refusal(&metadata, &sinks);
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::NotApplicable, "blk.0.attn_sinks.weight")
    );
    let error = refusal(
        &metadata.with("general.architecture", Value::Text("gpt-oss".to_owned())),
        &tensors,
    );
    assert_eq!(
        (error.field.as_str(), error.value.as_str()),
        ("general.architecture", "gpt-oss")
    );
}
