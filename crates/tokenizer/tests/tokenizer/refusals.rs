//! What is refused, by field, value and rule; and that nothing panics.

use proptest::prelude::*;
use tokenizer::{GgufVocabulary, OpenError, Tokenizer};

use crate::support::{bytes, vocabulary};

fn refused(vocabulary: GgufVocabulary) -> String {
    Tokenizer::from_gguf(vocabulary).unwrap_err().to_string()
}

#[test]
fn names_that_are_not_known() {
    let smollm2 = vocabulary("smollm2");
    let pre = Some("gpt2".to_owned());
    let error = Tokenizer::from_gguf(GgufVocabulary { pre, ..smollm2 }).unwrap_err();
    assert_eq!(error, OpenError::UnknownSplit("gpt2".to_owned()));
    let model = "t5".to_owned();
    let error = Tokenizer::from_gguf(GgufVocabulary {
        model,
        ..vocabulary("smollm2")
    });
    assert_eq!(error.unwrap_err(), OpenError::UnknownModel("t5".to_owned()));
}

#[test]
fn fields_that_are_missing() {
    let without = |change: fn(&mut GgufVocabulary), name| {
        let mut vocabulary = vocabulary(name);
        change(&mut vocabulary);
        refused(vocabulary)
    };
    let error = without(|vocabulary| vocabulary.tokens.clear(), "smollm2");
    assert_eq!(error, "tokenizer.ggml.tokens: is missing");
    let error = without(|vocabulary| vocabulary.merges = None, "smollm2");
    assert_eq!(error, "tokenizer.ggml.merges: is missing");
    let error = without(|vocabulary| vocabulary.scores = None, "llama_spm");
    assert_eq!(error, "tokenizer.ggml.scores: is missing");
    let asks = |vocabulary: &mut GgufVocabulary| {
        vocabulary.add_bos = Some(true);
        vocabulary.bos = None;
    };
    let error = without(asks, "smollm2");
    assert_eq!(error, "tokenizer.ggml.bos_token_id: is missing");
}

#[test]
fn lists_that_do_not_fit_the_tokens() {
    let changed = |change: fn(&mut GgufVocabulary), name| {
        let mut vocabulary = vocabulary(name);
        change(&mut vocabulary);
        refused(vocabulary)
    };
    let error = changed(|file| file.token_types = Some(vec![1; 3]), "smollm2");
    assert_eq!(
        error,
        "tokenizer.ggml.token_type: 3: is not the number of tokens"
    );
    let error = changed(|file| file.scores = Some(vec![1.0; 3]), "llama_spm");
    assert_eq!(
        error,
        "tokenizer.ggml.scores: 3: is not the number of tokens"
    );
    let nan = |file: &mut GgufVocabulary| file.scores.as_mut().unwrap()[7] = f32::NAN;
    let error = changed(nan, "llama_spm");
    assert_eq!(error, "tokenizer.ggml.scores: NaN: is not a number");
    let twice = |file: &mut GgufVocabulary| file.tokens[9] = file.tokens[8].clone();
    let error = changed(twice, "splits");
    assert!(error.ends_with(": stands there twice"), "{error}");
    let odd = |file: &mut GgufVocabulary| file.merges.as_mut().unwrap()[0] = "ab".to_owned();
    let error = changed(odd, "smollm2");
    assert_eq!(error, "tokenizer.ggml.merges: \"ab\": is not two tokens");
    let odd = |file: &mut GgufVocabulary| file.merges.as_mut().unwrap()[0] = "a €".to_owned();
    let error = changed(odd, "smollm2");
    assert_eq!(
        error,
        "tokenizer.ggml.merges: \"€\": is not in the vocabulary"
    );
    let more = |file: &mut GgufVocabulary| file.merges.as_mut().unwrap()[0] = "a b c".to_owned();
    let error = changed(more, "smollm2");
    assert_eq!(
        error,
        "tokenizer.ggml.merges: \"b c\": is not in the vocabulary"
    );
    let error = changed(|file| file.separator = Some(1 << 30), "bge");
    let rule = "1073741824: is not in the vocabulary";
    assert_eq!(error, format!("tokenizer.ggml.seperator_token_id: {rule}"));
}

