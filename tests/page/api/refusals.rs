//! Every rule of the API, broken once.

use app::js_tree::JsTree;
use attention::Error;
use attention_playground::api;

use crate::api::trees::*;

#[track_caller]
pub(super) fn refused(raw: JsTree, code: &str, field: &str) -> Error {
    let shown = raw.describe();
    let error = api::compute(raw).map(|_| ()).expect_err(&shown);
    assert_eq!(
        (error.code.name(), error.field.as_str()),
        (code, field),
        "{error}"
    );
    error
}

#[track_caller]
pub(super) fn broken(path: &str, value: JsTree, code: &str, field: &str) {
    refused(with(&inputs(), path, value), code, field);
}

pub(super) fn number(number: f64) -> JsTree {
    JsTree::Number(number)
}

#[test]
fn the_requests_that_are_broken_here_are_whole() {
    for raw in [inputs(), batched(), heads()] {
        api::compute(raw).expect("a good request");
    }
}

#[test]
fn head_counts() {
    for bad in [0.0, 2.5, -6.0, 4.0, f64::NAN, f64::INFINITY, 1e300] {
        broken("heads", number(bad), "heads_do_not_divide", "heads");
    }
    for bad in [0.0, 1.5, -1.0, 4.0, 12.0, f64::NEG_INFINITY] {
        broken(
            "kv_heads",
            number(bad),
            "kv_heads_do_not_divide",
            "kv_heads",
        );
    }
    broken("heads", text("6"), "unknown_option", "heads");
    broken("kv_heads", JsTree::Flag(true), "unknown_option", "kv_heads");
}

#[test]
fn tensors_of_a_wrong_shape() {
    broken("queries", tensor(&[5, 9]), "shape_mismatch", "queries");
    broken("queries", tensor(&[40]), "shape_mismatch", "queries");
    broken(
        "keys_values",
        tensor(&[1, 7, 8]),
        "shape_mismatch",
        "keys_values",
    );
    broken("weights.w_k", tensor(&[8, 7]), "shape_mismatch", "w_k");
    broken("weights.w_v", tensor(&[8, 5]), "shape_mismatch", "w_v");
    broken("weights.w_o", tensor(&[13, 9]), "shape_mismatch", "w_o");
    broken("weights.b_q", tensor(&[17]), "shape_mismatch", "b_q");
    broken("weights.w_a", tensor(&[1, 3]), "shape_mismatch", "w_a");
    refused(
        with(&batched(), "keys_values", tensor(&[2, 7, 8])),
        "shape_mismatch",
        "keys_values",
    );
    refused(with(&heads(), "q", tensor(&[5, 3])), "shape_mismatch", "q");
    refused(
        with(&heads(), "v", tensor(&[2, 6, 2])),
        "shape_mismatch",
        "k",
    );
    refused(with(&heads(), "heads", number(8.0)), "shape_mismatch", "q");
}

/// Error messages name no axis that the input did not have.
#[test]
fn shapes_are_told_as_they_were_given() {
    let said = |fields: JsTree, field: &str, shape: &[usize]| {
        let given = if field == "mask" {
            ones(shape)
        } else {
            tensor(shape)
        };
        let error = refused(with(&fields, field, given), "shape_mismatch", field);
        assert_eq!(error.value, format!("{shape:?}"));
        error.rule
    };
    let two = said(inputs(), "queries", &[5, 9]);
    assert_eq!(two, "the shape must be [5, 8] (rows, d_model)");
    let two = said(inputs(), "keys_values", &[7, 9]);
    assert_eq!(two, "the shape must be [7, 8] (rows, d_model)");
    let cells = said(inputs(), "mask", &[1, 4]);
    assert_eq!(cells, "the shape must be [5, 7] (n, m)");
    let cells = said(heads(), "mask", &[4, 5, 5]);
    assert_eq!(cells, "the shape must be [4, 5, 7] (heads, n, m)");
    let cells = said(batched(), "mask", &[1, 1, 1, 4]);
    assert_eq!(cells, "the shape must be [1, 1, 5, 7] (batch, heads, n, m)");
}

