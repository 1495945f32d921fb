//! Refusals of what only models are given: files, texts, and the numbers of training runs.

use app::i18n::Language;
use app::i18n::file_messages::refusal_of;
use app::js_tree::JsTree;
use attention::Error;
use attention_playground::api::{ModelAnswer, StoredModel};
use engine::Reason;
use formats::FormatError;

use crate::api::trees::*;

fn said(error: &FormatError) -> String {
    refusal_of(Language::En, None, error)
}

fn config() -> JsTree {
    let number = |number: f64| JsTree::Number(number);
    record([
        ("vocabulary", number(10.0)),
        ("length", number(8.0)),
        ("d_model", number(6.0)),
        ("layers", number(1.0)),
        ("heads", number(3.0)),
    ])
}

fn made() -> StoredModel {
    StoredModel::new(record([("config", config())]), said).expect("a good request")
}

#[track_caller]
fn assert_refused<T>(answer: Result<T, Error>, code: &str, field: &str, message: &str) {
    let error = answer.map(|_| ()).expect_err(message);
    assert_eq!((error.code.name(), &*error.field), (code, field));
    assert_eq!(error.to_string(), message);
}

#[test]
fn bytes_that_are_no_file_of_tensors_are_refused_in_a_sentence() {
    let refused: [(&[u8], &str, &str); 4] = [
        (
            b"hello",
            "unknown_option",
            "tensors: must be the bytes of a safetensors file (header: It ends too early; part of the file may be missing.); \
             got a list of 5 numbers",
        ),
        (
            b"",
            "unknown_option",
            "tensors: must be the bytes of a safetensors file (model.safetensors: There are no numbers in it.); got a list of 0 numbers",
        ),
        (
            b"\xff\xff\xff\xff\xff\xff\xff\x7f",
            "too_large",
            "tensors: must be the bytes of a safetensors file (header: A header of 9223372036854775807 bytes is too long; at most \
             1048576 are read.); got a list of 8 numbers",
        ),
        (
            b"\x02\0\0\0\0\0\0\0[]",
            "unknown_option",
            "tensors: must be the bytes of a safetensors file (line 1: This does not follow the format. Found: “[]”.); got a list of 10 numbers",
        ),
    ];
    for (bytes, code, message) in refused {
        let bytes = bytes.iter().map(|byte| f64::from(*byte)).collect();
        let request = record([("config", config()), ("tensors", JsTree::Doubles(bytes))]);
        assert_refused(StoredModel::new(request, said), code, "tensors", message);
    }
}

#[test]
fn a_row_of_nan_is_no_part_of_a_model() {
    let data = vec![1.0, 2.0, f32::NAN, f32::NAN];
    let tensors = [formats::Tensor::new("embedding", vec![2, 2], data)];
    let bytes = formats::write(formats::Kind::Safetensors, &tensors);
    let bytes = bytes.into_iter().map(f64::from).collect();
    let request = record([("config", config()), ("tensors", JsTree::Doubles(bytes))]);
    let message = "tensors: must be finite; got embedding";
    assert_refused(
        StoredModel::new(request, said),
        "not_finite",
        "tensors",
        message,
    );
}

#[test]
fn what_was_too_much_to_be_read_is_said_to_be_too_much_whatever_it_is() {
    let long = JsTree::TooLarge("a text that is too long");
    let message =
        |field| format!("{field}: is more than a call may hold; got a text that is too long");
    let mut model = made();
    let forward = called(&mut model, "forward", record([("text", long.clone())]));
    assert_refused(forward, "too_large", "text", &message("text"));
    let task = record([("name", text("text")), ("text", long)]);
    let train = called(&mut model, "train", record([("task", task)]));
    assert_refused(train, "too_large", "task.text", &message("task.text"));
}

#[test]
fn a_training_run_that_has_ended_is_gone_and_others_are_not() {
    let mut model = made();
    let request = || record([("task", text("sort")), ("steps", JsTree::Number(3.0))]);
    let mut begun = || {
        let answer = called(&mut model, "train", request()).expect("a good request");
        assert!(
            matches!(answer, ModelAnswer::Tree(JsTree::Number(_))),
            "{answer:?}"
        );
        answer
    };
    let numbers = [begun(), begun()].map(|answer| match answer {
        ModelAnswer::Tree(number) => number,
        ModelAnswer::Bytes(_) => JsTree::Absent,
    });
    let [first, second] = numbers;
    called(&mut model, "train_end", first.clone()).expect("it is there");
    let again = called(&mut model, "train_on", first);
    assert_refused(
        again,
        "freed",
        "train",
        "train: the training run is over; got 0",
    );
    called(&mut model, "train_on", second).expect("it is still there");
}

#[test]
fn every_pass_names_where_it_was_computed_and_needs_a_device_where_one_is_asked_for() {
    let tokens = |row: &[f64]| list([JsTree::Doubles(row.to_vec())]);
    let request = |backend: &str| {
        record([
            ("tokens", tokens(&[1.0, 4.0])),
            ("targets", tokens(&[4.0, 2.0])),
            ("backend", text(backend)),
        ])
    };
    let forward =
        |backend: &str| record([("tokens", tokens(&[1.0, 4.0])), ("backend", text(backend))]);
    let mut model = made();
    for name in ["forward", "loss", "gradients", "step"] {
        let request = |backend: &str| match name {
            "forward" => forward(backend),
            _ => request(backend),
        };
        for backend in ["auto", "cpu"] {
            let answer = called(&mut model, name, request(backend)).expect("a good request");
            let ModelAnswer::Tree(answer) = answer else {
                panic!("{name} answers {answer:?}");
            };
            assert_eq!(answer.get("backend"), &text("cpu"), "{name}");
        }
        let message = Reason::NoAdapter.refusal().to_string();
        let answer = called(&mut model, name, request("webgpu"));
        assert_refused(answer, "backend_unavailable", "backend", &message);
    }
    let message = "backend: what goes on after a text is computed on the processor; ask for \"auto\" or \"cpu\"; got \"webgpu\"";
    let answer = called(&mut model, "generate", forward("webgpu"));
    assert_refused(answer, "backend_unavailable", "backend", message);
}
