//! Real checkpoints, which are not in the repository: `./dev models --into DIR minilm smollm2` fetches them, and `REAL_CHECKPOINTS` names that
//! folder. What transformers computes from them, in 32 bits with eager attention, is in `tests/golden/checkpoints/real`.

use std::path::PathBuf;

use checkpoint::{Checkpoint, FileTensor, Lookup, StoredBlocks, Value};
use formats::Parsed;
use formats::gguf::{Gguf, Metadata};
use model::infer::{Inference, KeyValues, WantedLogits};
use model::{Model, Words, likeliest};

use crate::files::{Tensors, largest_difference, text};

fn path(name: &str) -> String {
    let root = std::env::var("REAL_CHECKPOINTS").expect("REAL_CHECKPOINTS names a folder");
    PathBuf::from(root).join(name).display().to_string()
}

struct Settings<'a>(&'a Metadata);

impl Lookup for Settings<'_> {
    fn value(&self, key: &str) -> Option<Value> {
        let text = self
            .0
            .text(key)
            .ok()
            .flatten()
            .map(|text| Value::Text(text.to_owned()));
        let flag = || self.0.flag(key).ok().flatten().map(Value::Flag);
        let number = || self.0.float(key).ok().flatten().map(Value::Number);
        let whole = || {
            self.0
                .whole(key)
                .ok()
                .flatten()
                .map(|own| Value::Number(own as f64))
        };
        text.or_else(flag).or_else(whole).or_else(number)
    }
}

pub(crate) fn smollm2() -> Model {
    let file = path("models/smollm2/SmolLM2-135M-Instruct.Q4_1.gguf");
    let bytes = std::fs::read(file).expect("the file");
    let Ok(Parsed::Whole(file)) = Gguf::parse(&bytes, bytes.len() as u64) else {
        panic!("no GGUF file")
    };
    let tensors: Vec<FileTensor> = file
        .tensors
        .iter()
        .map(|tensor| FileTensor {
            name: tensor.name.clone(),
            dtype: tensor.stored.name().to_owned(),
            shape: tensor.shape.clone(),
        })
        .collect();
    let checkpoint = Checkpoint::from_gguf(&Settings(&file.metadata), &tensors).expect("a Llama");
    assert_eq!(checkpoint.dtypes, ["q8_0", "f32", "q4_1"]);
    let read = |at: usize| {
        let span = &file.tensors[at].span;
        let bytes = bytes[span.start as usize..span.end as usize].to_vec();
        StoredBlocks::new(&tensors[at], bytes)
    };
    checkpoint.open(read).expect("a whole model")
}

fn minilm() -> Model {
    let tensors = Tensors::read(&path("models/minilm/model.safetensors"));
    let config = path("models/minilm/config.json");
    let config = std::fs::read_to_string(config).expect("a folder");
    let checkpoint = Checkpoint::from_hugging_face(&config, &tensors.list).expect("a BERT");
    checkpoint
        .open(|at| tensors.blocks(at))
        .expect("a whole model")
}

/// Ids of a text, what is known of it, and all weights.
fn expected(name: &str) -> (Vec<usize>, serde_json::Value, Vec<f64>) {
    let known = text(&format!("real/{name}.json"));
    let known: serde_json::Value = serde_json::from_str(&known).expect("JSON");
    let ids = serde_json::from_value(known["ids"].clone()).expect("ids");
    let tensors = Tensors::read(&format!("real/{name}.safetensors"));
    (ids, known, tensors.named("weights").expect("weights"))
}

fn everything(model: &Model) -> Inference {
    let config = model.config();
    let heads = (0..config.layers).flat_map(|layer| (0..config.heads).map(move |g| (layer, g)));
    Inference {
        weights: heads.collect(),
        logits: match config.logits {
            true => WantedLogits::Last,
            false => WantedLogits::None,
        },
        ..Inference::default()
    }
}

#[test]
#[ignore = "needs files of 98 and 91 MB: see the head of this file"]
fn weights_and_next_words_are_those_of_transformers() {
    for (name, model) in [("minilm", minilm()), ("smollm2", smollm2())] {
        for text in 0..3 {
            let (ids, known, wanted) = expected(&format!("{name}_{text}"));
            let words = Words::new(model.config(), &[ids]).expect("tokens of the model");
            let found = model.infer(&words, &everything(&model)).expect("finite");
            let weights = found.weights.iter().flatten().copied();
            let difference = largest_difference(weights, &wanted);
            println!("{name} {text}: weights {difference:.1e}");
            assert!(difference < 1e-4, "{name} {text}: {difference}");
            let Some(next) = known["next"].as_array() else {
                continue;
            };
            let wanted: Vec<f64> = next.iter().filter_map(|own| own[1].as_f64()).collect();
            let shares = likeliest(&found.logits, 1.0, wanted.len()).expect("a temperature");
            let shares = shares.iter().map(|own| own.share as f32);
            let difference = largest_difference(shares, &wanted);
            println!("{name} {text}: shares {difference:.1e}");
            assert!(difference < 1e-4, "{name} {text}: {difference}");
        }
    }
}

#[test]
#[ignore = "needs a file of 98 MB: see the head of this file"]
fn a_pass_word_by_word_is_the_whole_pass() {
    let (model, (ids, ..)) = (smollm2(), expected("smollm2_0"));
    let how = everything(&model);
    let words = |ids: &[usize]| Words::new(model.config(), &[ids.to_vec()]).expect("tokens");
    let whole = model.infer(&words(&ids), &how).expect("finite");
    let mut kept = KeyValues::new(&model, &how).expect("causal");
    let mut last = Vec::new();
    for id in &ids {
        let next = model
            .infer_next(&words(&[*id]), &how, &mut kept)
            .expect("finite");
        last = next.logits;
    }
    assert!(last == whole.logits);
}
