//! Maps of a text that is read anew, goes on, is cut short, or is another one.

use interpret::measure::Measure;
use interpret::{Interpreter, LayerOfText, Reading};
use model::infer::Inference;

use crate::common::{CASES, bits, heads, ids, infer, open};
use crate::support::{folder, open as open_files};

#[test]
fn maps_are_the_weights_of_the_model() {
    for (name, text) in CASES {
        let mut interpreter = open(name);
        let reading = interpreter.read(text).expect(name);
        let (model, ids) = (interpreter.model(), ids(name, text));
        let found: Vec<usize> = reading.tokens.iter().map(|token| token.id).collect();
        assert_eq!(found, ids, "{name}");
        let how = Inference {
            weights: heads(model),
            ..Inference::default()
        };
        let wanted = infer(model, &ids, &how).weights;
        assert_eq!(reading.heads(), wanted.len(), "{name}");
        for (head, wanted) in wanted.iter().enumerate() {
            let wanted: Vec<u32> = wanted.iter().map(|own| own.to_bits()).collect();
            let map = reading.map(head).expect(name);
            assert_eq!(bits(map), wanted, "{name}: head {head}");
        }
        assert_eq!(reading.map(wanted.len()), None, "{name}");
    }
}

/// Everything that passes over a text keep: maps, and the rows that enter each layer.
fn everything(interpreter: &mut Interpreter, text: &str) -> (Reading, Vec<LayerOfText>) {
    let reading = interpreter.read(text).expect(text);
    let layers = 0..interpreter.model().config().layers;
    let layers = layers.map(|layer| interpreter.layer(text, layer).expect(text));
    (reading, layers.collect())
}

fn assert_as_anew(name: &str, texts: &[&str]) {
    let mut interpreter = open(name);
    for text in texts {
        let (found, layers) = everything(&mut interpreter, text);
        let mut anew = open(name);
        let (wanted, wanted_layers) = everything(&mut anew, text);
        assert_eq!(found.tokens, wanted.tokens, "{name}: {text}");
        assert_eq!(bits(&found.maps), bits(&wanted.maps), "{name}: {text}");
        let measures = [bits(&found.measures), bits(&wanted.measures)];
        assert_eq!(measures[0], measures[1], "{name}: {text}");
        assert!(layers == wanted_layers, "{name}: {text}");
        if anew.model().config().logits {
            let last = found.tokens.len() - 1;
            let said = [&mut interpreter, &mut anew].map(|own| own.lens(text, last));
            assert_eq!(said[0], said[1], "{name}: {text}");
        }
    }
}

/// Goes on by one token and by several, is the same again, is cut short, parts in the middle, is another one, and is but one token.
#[test]
fn a_text_after_another_is_as_one_read_anew() {
    let texts = [
        "The animal",
        "The animals",
        "The animal didn't cross the street",
        "The animal didn't cross the street",
        "The animal",
        "The animal was tired",
        "我们 看",
        "T",
    ];
    for name in ["llama", "llama.gguf", "gpt2", "bert"] {
        assert_as_anew(name, &texts);
    }
    let texts = [
        "the hi",
        "the hi one",
        "the hi one end a, b the hi",
        "the hi one end a",
        "the hi a, b the",
        "end end",
        "hi",
    ];
    for name in [
        "gemma2",
        "gemma3",
        "qwen2_window",
        "gemma3_both_sides",
        "distilbert",
        "gpt_neox",
    ] {
        assert_as_anew(name, &texts);
    }
}

/// The tiny Llama with room for long texts.
pub(crate) fn long() -> Interpreter {
    let mut files = folder("llama");
    let config = String::from_utf8(files[2].1.clone()).expect("a text");
    let longer = config.replace(
        "\"max_position_embeddings\": 128",
        "\"max_position_embeddings\": 4096",
    );
    assert_ne!(config, longer);
    files[2].1 = longer.into_bytes();
    let (model, tokenizer) = open_files(&files);
    Interpreter::new(model, tokenizer)
}

/// 8 heads: 512 tokens have 2 Mi of weights.
#[test]
fn a_long_text_has_measures_without_maps() {
    let mut interpreter = long();
    for (count, are_given) in [(512, true), (513, false)] {
        // One token more begins the text.
        let reading = interpreter.read(&" a".repeat(count - 1)).expect("fits");
        assert_eq!(reading.tokens.len(), count);
        assert_eq!(reading.map(7).is_some(), are_given, "{count}");
        assert_eq!(!reading.maps.is_empty(), are_given, "{count}");
        assert_eq!(reading.measures.len(), Measure::OF_TEXT.len() * 8);
        let first = Measure::OF_TEXT
            .iter()
            .position(|own| *own == Measure::First);
        let first = &reading.measures[first.expect("measured") * 8..][..8];
        assert!(first.iter().all(|share| (0.0..=1.0).contains(share)));
    }
}
