//! Golden files and vocabularies.

pub(crate) mod gguf;

use std::fs;

use serde_json::Value;
use tokenizer::{Encoding, GgufVocabulary, Tokenizer};

pub(crate) fn bytes(name: &str) -> Vec<u8> {
    fs::read(format!(
        "{}/tests/golden/{name}",
        env!("CARGO_MANIFEST_DIR")
    ))
    .unwrap()
}

pub(crate) fn json(name: &str) -> Value {
    serde_json::from_slice(&bytes(name)).unwrap()
}

pub(crate) fn texts() -> Vec<String> {
    strings(&json("texts.json"))
}

pub(crate) fn strings(value: &Value) -> Vec<String> {
    serde_json::from_value(value.clone()).unwrap()
}

/// The tokenizer of `NAME.tokenizer.json`.
pub(crate) fn folder(name: &str) -> Tokenizer {
    Tokenizer::from_json(&bytes(&format!("{name}.tokenizer.json"))).unwrap()
}

/// The tokenizer of `NAME.vocabulary.json`.
pub(crate) fn from_gguf(name: &str) -> Tokenizer {
    Tokenizer::from_gguf(vocabulary(name)).unwrap()
}

pub(crate) fn vocabulary(name: &str) -> GgufVocabulary {
    let file = json(&format!("{name}.vocabulary.json"));
    let number = |key: &str| file[key].as_u64().map(|id| u32::try_from(id).unwrap());
    let flag = |key: &str| file[key].as_bool();
    let list = |key: &str| file[key].as_array();
    GgufVocabulary {
        model: file["model"].as_str().unwrap().to_owned(),
        pre: file["pre"].as_str().map(str::to_owned),
        tokens: strings(&file["tokens"]),
        scores: list("scores").map(|scores| {
            let score = |score: &Value| score.as_f64().unwrap() as f32;
            scores.iter().map(score).collect()
        }),
        token_types: Some(serde_json::from_value(file["token_types"].clone()).unwrap()),
        merges: list("merges").map(|_| strings(&file["merges"])),
        bos: number("bos"),
        eos: number("eos"),
        unknown: number("unknown"),
        separator: number("separator"),
        class: number("class"),
        add_bos: flag("add_bos"),
        add_eos: flag("add_eos"),
        add_space_prefix: flag("add_space_prefix"),
        lowercase: None,
        strip_accents: None,
    }
}

/// Holds what a tokenizer makes of a text against an entry of a golden file.
#[track_caller]
pub(crate) fn assert_encoding(text: &str, encoding: &Encoding, expected: &Value) {
    let ids: Vec<u32> = serde_json::from_value(expected["ids"].clone()).unwrap();
    let offsets: Vec<[usize; 2]> = serde_json::from_value(expected["offsets"].clone()).unwrap();
    assert_eq!(encoding.ids, ids, "ids of {text:?}");
    assert_eq!(
        encoding.tokens,
        strings(&expected["tokens"]),
        "tokens of {text:?}"
    );
    assert_eq!(encoding.offsets, offsets, "offsets of {text:?}");
    assert_eq!(encoding.origins.len(), ids.len(), "origins of {text:?}");
}
