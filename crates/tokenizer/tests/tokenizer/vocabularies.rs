//! What fields of a vocabulary mean, and what stands in for those that are absent, on vocabularies of a few tokens.

use tokenizer::{GgufVocabulary, Origin, Tokenizer};

fn strings(tokens: &[&str]) -> Vec<String> {
    tokens.iter().map(|&token| token.to_owned()).collect()
}

fn tokens(tokenizer: &Tokenizer, text: &str) -> Vec<String> {
    tokenizer.encode(text).unwrap().tokens
}

fn gguf(vocabulary: GgufVocabulary) -> Tokenizer {
    Tokenizer::from_gguf(vocabulary).unwrap()
}

fn pieces() -> GgufVocabulary {
    GgufVocabulary {
        model: "llama".to_owned(),
        tokens: strings(&["<unk>", "<s>", "</s>", "a", "▁", "▁a"]),
        scores: Some(vec![0.0, 0.0, 0.0, -3.0, -2.0, -1.0]),
        ..GgufVocabulary::default()
    }
}

#[test]
fn sentence_piece_begins_with_token_1_and_a_space() {
    assert_eq!(tokens(&gguf(pieces()), "a a"), ["<s>", "▁a", "▁a"]);
    let ends = GgufVocabulary {
        add_bos: Some(false),
        add_eos: Some(true),
        add_space_prefix: Some(false),
        ..pieces()
    };
    assert_eq!(tokens(&gguf(ends), "a a"), ["a", "▁a", "</s>"]);
}

#[test]
fn without_types_tokens_that_end_a_text_are_control_tokens() {
    let tokenizer = gguf(pieces());
    assert!(tokenizer.is_control(2) && !tokenizer.is_control(0) && !tokenizer.is_control(1));
    let origins = tokenizer.encode("</s>a").unwrap().origins;
    assert_eq!(origins, [Origin::Added, Origin::Control, Origin::Text]);
}

#[test]
fn user_defined_tokens_are_text_as_it_stands() {
    let letters = ["a", "Ġ", "é", "Ã", "©"];
    let vocabulary = GgufVocabulary {
        model: "gpt2".to_owned(),
        pre: Some("gpt-2".to_owned()),
        tokens: strings(&letters),
        token_types: Some(vec![1, 1, 4, 1, 1]),
        merges: Some(Vec::new()),
        ..GgufVocabulary::default()
    };
    let tokenizer = gguf(vocabulary.clone());
    let encoding = tokenizer.encode("a é").unwrap();
    assert_eq!(encoding.ids, [0, 1, 2]);
    assert_eq!(encoding.origins, [Origin::Text; 3]);
    assert_eq!(tokenizer.spelling(2).unwrap().text, "é");
    assert_eq!(tokenizer.decode(&encoding.ids), "a é");
    let normal = GgufVocabulary {
        token_types: None,
        ..vocabulary
    };
    let tokenizer = gguf(normal);
    assert_eq!(tokenizer.encode("a é").unwrap().ids, [0, 1, 3, 4]);
    assert_eq!(tokenizer.spelling(2).unwrap().text, "⟨0xE9⟩");
}

#[test]
fn spelling_of_bert() {
    let written = ["<pad>", "[UNK]", "[CLS]", "▁a", "b", "▁", "▁[x]", "[y]"];
    let tokenizer = gguf(GgufVocabulary {
        model: "bert".to_owned(),
        tokens: strings(&written),
        token_types: Some(vec![3, 3, 3, 1, 1, 1, 1, 1]),
        class: Some(2),
        separator: Some(0),
        unknown: Some(1),
        ..GgufVocabulary::default()
    });
    let own: Vec<_> = (0..8).map(|id| tokenizer.token(id).unwrap()).collect();
    assert_eq!(
        own,
        ["<pad>", "[UNK]", "[CLS]", "a", "##b", "##▁", "[x]", "[y]"]
    );
    assert_eq!(tokens(&tokenizer, "AB"), ["[CLS]", "a", "##b", "<pad>"]);
}

fn json(parts: &str) -> Tokenizer {
    Tokenizer::from_json(format!("{{{parts}}}").as_bytes()).unwrap()
}

#[test]
fn old_files_say_no_type_and_begin_their_merges_with_a_version() {
    let pairs =
        json(r##""model":{"vocab":{"a":0,"b":1,"ab":2},"merges":["#version: 0.2","a b"]}"##);
    assert_eq!(tokens(&pairs, "abb"), ["ab", "b"]);
    let words = json(r#""model":{"vocab":{"<unk>":0,"ab":1}}"#);
    assert_eq!(tokens(&words, "ab"), ["ab"]);
    assert_eq!(tokens(&words, "ba"), ["<unk>"]);
    let parts = json(r###""model":{"type":"WordPiece","vocab":{"[UNK]":0,"a":1,"##b":2}}"###);
    assert_eq!(tokens(&parts, "ab"), ["a", "##b"]);
}

#[test]
fn empty_added_tokens_are_passed_over() {
    let token = r#"{"id":9,"content":"","single_word":false,"lstrip":false,"rstrip":false,"normalized":true,"special":true}"#;
    let model = r#""model":{"vocab":{"a":0},"merges":[]}"#;
    let parts = format!(r#""added_tokens":[{token}],"normalizer":{{"type":"Lowercase"}},{model}"#);
    assert_eq!(tokens(&json(&parts), "A"), ["a"]);
}

#[test]
fn a_sequence_of_decoders_or_splitters_names_the_alphabet() {
    let model = r#""model":{"vocab":{"Ġ":0,"▁":1},"merges":[]}"#;
    let spelt = |part: &str| {
        let tokenizer = json(&format!("{part},{model}"));
        [0, 1].map(|id| tokenizer.spelling(id).unwrap().text)
    };
    let bytes =
        r#"{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true}"#;
    let digits = r#"{"type":"Digits","individual_digits":true}"#;
    let splitters =
        format!(r#""pre_tokenizer":{{"type":"Sequence","pretokenizers":[{digits},{bytes}]}}"#);
    assert_eq!(spelt(&splitters), ["␣", "▁"]);
    let decoders =
        r#""decoder":{"type":"Sequence","decoders":[{"type":"Fuse"},{"type":"ByteFallback"}]}"#;
    assert_eq!(spelt(decoders), ["Ġ", "␣"]);
    assert_eq!(spelt(r#""decoder":null"#), ["Ġ", "▁"]);
}