#[test]
fn heads_without_a_width_are_told_so() {
    for (field, shape, width) in [("q", [4, 5, 0], "d_k"), ("v", [2, 6, 0], "d_v")] {
        let error = refused(
            with(&heads(), field, tensor(&shape)),
            "shape_mismatch",
            field,
        );
        let rule = format!("the last axis, {width}, must have a length of at least 1");
        assert_eq!(error.rule, rule);
    }
    let error = refused(
        with(&heads(), "q", tensor(&[0, 5, 4])),
        "heads_do_not_divide",
        "heads",
    );
    assert!(error.rule.contains("at least one head"), "{error}");
}

#[test]
fn what_is_no_tensor() {
    for bad in [
        number(3.0),
        text("x"),
        JsTree::Flag(true),
        JsTree::Other("a function"),
        list([list([]), number(1.0)]),
    ] {
        broken("queries", bad, "shape_mismatch", "queries");
    }
    let ragged = list([JsTree::Doubles(vec![0.0; 8]), JsTree::Doubles(vec![0.0; 7])]);
    broken("queries", ragged, "shape_mismatch", "queries");
    let short = record([
        ("shape", axes(&[5, 8])),
        ("data", JsTree::Doubles(vec![0.0; 39])),
    ]);
    broken("queries", short, "shape_mismatch", "queries");
    let odd_shape = record([
        ("shape", JsTree::Doubles(vec![2.5, -1.0])),
        ("data", JsTree::Doubles(vec![])),
    ]);
    broken("queries", odd_shape, "shape_mismatch", "queries");
    broken(
        "queries",
        record([("shape", axes(&[5, 8]))]),
        "missing_field",
        "queries.data",
    );
    broken("queries", record([]), "missing_field", "queries.shape");
    broken(
        "queries",
        record([("shape", axes(&[0])), ("dtype", text("f64"))]),
        "unknown_option",
        "queries.dtype",
    );
}

#[test]
fn numbers_that_are_not_finite() {
    let data = |bad: f64| {
        record([
            ("shape", axes(&[1, 8])),
            ("data", JsTree::Doubles([vec![0.0; 7], vec![bad]].concat())),
        ])
    };
    for bad in [f64::NAN, f64::INFINITY, 1e39] {
        broken("queries", data(bad), "not_finite", "queries");
    }
    let null = list([JsTree::List(vec![number(1.0), JsTree::Absent])]);
    broken("weights.w_q", null, "not_finite", "w_q");
    broken(
        "queries",
        list([list([JsTree::Flag(true), JsTree::Flag(false)])]),
        "not_finite",
        "queries",
    );
    broken("scale", number(f64::NAN), "not_finite", "scale");
    broken(
        "masked_score",
        number(f64::NEG_INFINITY),
        "not_finite",
        "masked_score",
    );
    broken("masked_score", number(-1e39), "not_finite", "masked_score");
    broken(
        "temperature",
        number(f64::INFINITY),
        "not_finite",
        "temperature",
    );
}

