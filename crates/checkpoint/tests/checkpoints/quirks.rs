//! What transformers 5.24.0 makes of settings that say a thing twice, not at all, or in the words of older versions. Numbers are the first
//! four weights of the last word, layer 1, head 3, and the first three logits (or numbers of its row).

use checkpoint::{Checkpoint, Family};
use model::{LocalLayers, Words};
use serde_json::{Value, json};

use crate::files::{Tensors, text};

/// "one two three four one two three" of the tiny Llama's tokenizer.
const ONE_TWO_THREE: &[usize] = &[
    0, 279, 70, 262, 88, 80, 262, 73, 261, 70, 222, 71, 80, 86, 83, 222, 279, 70, 262, 88, 80, 262,
    73, 261, 70,
];
/// Those of `make.py`.
const IDS: &[usize] = &[3, 17, 8, 28, 3, 11, 25, 9, 17, 2, 14, 6, 3];

/// A folder with some settings changed; `null` takes one away.
fn changed(name: &str, changes: &Value) -> String {
    let mut config: Value =
        serde_json::from_str(&text(&format!("{name}/config.json"))).expect("JSON");
    let entries = config.as_object_mut().expect("a table");
    for (key, value) in changes.as_object().expect("a table") {
        match value {
            Value::Null => entries.remove(key),
            value => entries.insert(key.clone(), value.clone()),
        };
    }
    config.to_string()
}

fn open(name: &str, changes: &Value) -> (Checkpoint, Tensors) {
    let tensors = Tensors::read(&format!("{name}/model.safetensors"));
    let checkpoint = Checkpoint::from_hugging_face(&changed(name, changes), &tensors.list);
    (
        checkpoint.unwrap_or_else(|error| panic!("{changes}: {error}")),
        tensors,
    )
}

fn check(name: &str, ids: &[usize], changes: &Value, weights: [f32; 4], last: [f32; 3]) {
    let (checkpoint, tensors) = open(name, changes);
    let model = tensors.load(&checkpoint);
    let words = Words::new(model.config(), &[ids.to_vec()]).expect("tokens of the model");
    let forward = model.forward(&words).expect("finite");
    let layer = forward.weights().nth(1).expect("two layers");
    let rows = if model.config().logits {
        forward.logits()
    } else {
        forward.hidden()
    };
    let row = &rows[rows.len() / ids.len() * (ids.len() - 1)..];
    for (key, wanted) in weights.into_iter().enumerate() {
        let found = layer[[0, 3, ids.len() - 1, key]];
        assert!(
            (found - wanted).abs() < 2e-6,
            "{name}, {changes}: weight {key} is {found} for {wanted}"
        );
    }
    for (found, wanted) in row.iter().zip(last) {
        assert!(
            (found - wanted).abs() < 3e-5,
            "{name}, {changes}: {found} for {wanted}"
        );
    }
}

#[test]
fn the_rotary_base_is_that_of_the_inner_table_before_the_one_outside() {
    let usual = (
        [0.022_503_8, 0.035_189_3, 0.026_583, 0.029_810_7],
        [1.853_04, -0.697_92, 1.357_55],
    );
    let wide = (
        [0.050_382, 0.050_901_8, 0.028_987_3, 0.028_761_8],
        [1.950_81, -0.364_99, 1.369_83],
    );
    let inner = |base: f64| json!({"rope_type": "default", "rope_theta": base});
    let cases = [
        (json!({}), usual),
        (json!({"rope_parameters": inner(500_000.0)}), wide),
        (
            json!({"rope_parameters": null, "rope_theta": 500_000.0, "rope_scaling": null}),
            wide,
        ),
        (json!({"rope_theta": 500_000.0}), usual),
        (json!({"rope_theta": 9.0, "rope_scaling": {}}), usual),
        (json!({"partial_rotary_factor": 0.5}), usual),
        (json!({"head_dim": null}), usual),
    ];
    for (changes, (weights, last)) in cases {
        check("llama", ONE_TWO_THREE, &changes, weights, last);
    }
}

