//! Names of tokens.

use interpret::{Interpreter, Token};

use crate::common::open;
use crate::support::{folder, golden, open as open_files};

fn tokens(interpreter: &mut Interpreter, text: &str) -> Vec<Token> {
    interpreter.read(text).expect(text).tokens
}

fn names(tokens: &[Token]) -> String {
    let names: Vec<&str> = tokens.iter().map(|token| &token.name[..]).collect();
    names.join(" ")
}

#[test]
fn names_have_no_space_in_front_and_a_dot_within_a_word() {
    let text = "The animal didn't cross two   spaces\nand 42a.";
    let pieces =
        "The a ·n ·i ·ma ·l d ·i ·d ·n 't ␣ c ·r ·o ·s ·s t ·w ·o ␣␣ s ·p ·a ·c ·e ·s ⏎ a ·nd ␣";
    for name in ["llama", "llama.gguf"] {
        let found = names(&tokens(&mut open(name), text));
        assert_eq!(
            found,
            format!("<|begin_of_text|> {pieces} 42 ·a ."),
            "{name}"
        );
    }
    let found = names(&tokens(&mut open("gpt2"), text));
    assert_eq!(found, format!("{pieces} 4 ·2 ·a ."));
    let found = names(&tokens(&mut open("bert"), "The animal didn't rest 42a."));
    assert_eq!(found, "[CLS] the animal didn ' t r ·e ·s ·t 42 ·a . [SEP]");
    let found = names(&tokens(&mut open("gemma2"), "the hi, end"));
    assert_eq!(found, "the hi , end");
}

#[test]
fn characters_of_several_bytes_are_named_by_them() {
    let found = tokens(&mut open("gpt2"), "w我 é");
    assert_eq!(names(&found), "w ⟨0xE6⟩ ⟨0x88⟩ ⟨0x91⟩ ␣ ⟨0xC3⟩ ⟨0xA9⟩");
    let places: Vec<[usize; 2]> = found.iter().map(|token| token.place).collect();
    assert_eq!(
        places,
        [[0, 1], [1, 2], [1, 2], [1, 2], [2, 3], [3, 4], [3, 4]]
    );
}

/// Chinese is written without spaces: nothing there goes on within a word, nor does what follows it.
#[test]
fn chinese_has_no_dots() {
    let found = names(&tokens(&mut open("bert"), "我喜欢看see"));
    assert_eq!(found, "[CLS] 我 喜 欢 看 s ·e ·e [SEP]");
    let found = names(&tokens(&mut open("gpt2"), "我do"));
    assert_eq!(found, "⟨0xE6⟩ ⟨0x88⟩ ⟨0x91⟩ d ·o");
}

#[test]
fn letters_of_other_alphabets_go_on_within_words() {
    let mut files = folder("bert");
    files[1].1 = golden("crates/tokenizer/tests/golden/minilm.tokenizer.json");
    let (model, tokenizer) = open_files(&files);
    let found = tokens(&mut Interpreter::new(model, tokenizer), "привет 日本");
    assert_eq!(names(&found), "[CLS] п ·р ·и ·в ·е ·т 日 本 [SEP]");
}

#[test]
fn control_tokens_are_told_from_text() {
    let which = |name: &str, text: &str| -> Vec<(String, bool)> {
        let tokens = tokens(&mut open(name), text).into_iter();
        tokens.map(|own| (own.name, own.is_control)).collect()
    };
    let named = |tokens: &[(&str, bool)]| -> Vec<(String, bool)> {
        let tokens = tokens.iter();
        tokens.map(|(name, is)| ((*name).to_owned(), *is)).collect()
    };
    let wanted = named(&[
        ("[CLS]", true),
        ("the", false),
        ("[MASK]", true),
        ("[UNK]", false),
        ("[SEP]", true),
    ]);
    assert_eq!(which("bert", "the [MASK] 们"), wanted);
    let wanted = [("<|begin_of_text|>", true), ("a", false)];
    assert_eq!(which("llama", " a"), named(&wanted));
    // An unknown word stands for text.
    let wanted = [("the", false), ("<unk>", false)];
    assert_eq!(which("gemma2", "the 我"), named(&wanted));
}
