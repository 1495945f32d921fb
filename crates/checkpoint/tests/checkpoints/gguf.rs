//! GGUF files: the tables of names, the order of rotary pairs, fused projections.

use std::collections::BTreeMap;

use attention::Code;
use checkpoint::{Checkpoint, Family, Lookup, Value};
use model::Words;

use crate::files::{Tensors, check_inferred, largest_difference, text};

/// Metadata by key.
#[derive(Clone, Default)]
pub(crate) struct Metadata(pub(crate) BTreeMap<String, Value>);

impl Lookup for Metadata {
    fn value(&self, key: &str) -> Option<Value> {
        self.0.get(key).cloned()
    }
}

impl Metadata {
    pub(crate) fn read(name: &str) -> Self {
        let entries: serde_json::Value =
            serde_json::from_str(&text(&format!("{name}/metadata.json"))).expect("JSON");
        let entries = entries.as_object().expect("a table").iter();
        Self(
            entries
                .map(|(key, value)| (key.clone(), of_json(value)))
                .collect(),
        )
    }

    pub(crate) fn with(&self, key: &str, value: Value) -> Self {
        let mut changed = self.clone();
        changed.0.insert(key.to_owned(), value);
        changed
    }
}

fn of_json(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::String(text) => Value::Text(text.clone()),
        other => Value::Number(other.as_f64().expect("a number")),
    }
}

fn check(name: &str, checkpoint: &Checkpoint, tensors: &Tensors, folder: &str) {
    let expected = Tensors::read(&format!("{folder}/expected.safetensors"));
    let of = |what: &str| expected.named(what).expect(what);
    let ids: Vec<usize> = of("ids").into_iter().map(|id| id as usize).collect();
    check_inferred(name, &tensors.infer(checkpoint, &ids), &expected);
    let words = Words::new(&checkpoint.config, &[ids]).expect("tokens of the model");
    let found = tensors.load(checkpoint).forward(&words).expect("finite");
    let weights = found.weights().flat_map(|layer| layer.iter().copied());
    let of_weights = largest_difference(weights, &of("weights"));
    let of_rows = largest_difference(found.hidden().iter().copied(), &of("hidden"));
    println!("{name}: weights {of_weights:.1e}, rows {of_rows:.1e}");
    assert!(of_weights < 1e-5, "{name}: weights {of_weights}");
    assert!(of_rows < 5e-5, "{name}: rows {of_rows}");
    if let Some(logits) = expected.named("logits") {
        let difference = largest_difference(found.logits().iter().copied(), &logits);
        println!("{name}: logits {difference:.1e}");
        assert!(difference < 1e-4, "{name}: logits {difference}");
    }
}

/// Made by `tests/golden/checkpoints/make_gguf.py`: it is transformers that reads the file.
#[test]
fn weights_rows_and_logits_are_those_of_transformers() {
    for (name, family) in [
        ("gguf_llama", Family::Llama),
        ("gguf_qwen2", Family::Qwen2),
        ("gguf_gemma2", Family::Gemma2),
        ("gguf_gemma3", Family::Gemma3),
        ("gguf_gpt2", Family::Gpt2),
    ] {
        let tensors = Tensors::read(&format!("{name}/tensors.safetensors"));
        let checkpoint = Checkpoint::from_gguf(&Metadata::read(name), &tensors.list);
        let checkpoint = checkpoint.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(checkpoint.family, family);
        check(name, &checkpoint, &tensors, name);
    }
}

/// The names of GGUF for those of a Hugging Face folder.
fn renamed(name: &str, names: &[(&str, &str)]) -> Tensors {
    let mut tensors = Tensors::read(&format!("{name}/model.safetensors"));
    for tensor in &mut tensors.list {
        for (theirs, ours) in names {
            tensor.name = tensor.name.replace(theirs, ours);
        }
    }
    tensors
}

pub(crate) fn number(value: usize) -> Value {
    Value::Number(value as f64)
}

