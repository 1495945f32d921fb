//! Every rule of the API, broken once.

use attention_playground::api::{self, Raw};
use attention_playground::attention::Error;

use crate::trees::*;

#[track_caller]
fn refused(raw: Raw, code: &str, field: &str) -> Error {
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
fn broken(path: &str, value: Raw, code: &str, field: &str) {
    refused(with(&inputs(), path, value), code, field);
}

fn number(number: f64) -> Raw {
    Raw::Number(number)
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
    broken("kv_heads", Raw::Flag(true), "unknown_option", "kv_heads");
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

#[test]
fn what_is_no_tensor() {
    for bad in [
        number(3.0),
        text("x"),
        Raw::Flag(true),
        Raw::Other("a function"),
        list([list([]), number(1.0)]),
    ] {
        broken("queries", bad, "shape_mismatch", "queries");
    }
    let ragged = list([Raw::Doubles(vec![0.0; 8]), Raw::Doubles(vec![0.0; 7])]);
    broken("queries", ragged, "shape_mismatch", "queries");
    let short = record([
        ("shape", axes(&[5, 8])),
        ("data", Raw::Doubles(vec![0.0; 39])),
    ]);
    broken("queries", short, "shape_mismatch", "queries");
    let odd_shape = record([
        ("shape", Raw::Doubles(vec![2.5, -1.0])),
        ("data", Raw::Doubles(vec![])),
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
            ("data", Raw::Doubles([vec![0.0; 7], vec![bad]].concat())),
        ])
    };
    for bad in [f64::NAN, f64::INFINITY, 1e39] {
        broken("queries", data(bad), "not_finite", "queries");
    }
    let null = list([Raw::List(vec![number(1.0), Raw::Absent])]);
    broken("weights.w_q", null, "not_finite", "w_q");
    broken(
        "queries",
        list([list([Raw::Flag(true), Raw::Flag(false)])]),
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
}

#[test]
fn options_that_are_not_known() {
    broken("scoring", text("cosine"), "unknown_option", "scoring");
    broken("position", text("rotary"), "unknown_option", "position");
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
        Raw::Doubles(vec![1.0]),
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
    refused(Raw::Absent, "missing_field", "request");
    refused(record([]), "missing_field", "queries");
    refused(
        record([("keys_values", tensor(&[2, 2]))]),
        "missing_field",
        "queries",
    );
    broken("weights", Raw::Absent, "missing_field", "weights");
    for matrix in ["w_q", "w_k", "w_v"] {
        broken(
            &format!("weights.{matrix}"),
            Raw::Absent,
            "missing_field",
            matrix,
        );
    }
    broken("weights.w_o", Raw::Absent, "missing_field", "w_o");
    for name in ["q", "k", "v"] {
        refused(with(&heads(), name, Raw::Absent), "missing_field", name);
    }
    broken(
        "linformer",
        record([("e", tensor(&[3, 7]))]),
        "missing_field",
        "linformer.f",
    );
    let additive = with(&inputs(), "scoring", text("additive"));
    refused(
        with(&additive, "weights.w_a", Raw::Absent),
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
    let additive = with(
        &with(&inputs(), "scoring", text("additive")),
        "scale",
        number(0.5),
    );
    refused(additive, "not_applicable", "scale");
    broken("backend", text("webgpu"), "backend_unavailable", "backend");
}

#[test]
fn masks() {
    let kind = |name: &str, parameter: &str, value: f64| {
        record([("kind", text(name)), (parameter, number(value))])
    };
    broken("mask", text("causal"), "shape_mismatch", "mask");
    broken(
        "mask",
        record([("kind", text("diagonal"))]),
        "unknown_option",
        "mask.kind",
    );
    broken(
        "mask",
        record([("kind", number(1.0))]),
        "unknown_option",
        "mask.kind",
    );
    broken("mask", record([]), "missing_field", "mask.kind");
    broken(
        "mask",
        record([("kind", text("local"))]),
        "missing_field",
        "mask.window",
    );
    broken(
        "mask",
        kind("causal", "window", 1.0),
        "unknown_option",
        "mask.window",
    );
    broken(
        "mask",
        kind("local", "window", 1.5),
        "unknown_option",
        "mask.window",
    );
    broken(
        "mask",
        kind("local", "window", -1.0),
        "unknown_option",
        "mask.window",
    );
    broken(
        "mask",
        kind("strided", "stride", 0.0),
        "unknown_option",
        "mask.stride",
    );
    broken(
        "mask",
        kind("padding", "valid", f64::NAN),
        "unknown_option",
        "mask.valid",
    );
    broken(
        "mask",
        kind("padding", "valid", 8.0),
        "shape_mismatch",
        "mask.valid",
    );
    broken(
        "mask",
        record([("any", text("x"))]),
        "unknown_option",
        "mask.any",
    );
    broken(
        "mask",
        record([("any", list([])), ("kind", text("causal"))]),
        "unknown_option",
        "mask.kind",
    );
    broken(
        "mask",
        list([number(1.0), record([])]),
        "shape_mismatch",
        "mask",
    );
    broken("mask", tensor(&[5, 7]), "unknown_option", "mask");
    for shape in [&[7, 5][..], &[5, 5, 7], &[3, 6, 5, 7], &[35]] {
        broken("mask", ones(shape), "shape_mismatch", "mask");
    }
    refused(
        with(&batched(), "mask", ones(&[4, 5, 7])),
        "shape_mismatch",
        "mask",
    );
    let not_a_number = record([
        ("shape", axes(&[1, 1])),
        ("data", Raw::Singles(vec![f32::NAN])),
    ]);
    broken("mask", not_a_number, "not_finite", "mask");
    let deep = (0..20).fold(record([("kind", text("causal"))]), |inner, _| {
        record([("any", list([inner]))])
    });
    broken("mask", deep, "too_large", "mask");
}

#[test]
fn too_much_is_refused_before_any_memory_is_asked_for() {
    let claim = |shape: Raw| record([("shape", shape), ("data", Raw::Doubles(vec![]))]);
    for shape in [
        vec![1e9, 1e9],
        vec![4294967295.0, 4294967295.0, 4294967295.0],
        vec![0.0, 4e9],
    ] {
        broken(
            "queries",
            claim(Raw::Doubles(shape)),
            "too_large",
            "queries",
        );
    }
    let long = record([
        ("shape", axes(&[60_000, 1])),
        ("data", Raw::Singles(vec![0.5; 60_000])),
    ]);
    let unit = tensor(&[1, 1]);
    let weights = record([("w_q", unit.clone()), ("w_k", unit.clone()), ("w_v", unit)]);
    let request = record([("queries", long), ("weights", weights)]);
    refused(request.clone(), "too_large", "request");
    api::compute(with(&request, "want", list([text("output")]))).expect("linear memory is enough");
}

#[test]
fn a_layer_keeps_what_is_its_own() {
    let whole = record([
        ("weights", weights()),
        ("heads", number(6.0)),
        ("kv_heads", number(2.0)),
    ]);
    let layer = api::layer(whole.clone()).expect("a good layer");
    let call = record([("queries", tensor(&[5, 8]))]);
    api::layer_compute(&layer, call.clone()).expect("a good call");
    for (name, code) in [
        ("weights", "not_applicable"),
        ("heads", "not_applicable"),
        ("q", "not_applicable"),
    ] {
        let error = api::layer_compute(&layer, with(&call, name, number(1.0))).expect_err(name);
        assert_eq!((error.code.name(), error.field.as_str()), (code, name));
    }
    for (name, code) in [
        ("queries", "not_applicable"),
        ("mask", "not_applicable"),
        ("k", "not_applicable"),
        ("size", "unknown_option"),
    ] {
        let error = api::layer(with(&whole, name, number(1.0))).expect_err(name);
        assert_eq!((error.code.name(), error.field.as_str()), (code, name));
    }
    let error = api::layer_compute(&layer, record([])).expect_err("nothing to attend to");
    assert_eq!(error.field, "queries");
    let error = api::layer(with(&whole, "backend", text("webgpu"))).expect_err("no such backend");
    assert_eq!(error.code.name(), "backend_unavailable");
}
