//! What a page relies on, text by text.

use tokenizer::{Boundary, Encoding, Origin, Tokenizer};

use crate::support::{folder, from_gguf};

fn encode(tokenizer: &Tokenizer, text: &str) -> Encoding {
    tokenizer.encode(text).unwrap()
}

fn spellings(tokenizer: &Tokenizer, text: &str) -> Vec<String> {
    let ids = encode(tokenizer, text).ids;
    let spelling = |&id: &u32| tokenizer.spelling(id).unwrap().text;
    ids.iter().map(spelling).collect()
}

#[test]
fn truncation_and_padding_of_the_file_are_off() {
    let minilm = folder("minilm");
    assert_eq!(encode(&minilm, "hi").ids.len(), 3);
    assert_eq!(encode(&minilm, &"hello ".repeat(300)).ids.len(), 302);
    assert_eq!(encode(&minilm, &"hello ".repeat(600)).ids.len(), 602);
}

#[test]
fn word_pieces_of_odd_words() {
    let minilm = folder("minilm");
    let sigma = encode(&minilm, "ΟΔΟΣ");
    assert_eq!(sigma.tokens, ["[CLS]", "ο", "##δ", "##ο", "##σ", "[SEP]"]);
    let rare = encode(&minilm, "a𠀀b");
    assert_eq!(rare.tokens, ["[CLS]", "a", "[UNK]", "b", "[SEP]"]);
    assert_eq!(rare.offsets, [[0, 0], [0, 1], [1, 2], [2, 3], [0, 0]]);
    assert_eq!(
        encode(&minilm, &"a".repeat(101)).tokens[1..],
        ["[UNK]", "[SEP]"]
    );
    let longest = encode(&minilm, &"a".repeat(100));
    assert!(longest.ids.len() > 3 && !longest.tokens.contains(&"[UNK]".to_owned()));
}

#[test]
fn smollm2_splits_every_digit_and_begins_with_nothing() {
    let smollm2 = from_gguf("smollm2");
    let steps = encode(&smollm2, "Steps:\n\n1. wash\n\n2. dry");
    let tokens = [
        "Steps", ":", "ĊĊ", "1", ".", "Ġwash", "ĊĊ", "2", ".", "Ġdry",
    ];
    assert_eq!(steps.tokens, tokens);
    assert_eq!(steps.offsets[2], [6, 8]);
    assert_eq!(encode(&smollm2, "x =  6").tokens, ["x", "Ġ=", "ĠĠ", "6"]);
    assert_eq!(encode(&smollm2, ""), Encoding::default());
}

#[test]
fn control_tokens_of_the_text_are_told() {
    let minilm = folder("minilm");
    let text = "[CLS] the [MASK] 𠀀 [UNK]";
    let encoding = encode(&minilm, text);
    use Origin::{Added, Control, Text};
    let expected = [Added, Control, Text, Control, Text, Control, Added];
    assert_eq!(encoding.origins, expected);
    assert_eq!(encoding.offsets[3], [10, 16]);
    let chat = encode(&from_gguf("smollm2"), "<|im_start|>a");
    assert_eq!(chat.origins, [Control, Text]);
    let spm = encode(&from_gguf("llama_spm"), "<s>a");
    assert_eq!(spm.origins, [Added, Control, Text]);
}

#[test]
fn a_token_that_takes_the_spaces_before_it_is_a_control_token() {
    let encoding = encode(&folder("fallback"), "a <mask>");
    // So it is in Python (tokenizers 0.23.2): the text that was matched, not the string of the vocabulary.
    assert_eq!(encoding.tokens.last().unwrap(), " <mask>");
    assert_eq!(encoding.origins.last(), Some(&Origin::Control));
    assert_eq!(encoding.offsets.last(), Some(&[1, 8]));
}

#[test]
fn spellings_show_every_character() {
    let smollm2 = from_gguf("smollm2");
    assert_eq!(spellings(&smollm2, "x =  6"), ["x", "␣=", "␣␣", "6"]);
    assert_eq!(spellings(&smollm2, "\n\n"), ["⏎⏎"]);
    let parts = spellings(&smollm2, "你").concat();
    assert_eq!(parts, "⟨0xE4⟩⟨0xBD⟩⟨0xA0⟩");
    let spm = from_gguf("llama_spm");
    assert_eq!(spellings(&spm, "the\n"), ["<s>", "␣the", "⏎"]);
    assert_eq!(
        spellings(&spm, "𠀀")[2..],
        ["⟨0xF0⟩", "⟨0xA0⟩", "⟨0x80⟩", "⟨0x80⟩"]
    );
    let minilm = folder("minilm");
    assert_eq!(spellings(&minilm, "ΟΔ"), ["[CLS]", "ο", "δ", "[SEP]"]);
}

#[test]
fn spellings_tell_where_words_begin() {
    let boundaries = |tokenizer: &Tokenizer, text| -> Vec<Boundary> {
        let ids = encode(tokenizer, text).ids;
        let boundary = |&id: &u32| tokenizer.spelling(id).unwrap().boundary;
        ids.iter().map(boundary).collect()
    };
    use Boundary::{Control, Joined, Space, Word};
    assert_eq!(
        boundaries(&folder("minilm"), "ΟΔ"),
        [Control, Word, Joined, Control]
    );
    assert_eq!(boundaries(&from_gguf("smollm2"), "x ="), [Joined, Space]);
    assert_eq!(
        boundaries(&from_gguf("llama_spm"), "x6"),
        [Control, Space, Joined]
    );
}

#[test]
fn decoding_gives_the_text_back() {
    let smollm2 = from_gguf("smollm2");
    for text in ["", " ", "x =  6\n", "a 你 😀", "  def f(x):"] {
        assert_eq!(smollm2.decode(&encode(&smollm2, text).ids), text);
    }
    let spm = from_gguf("llama_spm");
    assert_eq!(spm.decode(&encode(&spm, "a 𠀀").ids), " a 𠀀");
    let minilm = folder("minilm");
    assert_eq!(minilm.decode(&encode(&minilm, "ΟΔ a").ids), "οδ a");
    assert_eq!(minilm.decode(&[u32::MAX]), "");
}

#[test]
fn ids_have_a_count_a_token_and_a_name() {
    let llama = folder("llama");
    assert_eq!(llama.count(), 310);
    assert_eq!(llama.token(0).as_deref(), Some("<|begin_of_text|>"));
    assert_eq!(llama.id("<|end_of_text|>"), Some(1));
    assert!(llama.is_control(1) && !llama.is_control(309));
    assert_eq!(llama.token(310), None);
    assert_eq!(llama.spelling(310), None);
}
