//! Refusals of masks, of what is too much, and of fields on the wrong side of a layer.

use app::js_tree::JsTree;
use attention_playground::api;
use engine::BackendChoice;

use crate::api::refusals::{broken, number, refused};
use crate::api::trees::*;

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
        kind("padded_queries", "valid", 8.0),
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
        ("data", JsTree::Singles(vec![f32::NAN])),
    ]);
    broken("mask", not_a_number, "not_finite", "mask");
    let deep = (0..20).fold(record([("kind", text("causal"))]), |inner, _| {
        record([("any", list([inner]))])
    });
    broken("mask", deep, "too_large", "mask");
}

#[test]
fn too_much_is_refused_before_any_memory_is_asked_for() {
    let claim = |shape: JsTree| record([("shape", shape), ("data", JsTree::Doubles(vec![]))]);
    for shape in [
        vec![1e9, 1e9],
        vec![4294967295.0, 4294967295.0, 4294967295.0],
        vec![0.0, 4e9],
    ] {
        broken(
            "queries",
            claim(JsTree::Doubles(shape)),
            "too_large",
            "queries",
        );
    }
    let long = record([
        ("shape", axes(&[60_000, 1])),
        ("data", JsTree::Singles(vec![0.5; 60_000])),
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
    let layer = api::layer(with(&whole, "backend", text("webgpu"))).expect("a good layer");
    let checked = api::layer_compute(&layer, call).expect("a good call");
    assert_eq!(checked.backend, BackendChoice::WebGpu);
}