fn json(model: &str) -> String {
    let text = format!(r#"{{"version":"1.0","model":{model}}}"#);
    Tokenizer::from_json(text.as_bytes())
        .unwrap_err()
        .to_string()
}

#[test]
fn json_that_does_not_fit() {
    let pair = r#"{"type":"BPE","vocab":{"a":0,"b":1},"merges":["a b"]}"#;
    assert!(json(pair).contains("merges: \"ab\": is not in the vocabulary"));
    let line = r#"{"type":"BPE","vocab":{"a":0,"b":1},"merges":["a b c"]}"#;
    assert!(json(line).contains("merges: \"a b c\": is not two tokens"));
    let twice = r#"{"type":"BPE","vocab":{"a":0,"b":0},"merges":[]}"#;
    assert!(json(twice).contains("an id stands for two tokens"));
    let far = r#"{"type":"BPE","vocab":{"a":0,"b":4294967295},"merges":[]}"#;
    assert!(json(far).contains("most ids stand for no token"));
    let pieces = r###"{"type":"WordPiece","vocab":{"a":0},"continuing_subword_prefix":"##"}"###;
    assert!(json(pieces).contains("unk_token: [UNK]: is not in the vocabulary"));
    let scores = r#"{"type":"BPE","vocab":[["a",0.5]],"merges":[]}"#;
    assert!(json(scores).contains("is not of the model's type"));
    assert!(Tokenizer::from_json(b"").is_err());
    assert!(Tokenizer::from_json(&[0xFF, 0xFE]).is_err());
}

#[test]
fn json_that_is_not_read() {
    let unigram = r#"{"type":"Unigram","vocab":[["a",0.5]],"unk_id":0}"#;
    assert_eq!(json(unigram), "model.type: Unigram: is not known");
    let marked = r###"{"type":"BPE","vocab":{"a":0},"merges":[],"end_of_word_suffix":"</w>"}"###;
    let error = "model.end_of_word_suffix: </w>: is not read for BPE";
    assert_eq!(json(marked), error);
    let whole = |part: &str| {
        let model = r#"{"type":"BPE","vocab":{"a":0},"merges":[]}"#;
        let text = format!(r#"{{"version":"1.0","model":{model},{part}}}"#);
        Tokenizer::from_json(text.as_bytes())
            .unwrap_err()
            .to_string()
    };
    let table = r#""normalizer":{"type":"Sequence","normalizers":[{"type":"Precompiled","precompiled_charsmap":""}]}"#;
    assert_eq!(whole(table), "normalizer: Precompiled: is not read");
    let none = r#""pre_tokenizer":{"type":"FixedLength","length":0}"#;
    assert_eq!(whole(none), "pre_tokenizer: FixedLength: has length 0");
    let second = r#""post_processor":{"type":"TemplateProcessing","single":[{"Sequence":{"id":"B","type_id":0}}],"pair":[],"special_tokens":{}}"#;
    assert_eq!(whole(second), "post_processor.single: B: is a second text");
    let more = r#""post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"x","type_id":0}}],"pair":[],"special_tokens":{"x":{"id":"x","ids":[0,0],"tokens":["a"]}}}"#;
    let error = "post_processor.special_tokens: x: has more ids than tokens or fewer";
    assert_eq!(whole(more), error);
    let other = more.replace(r#""id":"x","ids""#, r#""id":"y","ids""#);
    let error = "post_processor.special_tokens: x: has another id";
    assert_eq!(whole(&other), error);
    let absent = more.replace(r#""SpecialToken":{"id":"x""#, r#""SpecialToken":{"id":"z""#);
    let error = "post_processor.single: z: is not among the special tokens";
    assert_eq!(whole(&absent), error);
    for pattern in [
        r#"{"String":""}"#,
        r#"{"Regex":"a*"}"#,
        r#"{"Regex":"(?=b)"}"#,
    ] {
        let empty =
            format!(r#""normalizer":{{"type":"Replace","pattern":{pattern},"content":"x"}}"#);
        assert_eq!(whole(&empty), "normalizer: Replace: replaces what is empty");
    }
    let prefix = r#""normalizer":{"type":"Prepend","prepend":""}"#;
    assert_eq!(whole(prefix), "normalizer: Prepend: is empty");
    let token = r#"{"id":9,"content":"a","single_word":false,"lstrip":false,"rstrip":false,"normalized":true,"special":true}"#;
    let gone = r#""normalizer":{"type":"Replace","pattern":{"String":"a"},"content":""}"#;
    let error = "added_tokens: \"a\": is empty once it is normalized";
    assert_eq!(whole(&format!(r#""added_tokens":[{token}],{gone}"#)), error);
    let version =
        Tokenizer::from_json(br#"{"version":"2.0","model":{"type":"BPE","vocab":{},"merges":[]}}"#);
    assert_eq!(version.unwrap_err().to_string(), "version: 2.0: is not 1.0");
}

proptest! {
    /// A file with bytes cut off, changed or put in between is opened or refused, and what is opened encodes.
    #[test]
    fn broken_files_do_not_panic(name in prop::sample::select(vec!["bert", "llama", "fallback", "roberta", "words"]), at in any::<prop::sample::Index>(), with in any::<u8>(), kind in 0..3) {
        let mut file = bytes(&format!("{name}.tokenizer.json"));
        let at = at.index(file.len());
        match kind {
            0 => file.truncate(at),
            1 => file[at] = with,
            _ => file.insert(at, with % 0x80),
        }
        if let Ok(tokenizer) = Tokenizer::from_json(&file) {
            for text in ["", " ", "The café\u{301} <mask>  a 你"] {
                if let Ok(encoding) = tokenizer.encode(text) {
                    prop_assert_eq!(encoding.ids.len(), encoding.origins.len());
                    tokenizer.decode(&encoding.ids);
                }
            }
        }
    }

    /// Any lists of tokens, merges, scores and types are opened or refused.
    #[test]
    fn any_vocabulary_does_not_panic(
        model in prop::sample::select(vec!["gpt2", "llama", "bert"]),
        tokens in prop::collection::vec("[ab▁ #\\[\\]<x0>]{0,3}", 0..12),
        merges in prop::collection::vec("[ab ▁]{0,4}", 0..4),
        scores in prop::collection::vec(any::<f32>(), 0..12),
        types in prop::collection::vec(0..8, 0..12),
        id in 0..14_u32,
        text in "[ab #▁<x0>\\[\\]你]{0,9}",
    ) {
        let vocabulary = GgufVocabulary {
            model: model.to_owned(),
            tokens: tokens.clone(),
            merges: Some(merges),
            scores: Some(scores.into_iter().chain([0.5; 12]).take(tokens.len()).collect()),
            token_types: Some(types.into_iter().chain([1; 12]).take(tokens.len()).collect()),
            bos: Some(id),
            eos: Some(id),
            unknown: Some(id / 2),
            separator: Some(0),
            ..GgufVocabulary::default()
        };
        if let Ok(tokenizer) = Tokenizer::from_gguf(vocabulary) {
            let encoding = tokenizer.encode(&text).unwrap();
            prop_assert!(encoding.ids.iter().all(|&id| (id as usize) < tokenizer.count()));
            tokenizer.decode(&encoding.ids);
        }
    }
}