#[test]
fn options_that_are_not_known() {
    broken("scoring", text("cosine"), "unknown_option", "scoring");
    broken("position", text("relative"), "unknown_option", "position");
    for bad in [
        number(0.0),
        number(-2.0),
        number(1e-9),
        number(1e7),
        text("1"),
    ] {
        broken("temperature", bad, "unknown_option", "temperature");
    }
    for bad in [number(1.0), text("true")] {
        broken(
            "mask_after_softmax",
            bad,
            "unknown_option",
            "mask_after_softmax",
        );
    }
    let alibi = with(&inputs(), "position", text("alibi"));
    for (bad, code) in [
        (text("1"), "unknown_option"),
        (number(1e7), "unknown_option"),
        (number(f64::NAN), "not_finite"),
    ] {
        refused(with(&alibi, "alibi_strength", bad), code, "alibi_strength");
    }
    broken("backend", text("cuda"), "unknown_option", "backend");
    broken("backend", number(1.0), "unknown_option", "backend");
    broken("scale", text("1"), "unknown_option", "scale");
    broken(
        "masked_score",
        text("-inf"),
        "unknown_option",
        "masked_score",
    );
    broken("want", text("weights"), "unknown_option", "want");
    broken("want", list([text("weight")]), "unknown_option", "want");
    broken(
        "weights",
        JsTree::Doubles(vec![1.0]),
        "unknown_option",
        "weights",
    );
    broken("weights.w_z", number(1.0), "unknown_option", "weights.w_z");
    broken(
        "linformer",
        record([("g", number(1.0))]),
        "unknown_option",
        "linformer.g",
    );
    let error = refused(
        with(&inputs(), "query", tensor(&[5, 8])),
        "unknown_option",
        "query",
    );
    assert!(error.rule.contains("queries, keys_values"), "{error}");
    assert!(error.rule.contains("signal"), "{error}");
    refused(number(5.0), "unknown_option", "request");
}

#[test]
fn what_is_missing() {
    refused(JsTree::Absent, "missing_field", "request");
    refused(record([]), "missing_field", "queries");
    refused(
        record([("keys_values", tensor(&[2, 2]))]),
        "missing_field",
        "queries",
    );
    broken("weights", JsTree::Absent, "missing_field", "weights");
    for matrix in ["w_q", "w_k", "w_v"] {
        broken(
            &format!("weights.{matrix}"),
            JsTree::Absent,
            "missing_field",
            matrix,
        );
    }
    broken("weights.w_o", JsTree::Absent, "missing_field", "w_o");
    for name in ["q", "k", "v"] {
        refused(with(&heads(), name, JsTree::Absent), "missing_field", name);
    }
    broken(
        "linformer",
        record([("e", tensor(&[3, 7]))]),
        "missing_field",
        "linformer.f",
    );
    let additive = with(&inputs(), "scoring", text("additive"));
    refused(
        with(&additive, "weights.w_a", JsTree::Absent),
        "missing_field",
        "w_a",
    );
}

#[test]
fn what_does_not_go_together() {
    for (name, value) in [
        ("queries", tensor(&[5, 8])),
        ("keys_values", tensor(&[5, 8])),
    ] {
        refused(with(&heads(), name, value), "not_applicable", name);
    }
    let projected = with(&heads(), "weights", record([("b_v", tensor(&[2]))]));
    refused(projected, "not_applicable", "weights.b_v");
    refused(
        with(&heads(), "position", text("sinusoidal")),
        "not_applicable",
        "position",
    );
    let linformer = record([("e", tensor(&[3, 7])), ("f", tensor(&[3, 7]))]);
    let masked = with(
        &with(&heads(), "linformer", linformer),
        "mask",
        record([("kind", text("causal"))]),
    );
    refused(masked, "not_applicable", "linformer");
    let linformer = record([("e", tensor(&[3, 7])), ("f", tensor(&[3, 7]))]);
    let far = with(
        &with(&inputs(), "position", text("alibi")),
        "linformer",
        linformer,
    );
    refused(far, "not_applicable", "linformer");
    for position in [JsTree::Absent, text("rotary")] {
        let tree = with(&inputs(), "position", position);
        let strong = with(&tree, "alibi_strength", number(1.0));
        refused(strong, "not_applicable", "alibi_strength");
    }
    let written = with(&inputs(), "masked_score", number(-1e9));
    let after = with(&written, "mask_after_softmax", JsTree::Flag(true));
    refused(after, "not_applicable", "mask_after_softmax");
    let additive = with(
        &with(&inputs(), "scoring", text("additive")),
        "scale",
        number(0.5),
    );
    refused(additive, "not_applicable", "scale");
}
