//! Ids, tokens and offsets against the reference libraries: `tests/golden/README.md`.

use crate::support::{assert_encoding, folder, from_gguf, json, strings, texts, vocabulary};
use tokenizer::{GgufVocabulary, Tokenizer, split_names};

fn compare(tokenizer: &Tokenizer, name: &str) {
    let expected = json(&format!("{name}.json"));
    let texts = texts();
    assert_eq!(expected.as_array().unwrap().len(), texts.len());
    for (text, expected) in texts.iter().zip(expected.as_array().unwrap()) {
        assert_encoding(text, &tokenizer.encode(text).unwrap(), expected);
    }
}

#[test]
fn tokenizer_json_as_in_python() {
    for name in [
        "gpt2", "bert", "llama", "minilm", "fallback", "words", "roberta", "trimmed",
    ] {
        println!("{name}");
        compare(&folder(name), name);
    }
}

#[test]
fn byte_pairs_of_gguf_as_in_llama_cpp() {
    compare(&from_gguf("smollm2"), "smollm2");
}

#[test]
fn sentence_piece_of_gguf_as_in_llama_cpp() {
    compare(&from_gguf("llama_spm"), "llama_spm");
}

#[test]
fn word_piece_of_gguf_as_in_bert() {
    compare(&from_gguf("bge"), "bge");
}

#[test]
fn every_split_as_in_llama_cpp() {
    let golden = json("splits.json");
    let texts = strings(&golden["texts"]);
    let mut seen = Vec::new();
    for group in golden["groups"].as_array().unwrap() {
        for name in strings(&group["names"]) {
            let pre = Some(name.clone());
            let vocabulary = vocabulary("splits");
            let tokenizer = Tokenizer::from_gguf(GgufVocabulary { pre, ..vocabulary }).unwrap();
            for (text, ids) in texts.iter().zip(group["ids"].as_array().unwrap()) {
                let ids: Vec<u32> = serde_json::from_value(ids.clone()).unwrap();
                let encoding = tokenizer.encode(text).unwrap();
                assert_eq!(encoding.ids, ids, "{name}: {text:?}");
            }
            seen.push(name);
        }
    }
    seen.sort_unstable();
    let mut known: Vec<_> = split_names().map(str::to_owned).collect();
    known.sort_unstable();
    assert_eq!(seen, known);
}
