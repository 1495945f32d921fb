//! What is refused, by which field, and that the text before it is still there.

use interpret::{Change, Interpreter};
use model::HiddenCells;
use model::attribute::ScoreCell;

use ::attention::{Code, Error};

use crate::common::{bits, open};
use crate::reading::long;

fn assert_refused<T>(found: Result<T, Error>, code: Code, field: &str) {
    let error = found.err().expect(field);
    assert_eq!((error.code, &error.field[..]), (code, field), "{error}");
}

/// Refuses a text, and reads the one before once more.
fn assert_text_refused(interpreter: &mut Interpreter, before: &str, text: &str, code: Code) {
    let wanted = interpreter.read(before).expect("a text");
    assert_refused(interpreter.read(text), code, "text");
    let found = interpreter.read(before).expect("a text");
    assert_eq!(found.tokens, wanted.tokens);
    assert_eq!(bits(&found.maps), bits(&wanted.maps));
    let longer = interpreter.read(&format!("{before} a")).expect("a text");
    assert!(longer.tokens.len() > found.tokens.len());
}

#[test]
fn a_text_without_tokens_is_refused() {
    for name in ["gpt2", "gemma2", "distilbert"] {
        assert_text_refused(&mut open(name), "the hi", "", Code::MissingField);
    }
    // These add tokens of their own.
    for name in ["llama", "bert"] {
        assert!(open(name).read("").is_ok(), "{name}");
    }
}

#[test]
fn a_text_that_is_longer_than_the_model_takes_is_refused() {
    for name in ["llama", "bert", "gpt2"] {
        let text = "The a".repeat(200);
        assert_text_refused(&mut open(name), "The", &text, Code::ShapeMismatch);
    }
    let text = "the ".repeat(32);
    for name in ["gemma2", "distilbert"] {
        assert_text_refused(&mut open(name), "the", &text, Code::ShapeMismatch);
        assert!(open(name).read(&text[4..]).is_ok(), "{name}");
    }
}

#[test]
fn a_text_with_too_many_weights_is_refused() {
    // 8·1449² is more than 16 Mi.
    let text = " a".repeat(1448);
    assert_text_refused(&mut long(), " a a", &text, Code::TooLarge);
    let error = long().read(&text).expect_err("too long");
    assert_eq!(error.value, "1449");
    assert!(error.rule.starts_with("at most 1448 tokens"), "{error}");
}

#[test]
fn places_layers_and_heads_that_are_not_there_are_refused() {
    let (text, mut own) = ("the hi one", open("gemma2"));
    let none = Change::default();
    let off = |head| Change {
        off: vec![head],
        ..Change::default()
    };
    let hide = |layer, cell| Change {
        hide: vec![HiddenCells {
            layer,
            head: 0,
            cells: vec![cell],
        }],
        ..Change::default()
    };
    let shape = Code::ShapeMismatch;
    assert_refused(own.next(text, 3, None, &none), shape, "position");
    assert_refused(own.next(text, 3, None, &off((0, 0))), shape, "position");
    assert_refused(own.without(text, 3, 0, (0, 0)), shape, "position");
    assert_refused(own.lens(text, 3), shape, "position");
    assert_refused(own.parts(text, 3, 0), shape, "position");
    assert_refused(own.layer(text, 3), shape, "layer");
    for head in [(3, 0), (0, 4), (usize::MAX, 0)] {
        assert_refused(own.next(text, 2, None, &off(head)), shape, "off");
        assert_refused(own.without(text, 2, 0, head), shape, "off");
    }
    assert_refused(own.next(text, 2, None, &hide(3, (0, 0))), shape, "hide");
    assert_refused(own.next(text, 2, None, &hide(0, (31, 0))), shape, "hide");
    let cell = |layer, head, query, key| ScoreCell {
        layer,
        head,
        query,
        key,
    };
    assert_refused(own.why(text, cell(3, 0, 2, 0)), shape, "layer");
    assert_refused(own.why(text, cell(0, 4, 2, 0)), shape, "head");
    assert_refused(own.why(text, cell(0, 0, 3, 0)), shape, "query");
    assert_refused(own.why(text, cell(0, 0, 1, 2)), Code::NotApplicable, "key");
    assert_refused(
        own.written(text, -1.0, 1),
        Code::UnknownOption,
        "temperature",
    );
    assert!(own.next(text, 2, None, &none).is_ok());
}

#[test]
fn models_without_logits_say_nothing() {
    for name in ["bert", "distilbert", "gemma3_both_sides"] {
        let (text, code, mut own) = ("the hi", Code::NotApplicable, open(name));
        let next = own.next(text, 0, None, &Change::default());
        assert_refused(next, code, "logits");
        assert_refused(own.without(text, 0, 0, (0, 0)), code, "logits");
        assert_refused(own.written(text, 0.0, 1), code, "logits");
        assert_refused(own.lens(text, 0), code, "logits");
        assert_refused(own.parts(text, 0, 0), code, "logits");
        assert_refused(own.repeats(), code, "repeats");
        assert!(own.read(text).is_ok());
    }
}