#[test]
fn scaling_in_old_words_takes_the_place_of_the_inner_table() {
    let linear = json!({"type": "linear", "factor": 4.0});
    let with_base = json!({"rope_scaling": linear, "rope_theta": 500.0});
    let wanted = [0.066_337, 0.057_089, 0.051_801_5, 0.052_422_7];
    check(
        "llama",
        ONE_TWO_THREE,
        &with_base,
        wanted,
        [2.098_08, -0.304_61, 1.286_67],
    );
    let without = json!({"rope_scaling": linear});
    let wanted = [0.052_769_6, 0.048_166_8, 0.041_136_1, 0.043_453];
    check(
        "llama",
        ONE_TWO_THREE,
        &without,
        wanted,
        [1.884_67, -0.237_1, 1.117_89],
    );
    let llama3 = json!({"rope_parameters": {
        "rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 64}});
    let wanted = [0.044_483_9, 0.049_423_1, 0.029_806_6, 0.027_551_5];
    check(
        "llama",
        ONE_TWO_THREE,
        &llama3,
        wanted,
        [1.917_12, -0.442_95, 1.451_15],
    );
}

#[test]
fn gpt_neox_and_gemma_3_are_read_in_the_words_of_older_versions_too() {
    let old = json!({"rope_parameters": null, "rotary_pct": 0.5, "rotary_emb_base": 90});
    let wanted = [0.029_148_4, 0.292_656_7, 0.395_242_7, 0.080_039_7];
    check(
        "gpt_neox",
        IDS,
        &old,
        wanted,
        [-1.140_5, 0.883_29, -2.221_85],
    );
    let old = json!({"rope_parameters": null, "layer_types": null, "rope_theta": 70.0, "rope_local_base_freq": 20.0,
        "rope_scaling": {"rope_type": "linear", "factor": 8.0}});
    let wanted = [0.025_961_5, 0.170_656_2, 0.008_175_8, 0.162_983_7];
    check(
        "gemma3",
        IDS,
        &old,
        wanted,
        [-7.006_77, 4.616_97, -3.224_45],
    );
    let merged = json!({"rope_scaling": {"rope_type": "linear", "factor": 2.0}});
    let wanted = [0.020_293_7, 0.031_216_6, 0.032_312_9, 0.100_580_5];
    check(
        "gemma3",
        IDS,
        &merged,
        wanted,
        [-6.916_07, 4.679_3, -2.984_74],
    );
    let third = json!({"layer_types": null, "sliding_window_pattern": 3});
    check(
        "gemma3",
        IDS,
        &third,
        [0.0; 4],
        [-6.588_8, 4.332_32, -2.942_83],
    );
    // Without the pattern every sixth layer sees everything, whatever stands under the name with a line before it.
    let sixth = json!({"layer_types": null, "sliding_window_pattern": null});
    check(
        "gemma3",
        IDS,
        &sixth,
        [0.0; 4],
        [-5.536_94, 3.952_52, -3.128_25],
    );
}

#[test]
fn windows_are_those_that_are_used() {
    let off = json!({"use_sliding_window": false, "layer_types": null});
    let wanted = [0.021_293_7, 0.054_578, 0.153_190_5, 0.054_680_3];
    check(
        "qwen2_window",
        IDS,
        &off,
        wanted,
        [1.987_52, 1.722_78, -0.534_92],
    );
    // transformers raises a TypeError where the types of layers still speak of a window.
    let off = json!({"use_sliding_window": false});
    check(
        "qwen2_window",
        IDS,
        &off,
        wanted,
        [1.987_52, 1.722_78, -0.534_92],
    );
    let ignored = json!({"layer_types": ["full_attention", "full_attention", "full_attention"]});
    check(
        "mistral",
        IDS,
        &ignored,
        [0.0; 4],
        [0.056_27, -0.089_94, -0.071_94],
    );
    // What is left out is 4096, which `null` is not.
    let (absent, _) = open("mistral", &json!({"sliding_window": null}));
    assert_eq!(absent.config.local.map(|local| local.window), Some(4095));
    let tensors = Tensors::read("mistral/model.safetensors");
    let null =
        changed("mistral", &json!({})).replace("\"sliding_window\":4", "\"sliding_window\":null");
    let null = Checkpoint::from_hugging_face(&null, &tensors.list).expect("valid");
    assert_eq!(null.config.local, None);
    let (from, _) = open("qwen2_window", &json!({"layer_types": null}));
    assert_eq!(
        from.config.local.map(|local| local.layers),
        Some(LocalLayers::From(1))
    );
}

#[test]
fn gemma_takes_no_notice_of_the_activation_of_others() {
    let wanted = [0.027_766_2, 0.021_183_7, 0.049_380_7, 0.010_491_9];
    check(
        "gemma2",
        IDS,
        &json!({"hidden_act": "silu"}),
        wanted,
        [-2.991_84, 2.895_71, -0.336_22],
    );
}

/// The head of the file counts: transformers 5.24 ties what is absent, and nothing else.
#[test]
fn a_head_in_the_file_is_no_tied_one() {
    let config = changed("llama", &json!({}));
    let mut tensors = Tensors::read("llama/model.safetensors");
    let tied = Checkpoint::from_hugging_face(&config, &tensors.list).expect("valid");
    assert!(tied.config.tied && tied.config.logits);
    tensors.add("lm_head.weight", "F32", &[310, 32]);
    let own = Checkpoint::from_hugging_face(&config, &tensors.list).expect("valid");
    assert!(!own.config.tied);
    let words = Words::new(&own.config, &[ONE_TWO_THREE.to_vec()]).expect("tokens");
    let forward = tensors.load(&own).forward(&words).expect("finite");
    assert!(forward.logits().iter().all(|logit| *logit == 0.0));
}

#[test]
fn a_bare_model_ends_in_rows_with_a_prefix_or_without() {
    let mut tensors = Tensors::read("mistral/model.safetensors");
    let at = tensors
        .list
        .iter()
        .position(|tensor| tensor.name == "lm_head.weight");
    tensors.list.remove(at.expect("a head of its own"));
    let error = Checkpoint::from_hugging_face(&changed("mistral", &json!({})), &tensors.list);
    assert_eq!(error.expect_err("no head").field, "lm_head.weight");
    let bare = changed("mistral", &json!({"architectures": ["MistralModel"]}));
    for tensor in &mut tensors.list {
        tensor.name = tensor.name.replacen("model.", "", 1);
    }
    let checkpoint = Checkpoint::from_hugging_face(&bare, &tensors.list).expect("valid");
    assert!(!checkpoint.config.logits);
}

#[test]
fn tensors_that_a_model_does_without_are_passed_over() {
    let more: [(&str, &[(&str, &str)]); 6] = [
        (
            "bert",
            &[
                ("embeddings.position_ids", "I64"),
                ("cls.predictions.bias", "F32"),
                ("cls.seq_relationship.weight", "F32"),
            ],
        ),
        (
            "roberta",
            &[
                ("embeddings.position_ids", "I64"),
                ("lm_head.dense.weight", "F32"),
            ],
        ),
        (
            "distilbert",
            &[
                ("vocab_projector.bias", "F32"),
                ("vocab_transform.weight", "F32"),
            ],
        ),
        (
            "gpt2",
            &[
                ("transformer.h.1.attn.bias", "BOOL"),
                ("transformer.h.0.attn.masked_bias", "F32"),
            ],
        ),
        (
            "gpt_neox",
            &[
                ("gpt_neox.layers.2.attention.bias", "BOOL"),
                ("gpt_neox.layers.0.attention.masked_bias", "F32"),
                ("gpt_neox.layers.0.attention.rotary_emb.inv_freq", "F32"),
            ],
        ),
        (
            "llama",
            &[("model.layers.1.self_attn.rotary_emb.inv_freq", "F32")],
        ),
    ];
    for (name, more) in more {
        let config = text(&format!("{name}/config.json"));
        let mut tensors = Tensors::read(&format!("{name}/model.safetensors"));
        let before = Checkpoint::from_hugging_face(&config, &tensors.list).expect("valid");
        for (name, dtype) in more {
            tensors.add(name, dtype, &[1, 1, 7]);
        }
        let after = Checkpoint::from_hugging_face(&config, &tensors.list);
        let after = after.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(after.tensors, before.tensors);
        let names = |checkpoint: &Checkpoint| checkpoint.passed_over.len();
        assert_eq!(names(&after), names(&before) + more.len());
    }
}

/// RoBERTa's head has GELU whatever the settings say (findings/transformers-roberta-head.sh): with others it would say other words.
#[test]
fn a_head_whose_activation_is_another_is_left_out() {
    for (name, activation, has_head) in [
        ("roberta_masked", "gelu", true),
        ("roberta_masked", "relu", false),
        ("bert_masked", "relu", true),
    ] {
        let config = open(name, &json!({"hidden_act": activation})).0.config;
        let found = (config.masked_head, config.logits);
        assert_eq!(found, (has_head, has_head), "{name} {activation}");
    }
}

#[test]
fn names_of_families_that_are_built_alike_are_known() {
    for name in ["xlm-roberta", "camembert"] {
        let (checkpoint, _) = open("roberta", &json!({"model_type": name}));
        assert_eq!(checkpoint.family, Family::Roberta);
        assert_eq!(
            (checkpoint.config.first_position, checkpoint.config.length),
            (2, 31)
        );
    }
}
