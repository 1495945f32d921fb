//! Settings and lists of tensors made to break a reader: each is opened or refused by name, and none of what a setting states is allocated.

use checkpoint::{Checkpoint, Outputs, Taken};
use serde_json::{Value, json};

use crate::files::{Tensors, text};

const FOLDERS: &[&str] = &[
    "bert",
    "distilbert",
    "roberta",
    "gpt2",
    "gpt_neox",
    "llama3",
    "qwen2_window",
    "gemma3",
];

fn values() -> Vec<Value> {
    vec![
        json!(0),
        json!(1),
        json!(-1),
        json!(3),
        json!(2_147_483_647),
        json!(4_294_967_297_u64),
        json!(1e308),
        json!(5e-324),
        json!(0.5),
        json!(""),
        json!("sliding_attention"),
        json!(true),
        json!(false),
        json!(null),
        json!([]),
        json!([0, "full_attention"]),
        json!({}),
        json!({"rope_type": "linear", "factor": 5e-324}),
        json!({"rope_type": "llama3", "factor": 1e308, "low_freq_factor": 4, "high_freq_factor": 4, "rope_theta": 1e-300}),
        json!({"full_attention": null, "sliding_attention": []}),
    ]
}

/// Opens, or is refused with a field and a rule.
fn open(config: &str, tensors: &Tensors) {
    match Checkpoint::from_hugging_face(config, &tensors.list) {
        Ok(checkpoint) => assert!(checkpoint.config.check().is_ok(), "{config}"),
        Err(error) => {
            assert!(
                !error.field.is_empty() && !error.rule.is_empty(),
                "{config}"
            );
            let length = error.to_string().len();
            assert!(length < 2000, "{length} characters about {config}");
        }
    }
}

#[test]
fn every_setting_may_hold_anything() {
    let more = [
        "rope_scaling",
        "rope_theta",
        "partial_rotary_factor",
        "rotary_pct",
        "head_dim",
        "n_inner",
        "sliding_window_pattern",
    ];
    for folder in FOLDERS {
        let tensors = Tensors::read(&format!("{folder}/model.safetensors"));
        let config: Value =
            serde_json::from_str(&text(&format!("{folder}/config.json"))).expect("JSON");
        let keys = config
            .as_object()
            .expect("a table")
            .keys()
            .map(String::as_str);
        for key in keys.chain(more) {
            for value in values() {
                let mut changed = config.clone();
                changed[key] = value;
                open(&changed.to_string(), &tensors);
            }
            let mut changed = config.clone();
            changed.as_object_mut().expect("a table").remove(key);
            open(&changed.to_string(), &tensors);
        }
    }
}

#[test]
fn settings_may_end_anywhere_and_hold_any_byte() {
    let tensors = Tensors::read("gemma3/model.safetensors");
    let whole = text("gemma3/config.json");
    for end in 0..whole.len() {
        open(&whole[..end], &tensors);
    }
    for at in (0..whole.len()).step_by(3) {
        for other in ["\"", "\\", "{", "]", "9", "\u{0}", "é", "-"] {
            let mut changed = whole.clone();
            changed.replace_range(at..=at, other);
            open(&changed, &tensors);
        }
    }
}

#[test]
fn tensors_may_have_any_name_type_and_shape() {
    let config = text("gpt_neox/config.json");
    let whole = Tensors::read("gpt_neox/model.safetensors");
    let long = "x".repeat(100_000);
    for at in 0..whole.list.len() {
        for name in [
            "",
            "layers.",
            "layers..w_q",
            "gpt_neox.layers.99999999999999999999.attention.bias",
            "é{}",
            &long,
        ] {
            let mut tensors = whole.clone();
            tensors.list[at].name = name.to_owned();
            open(&config, &tensors);
        }
        for shape in [
            vec![],
            vec![0],
            vec![usize::MAX; 2],
            vec![1; 1000],
            vec![96, 0],
        ] {
            let mut tensors = whole.clone();
            tensors.list[at].shape = shape;
            open(&config, &tensors);
        }
        let mut tensors = whole.clone();
        tensors.list[at].dtype.clone_from(&long);
        open(&config, &tensors);
    }
}

#[test]
fn numbers_of_another_count_are_refused() {
    for outputs in [
        Outputs::All,
        Outputs::Part(2),
        Outputs::PartOfHeads { part: 2, d_k: 2 },
        Outputs::Neighbours { d_k: 2 },
    ] {
        for transposed in [false, true] {
            let taken = Taken {
                tensor: 0,
                transposed,
                outputs,
                plus: 0.0,
            };
            for shape in [
                &[2, 4][..],
                &[4],
                &[0, 4],
                &[2, 0],
                &[],
                &[1, 2, 3],
                &[usize::MAX, usize::MAX],
            ] {
                let wanted: Option<usize> = taken
                    .shape_in_file(shape)
                    .and_then(|shape| shape.iter().try_fold(1_usize, |a, b| a.checked_mul(*b)));
                for count in 0..30 {
                    let stored = vec![1.0; count];
                    let found = taken.arrange("w", shape, &stored);
                    let fits = shape.len() <= 2 && !shape.is_empty() && wanted == Some(count);
                    assert_eq!(found.is_ok(), fits, "{outputs:?}, {shape:?}, {count}");
                }
            }
        }
    }
}
