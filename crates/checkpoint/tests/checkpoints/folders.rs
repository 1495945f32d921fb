//! Hugging Face folders: weights of every head, rows and logits.

use checkpoint::Family;
use model::{Forward, Model, Words};
use serde_json::Value;

use crate::files::{Tensors, check_inferred, largest_difference, open, text};

fn forward(model: &Model, ids: &[usize]) -> Forward {
    let words = Words::new(model.config(), &[ids.to_vec()]).expect("tokens of the model");
    model.forward(&words).expect("finite")
}

fn weights(forward: &Forward) -> impl Iterator<Item = f32> + '_ {
    forward.weights().flat_map(|layer| layer.iter().copied())
}

/// Given from outside, with weights of seven digits.
#[test]
fn weights_are_those_of_transformers() {
    for (name, family) in [
        ("gpt2", Family::Gpt2),
        ("bert", Family::Bert),
        ("llama", Family::Llama),
    ] {
        let (checkpoint, model) = open(name);
        assert_eq!(checkpoint.family, family);
        assert_eq!(checkpoint.dtypes, ["f32"]);
        let tensors = Tensors::read(&format!("{name}/model.safetensors"));
        let expected: Value =
            serde_json::from_str(&text(&format!("{name}/expected.json"))).expect("JSON");
        let cases = expected["cases"].as_array().expect("cases");
        assert_eq!(cases.len(), 3);
        for case in cases {
            let list = |value: &Value| -> Vec<f64> {
                serde_json::from_value(value.clone()).expect("numbers")
            };
            let ids: Vec<usize> = list(&case["ids"])
                .into_iter()
                .map(|id| id as usize)
                .collect();
            let layers = case["attentions"].as_array().expect("layers");
            let wanted: Vec<f64> = layers
                .iter()
                .flat_map(|layer| list(&layer["data"]))
                .collect();
            let stored = tensors.infer(&checkpoint, &ids).weights;
            let difference = largest_difference(stored.iter().flatten().copied(), &wanted);
            assert!(difference < 1e-5, "{name}, stored: {difference}");
            let found = forward(&model, &ids);
            let difference = largest_difference(weights(&found), &wanted);
            println!("{name}: weights {difference:.1e}");
            assert!(difference < 1e-5, "{name}, {}: {difference}", case["text"]);
        }
    }
}

/// Made by `tests/golden/checkpoints/make.py`, in 64 bit.
#[test]
fn weights_rows_and_logits_are_those_of_transformers_in_64_bits() {
    for (name, family) in [
        ("distilbert", Family::DistilBert),
        ("roberta", Family::Roberta),
        ("bert_masked", Family::Bert),
        ("distilbert_masked", Family::DistilBert),
        ("roberta_masked", Family::Roberta),
        ("gpt_neox", Family::GptNeoX),
        ("gpt_neox_serial", Family::GptNeoX),
        ("llama3", Family::Llama),
        ("mistral", Family::Mistral),
        ("qwen2", Family::Qwen2),
        ("qwen2_window", Family::Qwen2),
        ("qwen3", Family::Qwen3),
        ("gemma2", Family::Gemma2),
        ("gemma3", Family::Gemma3),
        ("gemma3_both_sides", Family::Gemma3),
    ] {
        let (checkpoint, model) = open(name);
        assert_eq!(checkpoint.family, family);
        let expected = Tensors::read(&format!("{name}/expected.safetensors"));
        let of = |what: &str| expected.named(what).expect(what);
        let ids: Vec<usize> = of("ids").into_iter().map(|id| id as usize).collect();
        let tensors = Tensors::read(&format!("{name}/model.safetensors"));
        check_inferred(name, &tensors.infer(&checkpoint, &ids), &expected);
        let found = forward(&model, &ids);
        let of_weights = largest_difference(weights(&found), &of("weights"));
        let of_rows = largest_difference(found.hidden().iter().copied(), &of("hidden"));
        println!("{name}: weights {of_weights:.1e}, rows {of_rows:.1e}");
        assert!(of_weights < 1e-5, "{name}: weights {of_weights}");
        assert!(of_rows < 5e-5, "{name}: rows {of_rows}");
        assert_eq!(expected.named("logits").is_some(), model.config().logits);
        if let Some(logits) = expected.named("logits") {
            let difference = largest_difference(found.logits().iter().copied(), &logits);
            println!("{name}: logits {difference:.1e}");
            assert!(difference < 1e-4, "{name}: logits {difference}");
        }
    }
}