/// Sizes of `make.py`.
pub(crate) fn sizes(arch: &str, more: &[(&str, Value)]) -> Metadata {
    let entries = [
        ("context_length", number(31)),
        ("embedding_length", number(24)),
        ("block_count", number(3)),
        ("feed_forward_length", number(27)),
        ("attention.head_count", number(4)),
    ];
    let own = entries.iter().chain(more);
    let named = own.map(|(key, value)| (format!("{arch}.{key}"), value.clone()));
    let mut all = Metadata(named.collect());
    let name = Value::Text(arch.to_owned());
    all.0.insert("general.architecture".to_owned(), name);
    all
}

/// Qwen 3 differs from Hugging Face's file in its names alone.
#[test]
fn qwen3_is_read_in_the_names_of_gguf() {
    let names = [
        ("model.embed_tokens", "token_embd"),
        ("model.norm", "output_norm"),
        ("model.layers.", "blk."),
        ("self_attn.q_norm", "attn_q_norm"),
        ("self_attn.k_norm", "attn_k_norm"),
        ("self_attn.q_proj", "attn_q"),
        ("self_attn.k_proj", "attn_k"),
        ("self_attn.v_proj", "attn_v"),
        ("self_attn.o_proj", "attn_output"),
        ("mlp.gate_proj", "ffn_gate"),
        ("mlp.up_proj", "ffn_up"),
        ("mlp.down_proj", "ffn_down"),
        ("input_layernorm", "attn_norm"),
        ("post_attention_layernorm", "ffn_norm"),
    ];
    let metadata = sizes(
        "qwen3",
        &[
            ("attention.head_count_kv", number(2)),
            ("attention.key_length", number(10)),
            ("attention.layer_norm_rms_epsilon", Value::Number(1e-5)),
            ("rope.freq_base", number(70)),
        ],
    );
    let tensors = renamed("qwen3", &names);
    let checkpoint = Checkpoint::from_gguf(&metadata, &tensors.list).expect("valid");
    check("qwen3", &checkpoint, &tensors, "qwen3");
}

/// `convert_hf_to_gguf.py` puts all queries first, then all keys and all values.
#[test]
fn gpt_neox_has_stacked_projections() {
    let names = [
        ("gpt_neox.embed_in", "token_embd"),
        ("gpt_neox.final_layer_norm", "output_norm"),
        ("embed_out", "output"),
        ("gpt_neox.layers.", "blk."),
        ("attention.query_key_value", "attn_qkv"),
        ("attention.dense", "attn_output"),
        ("mlp.dense_h_to_4h", "ffn_up"),
        ("mlp.dense_4h_to_h", "ffn_down"),
        ("input_layernorm", "attn_norm"),
        ("post_attention_layernorm", "ffn_norm"),
    ];
    let metadata = sizes(
        "gptneox",
        &[
            ("embedding_length", number(32)),
            ("attention.layer_norm_epsilon", Value::Number(1e-5)),
            ("rope.dimension_count", number(4)),
            ("rope.freq_base", number(90)),
            ("use_parallel_residual", Value::Flag(true)),
        ],
    );
    let mut tensors = renamed("gpt_neox", &names);
    for at in 0..tensors.list.len() {
        if tensors.list[at].name.contains("attn_qkv") {
            let width: usize = tensors.list[at].shape[1..].iter().product();
            // Head 0's queries, keys, values, head 1's …: eight rows each.
            let rows = |part: usize| {
                (0..4).flat_map(move |head| (0..8).map(move |row| (3 * head + part) * 8 + row))
            };
            tensors.reorder(at, width, (0..3).flat_map(rows));
        }
    }
    let checkpoint = Checkpoint::from_gguf(&metadata, &tensors.list).expect("valid");
    check("gptneox", &checkpoint, &tensors, "gpt_neox");
}

#[test]
fn bert_is_read_in_the_names_of_gguf() {
    let names = [
        ("embeddings.word_embeddings", "token_embd"),
        ("embeddings.position_embeddings", "position_embd"),
        ("embeddings.LayerNorm", "token_embd_norm"),
        ("transformer.layer.", "blk."),
        ("attention.q_lin", "attn_q"),
        ("attention.k_lin", "attn_k"),
        ("attention.v_lin", "attn_v"),
        ("attention.out_lin", "attn_output"),
        ("sa_layer_norm", "attn_output_norm"),
        ("output_layer_norm", "layer_output_norm"),
        ("ffn.lin1", "ffn_up"),
        ("ffn.lin2", "ffn_down"),
    ];
    let metadata = sizes(
        "bert",
        &[
            ("attention.layer_norm_epsilon", Value::Number(1e-12)),
            ("attention.causal", Value::Flag(false)),
        ],
    );
    let tensors = renamed("distilbert", &names);
    let checkpoint = Checkpoint::from_gguf(&metadata, &tensors.list).expect("valid");
    check("bert", &checkpoint, &tensors, "distilbert");
}

/// The divisors of Llama 3.1 and later are a tensor: as the settings of Hugging Face's file make them.
#[test]
fn rope_freqs_divide_the_angles() {
    let (folder, _) = crate::files::open("llama3");
    let origin = &folder
        .tensors
        .iter()
        .find(|tensor| tensor.name == "rotary_divisors");
    let checkpoint::Origin::Given(divisors) = &origin.expect("it has them").origin else {
        panic!("numbers of the settings")
    };
    // transformers' inverse frequencies of base 400 and d_k 14, before over after.
    let wanted = [1.0, 1.0, 1.392_149, 3.276_487, 4.0, 4.0, 4.0];
    assert_eq!(divisors.len(), wanted.len());
    for (found, wanted) in divisors.iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-6, "{found} for {wanted}");
    }
    let name = "gguf_llama";
    let mut tensors = Tensors::read(&format!("{name}/tensors.safetensors"));
    let plain = Checkpoint::from_gguf(&Metadata::read(name), &tensors.list).expect("valid");
    assert!(!plain.config.rotary_divisors);
    tensors.add("rope_freqs.weight", "F32", &[5]);
    let divided = Checkpoint::from_gguf(&Metadata::read(name), &tensors.list).expect("valid");
    assert!(divided.config.rotary_divisors);
    let scaled = Metadata::read(name)
        .with("llama.rope.scaling.type", Value::Text("linear".to_owned()))
        .with("llama.rope.scaling.factor", Value::Number(2.0));
    let error = Checkpoint::from_gguf(&scaled, &tensors.list).expect_err("both");
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::NotApplicable, "llama.rope.scaling.factor")
    );
    tensors.list.pop();
    let scaled = Checkpoint::from_gguf(&scaled, &tensors.list).expect("valid");
    let divisors = scaled
        .tensors
        .iter()
        .find(|tensor| tensor.name == "rotary_divisors");
    let wanted = checkpoint::Origin::Given(vec![2.0; 5]);
    assert_eq!(divisors.map(|tensor| &tensor.origin), Some(&wanted));
}

#[test]
fn the_types_of_a_file_are_listed_as_the_model_meets_them() {
    let name = "gguf_llama";
    let mut tensors = Tensors::read(&format!("{name}/tensors.safetensors")).list;
    for tensor in &mut tensors {
        tensor.dtype = match tensor.name.as_str() {
            "token_embd.weight" => "Q8_0",
            own if own.contains("ffn_down") => "Q6_K",
            own if own.contains("norm") => "F32",
            _ => "Q4_K",
        }
        .to_owned();
    }
    let checkpoint = Checkpoint::from_gguf(&Metadata::read(name), &tensors).expect("valid");
    assert_eq!(checkpoint.dtypes, ["q8_0", "f32", "q4_k", "q6_k"]);
}
