//! Public cases of masks and positions through the API, with right values, which other programs were found to miss.

use app::js_tree::JsTree;
use attention_playground::api;
use engine::{BackendChoice, RunResult};
use ndarray::{Array4, ArrayView1, s};
use serde_json::{Value, json};

use crate::api::trees::with;
use crate::common::compare::assert_close;

pub(super) fn tree(value: &Value) -> JsTree {
    match value {
        Value::Null => JsTree::Absent,
        Value::Bool(flag) => JsTree::Flag(*flag),
        Value::Number(number) => JsTree::Number(number.as_f64().expect("a number")),
        Value::String(text) => JsTree::Text(text.clone()),
        Value::Array(items) if items.iter().all(Value::is_number) => {
            JsTree::Doubles(items.iter().filter_map(Value::as_f64).collect())
        }
        Value::Array(items) => JsTree::List(items.iter().map(tree).collect()),
        Value::Object(fields) => {
            let fields = fields.iter();
            JsTree::Record(
                fields
                    .map(|(name, value)| (name.clone().into(), tree(value)))
                    .collect(),
            )
        }
    }
}

pub(super) fn computed(request: &JsTree) -> RunResult {
    let checked = api::compute(request.clone()).expect("a good request");
    engine::run(checked.request, BackendChoice::Cpu).expect("computed")
}

pub(super) fn weights(request: &JsTree) -> Array4<f32> {
    computed(request).trace.weights.expect("wanted")
}

/// Half a unit of the sixth decimal, and what 32 bits round off numbers of this size.
const PUBLISHED: f64 = 9.999_999e-7;

#[track_caller]
pub(crate) fn assert_row(found: ArrayView1<f32>, wanted: &[f64]) {
    assert_close("a row", &found, &ArrayView1::from(wanted), PUBLISHED);
}

/// `heads` heads whose scores are all equal, `n × m`, with a request's other fields.
pub(super) fn equal(heads: usize, n: usize, m: usize, fields: &Value) -> JsTree {
    let q = vec![vec![vec![0.0; 1]; n]; heads];
    let k = vec![vec![vec![0.0; 1]; m]; heads];
    let mut request = json!({ "q": q, "k": k, "v": k });
    let all = request.as_object_mut().expect("an object");
    all.extend(fields.as_object().expect("fields").clone());
    tree(&request)
}

/// Rows of the first head with three digits, and how many are empty.
fn rows(request: &JsTree) -> (Vec<Vec<f64>>, usize) {
    let result = computed(request);
    let weights = result.trace.weights.expect("wanted");
    let rounded = |weight: &f32| (f64::from(*weight) * 1e3).round() / 1e3;
    let rows = weights.slice(s![0, 0, .., ..]);
    let rows = rows
        .outer_iter()
        .map(|row| row.iter().map(rounded).collect());
    (rows.collect(), result.trace.empty_rows)
}

#[track_caller]
fn assert_rows(fields: Value, [n, m]: [usize; 2], wanted: &[&[f64]], empty: usize) {
    let (found, found_empty) = rows(&equal(1, n, m, &fields));
    assert_eq!(found, wanted, "{fields}");
    assert_eq!(found_empty, empty, "{fields}");
}

/// <https://github.com/Dao-AILab/flash-attention/issues/517>: where the diagonal of a causal mask begins with n ≠ m.
#[test]
fn causal_masks_are_aligned_at_the_first_key_or_at_the_last() {
    let start = json!({ "mask": { "kind": "causal" } });
    let end = json!({ "mask": { "kind": "causal" }, "query_start": "end" });
    let half = [0.5, 0.5, 0.0, 0.0, 0.0];
    assert_rows(
        start.clone(),
        [2, 5],
        &[&[1.0, 0.0, 0.0, 0.0, 0.0], &half],
        0,
    );
    let quarter = [0.25, 0.25, 0.25, 0.25, 0.0];
    assert_rows(end.clone(), [2, 5], &[&quarter, &[0.2; 5]], 0);
    let (one, two, none) = ([1.0, 0.0], [0.5, 0.5], [0.0, 0.0]);
    assert_rows(start.clone(), [5, 2], &[&one, &two, &two, &two, &two], 0);
    assert_rows(end.clone(), [5, 2], &[&none, &none, &none, &one, &two], 3);
    let mut first = [0.0; 8];
    first[0] = 1.0;
    assert_rows(start, [1, 8], &[&first], 0);
    assert_rows(end, [1, 8], &[&[0.125; 8]], 0);
}

/// <https://github.com/pytorch/pytorch/issues/21518>: ones and zeros that are added to the scores hide nothing.
#[test]
fn a_lower_triangle_that_is_added_is_no_mask() {
    let triangle = |one: f64| {
        let cell = |i, j| if j <= i { one } else { 0.0 };
        let rows = (0..8).map(|i| (0..8).map(|j| cell(i, j)).collect::<Vec<f64>>());
        json!(rows.collect::<Vec<_>>())
    };
    let added = weights(&equal(1, 8, 8, &json!({ "bias": triangle(1.0) })));
    let close = |found: f32, wanted: f64| (f64::from(found) - wanted).abs() < 1e-6;
    let at = |i, j| added[[0, 0, i, j]];
    assert!(close(at(0, 0), 0.279_708) && (1..8).all(|j| close(at(0, j), 0.102_899)));
    assert!(close(at(1, 1), 0.237_683) && close(at(1, 7), 0.087_439) && close(at(7, 0), 0.125));
    let masked = weights(&equal(1, 8, 8, &json!({ "mask": triangle(1.0) })));
    for i in 0..8 {
        assert!((0..=i).all(|j| close(masked[[0, 0, i, j]], 1.0 / (i + 1) as f64)));
    }
}

/// <https://github.com/pytorch/pytorch/issues/160064>: a head that is hidden whole.
#[test]
fn a_head_that_sees_nothing_is_zero_and_changes_no_other() {
    let q: Vec<Vec<Vec<f64>>> = (0..3)
        .map(|g| {
            (0..5)
                .map(|i| {
                    (0..3)
                        .map(|c| f64::from((g * 7 + i * 5 + c * 3) % 11) / 7.0 - 0.6)
                        .collect()
                })
                .collect()
        })
        .collect();
    let request = tree(&json!({ "q": q, "k": q, "v": q }));
    let plain = computed(&request).trace;
    let mask = tree(&json!([[[1]], [[1]], [[0]]]));
    let hidden = computed(&with(&request, "mask", mask)).trace;
    assert_eq!(hidden.empty_rows, 5);
    let (plain, found) = (
        plain.context.expect("wanted"),
        hidden.context.expect("wanted"),
    );
    assert_eq!(
        found.slice(s![.., ..2, .., ..]),
        plain.slice(s![.., ..2, .., ..])
    );
    let weights = hidden.weights.expect("wanted");
    assert!(
        weights
            .slice(s![0, 2, .., ..])
            .iter()
            .all(|weight| *weight == 0.0)
    );
    assert!(
        found
            .slice(s![0, 2, .., ..])
            .iter()
            .all(|number| *number == 0.0)
    );
}

/// <https://github.com/huggingface/transformers/pull/27114>: padding in front, and what three programs make of it.
#[test]
fn padding_on_the_left_leaves_rows_without_a_key() {
    let causal = json!({ "kind": "causal" });
    let left = json!([{ "kind": "padding", "valid": 2, "side": "left" }, causal]);
    let none = [0.0; 5];
    let (three, four) = ([0.0, 0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.5, 0.5]);
    let rows: [&[f64]; 5] = [&none, &none, &none, &three, &four];
    assert_rows(json!({ "mask": left }), [5, 5], &rows, 3);
    for said in [
        json!({ "kind": "key_padding", "visible": [0, 0, 0, 1, 1] }),
        json!({ "kind": "key_padding", "hidden": [true, true, true, false, false] }),
        json!({ "kind": "padding", "valid": [2], "side": "left" }),
    ] {
        assert_rows(json!({ "mask": [said, causal] }), [5, 5], &rows, 3);
    }
    let fifth: &[f64] = &[0.2; 5];
    let written = json!({ "mask": left, "masked_score": -1e9 });
    assert_rows(written, [5, 5], &[fifth, fifth, fifth, &three, &four], 0);
}

/// Each batch entry has its own number of real tokens.
#[test]
fn padding_has_a_length_for_each_entry() {
    let x = json!([[[1], [1], [1]], [[1], [1], [1]]]);
    let w = json!([[0]]);
    let request = |side: &str| {
        tree(&json!({
            "queries": x, "weights": { "w_q": w, "w_k": w, "w_v": w },
            "mask": { "kind": "padding", "valid": [1, 2], "side": side },
        }))
    };
    let first = |side: &str, entry| weights(&request(side)).slice(s![entry, 0, 0, ..]).to_vec();
    assert_eq!(first("right", 0), [1.0, 0.0, 0.0]);
    assert_eq!(first("right", 1), [0.5, 0.5, 0.0]);
    assert_eq!(first("left", 0), [0.0, 0.0, 1.0]);
    assert_eq!(first("left", 1), [0.0, 0.5, 0.5]);
}

/// A rule in words is a mask, alone and among others.
#[test]
fn a_rule_in_words_is_a_mask() {
    let same = [
        (
            json!({ "rule": "causal and window 1" }),
            json!([{ "kind": "causal" }, { "kind": "local", "window": 1 }]),
        ),
        (
            json!([{ "kind": "causal" }, { "rule": "documents 4, 2" }]),
            json!([{ "kind": "documents", "lengths": [4, 2] }, { "kind": "causal" }]),
        ),
        (
            json!({ "any": [{ "rule": "first 1" }, { "rule": "q_idx == kv_idx" }] }),
            json!({ "any": [{ "kind": "padding", "valid": 1 }, { "kind": "local", "window": 0 }] }),
        ),
    ];
    for (rule, mask) in same {
        let [found, wanted] =
            [rule, mask].map(|mask| rows(&equal(1, 6, 6, &json!({ "mask": mask }))));
        assert_eq!(found, wanted);
    }
    let (end, _) = rows(&equal(
        1,
        2,
        5,
        &json!({ "mask": { "rule": "causal end" }, "query_start": "end" }),
    ));
    assert_eq!(end, [[0.25, 0.25, 0.25, 0.25, 0.0], [0.2; 5]]);
    let by_head = weights(&equal(
        2,
        3,
        3,
        &json!({ "mask": { "rule": "h == 0 or k <= q" } }),
    ));
    assert_eq!(
        (by_head[[0, 0, 0, 2]], by_head[[0, 1, 0, 2]]),
        (1.0 / 3.0, 0.0)
    );
    for (rule, place) in [
        ("windw 3", "characters 1 to 5"),
        ("documents 4, 3", "sum to 7"),
        ("", "at the end"),
    ] {
        let error = api::compute(equal(1, 6, 6, &json!({ "mask": { "rule": rule } })))
            .expect_err("refused");
        assert!(
            error.field == "mask.rule" && error.rule.contains(place),
            "{error}"
        );
    }
}

/// <https://github.com/meta-pytorch/attention-gym/blob/main/attn_gym/masks/natten.py>: a neighbourhood is moved at the border, not cut.
#[test]
fn neighbourhoods_are_moved_at_the_border() {
    let request = equal(
        1,
        36,
        36,
        &json!({ "mask": { "rule": "image 6x6 kernel 3" } }),
    );
    let found = weights(&request);
    let found = found.slice(s![0, 0, .., ..]);
    assert!(
        found
            .iter()
            .all(|weight| *weight == 0.0 || (weight - 1.0 / 9.0).abs() < 1e-6)
    );
    let seen =
        |query: usize| -> Vec<usize> { (0..36).filter(|key| found[[query, *key]] > 0.0).collect() };
    assert_eq!(seen(0), [0, 1, 2, 6, 7, 8, 12, 13, 14]);
    assert_eq!(seen(14), [7, 8, 9, 13, 14, 15, 19, 20, 21]);
    assert_eq!(seen(35), [21, 22, 23, 27, 28, 29, 33, 34, 35]);
    let columns: Vec<usize> = (0..36)
        .map(|key| {
            (0..36usize)
                .filter(|query| found[[*query, key]] > 0.0)
                .count()
        })
        .collect();
    assert_eq!(
        columns[..18],
        [4, 6, 8, 8, 6, 4, 6, 9, 12, 12, 9, 6, 8, 12, 16, 16, 12, 8]
    );
    assert!(columns.iter().eq(columns.iter().rev()));
    assert_eq!(columns.iter().sum::<usize>(), 324);
}

/// Packed documents: <https://github.com/Dao-AILab/flash-attention/pull/436>.
#[test]
fn packed_documents_do_not_see_each_other() {
    let packed = json!([{ "kind": "documents", "lengths": [4, 2] }, { "kind": "causal" }]);
    let request = equal(1, 6, 6, &json!({ "mask": packed }));
    let (found, empty) = rows(&request);
    assert_eq!(found[4], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(found[5], [0.0, 0.0, 0.0, 0.0, 0.5, 0.5]);
    let visible = found.iter().flatten().filter(|weight| **weight > 0.0);
    assert_eq!((visible.count(), empty), (13, 0));
    let (leaked, _) = rows(&equal(1, 6, 6, &json!({ "mask": { "kind": "causal" } })));
    let of_others = |row: &[f64]| row[..4].iter().sum::<f64>();
    assert!((of_others(&leaked[4]) - 0.8).abs() < 1e-3);
    assert!((of_others(&leaked[5]) - 2.0 / 3.0).abs() < 2e-3);
}

/// Layer weights of width 4 and inputs that differ from row to row.
fn layer(rows: usize) -> (Vec<Vec<f64>>, Value) {
    let number = |i: usize, c: usize| ((i * 13 + c * 7) % 17) as f64 / 9.0 - 0.9;
    let matrix = |rows: usize, by: usize| -> Vec<Vec<f64>> {
        (0..rows)
            .map(|i| (0..4).map(|c| number(i + by, c)).collect())
            .collect()
    };
    let weights = json!({ "w_q": matrix(4, 1), "w_k": matrix(4, 6), "w_v": matrix(4, 11) });
    (matrix(rows, 20), weights)
}

fn largest_difference(a: &Array4<f32>, b: &Array4<f32>) -> f32 {
    assert_eq!(a.dim(), b.dim());
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs())
        .inspect(|off| assert!(!off.is_nan()))
        .fold(0.0, f32::max)
}

/// With rotation a document's weights are those of the document alone, wherever it stands; with sinusoids only where its positions restart.
#[test]
fn positions_of_a_packed_document_restart_or_cancel() {
    let (x, w) = layer(6);
    let packed = json!([{ "kind": "documents", "lengths": [4, 2] }, { "kind": "causal" }]);
    let of = |position: &str, positions: Value| {
        let request = json!({
            "queries": x, "weights": w, "mask": packed, "position": position, "positions": positions,
        });
        weights(&tree(&request))
            .slice(s![.., .., 4.., 4..])
            .to_owned()
    };
    let alone = |position: &str| {
        let request = json!({
            "queries": x[4..], "weights": w, "mask": { "kind": "causal" }, "position": position,
        });
        weights(&tree(&request))
    };
    let restart = json!([0, 1, 2, 3, 0, 1]);
    let rotary = of("rotary", Value::Null);
    assert_close("rotary", &rotary, &alone("rotary"), PUBLISHED);
    let restarted = of("sinusoidal", restart);
    assert_close("sinusoidal", &restarted, &alone("sinusoidal"), PUBLISHED);
    assert!(largest_difference(&of("sinusoidal", Value::Null), &alone("sinusoidal")) > 1e-2);
}

/// One query over eight kept keys is the last row of the whole, in everything that counts places.
#[test]
fn a_step_with_kept_keys_is_the_last_row_of_the_whole() {
    let (x, w) = layer(8);
    let masks = [
        json!({ "kind": "causal" }),
        json!([{ "kind": "causal" }, { "kind": "local", "window": 2 }]),
        json!({ "kind": "strided", "stride": 3 }),
        json!({ "kind": "prefix", "length": 2 }),
        json!([{ "kind": "documents", "lengths": [5, 3] }, { "kind": "causal" }]),
    ];
    for position in ["none", "sinusoidal", "rotary", "alibi"] {
        for mask in &masks {
            let mut request = json!({
                "queries": x, "weights": w, "mask": mask, "position": position, "heads": 2,
            });
            let whole = weights(&tree(&request))
                .slice(s![.., .., 7.., ..])
                .to_owned();
            request["queries"] = json!(x[7..]);
            request["keys_values"] = json!(x);
            let apart = weights(&tree(&request));
            for start in [json!("end"), json!(7)] {
                request["query_start"] = start;
                let step = weights(&tree(&request));
                assert_close(&format!("{position}, {mask}"), &step, &whole, PUBLISHED);
            }
            assert!(
                largest_difference(&apart, &whole) > 1e-2,
                "{position}, {mask}"
            );
        }
    }
}

/// <https://github.com/huggingface/transformers/issues/25199>: two layouts of rotary pairs.
#[test]
fn rotary_pairs_are_neighbours_or_halves() {
    let score = |q: [f64; 4], k: [f64; 4], pairs: &str, moved: u32| {
        let request = json!({
            "q": [[q]], "k": [[k, k]], "v": [[[1], [1]]], "scale": 1, "position": "rotary", "pairs": pairs,
            "query_start": 0, "positions": [3 + moved, 1 + moved],
        });
        // The query stands at the first key's place; the score is the one with the second.
        computed(&tree(&request)).trace.scores.expect("wanted")[[0, 0, 0, 1]]
    };
    let (q, k) = ([1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]);
    let reordered = |[a, b, c, d]: [f64; 4]| [a, c, b, d];
    for moved in [0, 10] {
        assert!((score(q, k, "neighbours", moved) - 1.190_051).abs() < 1e-5);
        assert!((score(q, k, "halves", moved) + 3.456_429).abs() < 1e-5);
        let same = score(reordered(q), reordered(k), "halves", moved);
        assert!((same - 1.190_051).abs() < 1e-5);
    }
}

/// <https://github.com/ofirpress/attention_with_linear_biases/issues/17>: slopes for 12 heads.
#[test]
fn alibi_has_the_slopes_of_the_paper_or_the_plain_power() {
    let slope = |slopes: &str| {
        let zeros = vec![vec![vec![0.0]; 2]; 12];
        let request =
            json!({ "q": zeros, "k": zeros, "v": zeros, "position": "alibi", "slopes": slopes });
        let scores = computed(&tree(&request)).trace.scores.expect("wanted");
        [0, 1, 2, 8, 11].map(|head| -scores[[0, head, 0, 1]])
    };
    let paper = [0.5, 0.25, 0.125, std::f32::consts::FRAC_1_SQRT_2, 0.088_388];
    let power = [0.629_961, 0.396_85, 0.25];
    assert!(
        slope("paper")
            .iter()
            .zip(paper)
            .all(|(found, wanted)| (found - wanted).abs() < 1e-6)
    );
    assert!(
        slope("power")
            .iter()
            .zip(power)
            .all(|(found, wanted)| (found - wanted).abs() < 1e-6)
    );
}

/// A hidden key changes no bit of the output, whatever stands there.
#[test]
fn what_a_hidden_key_holds_changes_no_bit() {
    let output = |number: f64| {
        let request = json!({
            "q": [[[0.3, -0.7]]], "k": [[[0.5, 0.2], [number, -0.1], [0.4, 0.9]]], "v": [[[1.5], [0.25], [-2]]],
            "mask": [[1, 0, 1]],
        });
        computed(&tree(&request)).trace.output.expect("wanted")
    };
    for number in [1e10, -1e10, 1e30] {
        assert_eq!(output(number), output(0.0));
    }
}

#[test]
fn what_does_not_fit_is_refused_by_axis() {
    let refused = |fields: Value| {
        let error = api::compute(equal(2, 3, 5, &fields)).expect_err("refused");
        (error.field, error.rule)
    };
    let cases = [
        (json!({ "mask": vec![vec![1; 3]; 5] }), "mask", "[3, 5]"),
        (
            json!({ "bias": vec![vec![1; 3]; 5] }),
            "bias",
            "[1, 2, 3, 5]",
        ),
        (
            json!({ "bias": vec![vec![vec![1; 5]; 3]; 3] }),
            "bias",
            "[1, 2, 3, 5]",
        ),
        (
            json!({ "mask": { "kind": "documents", "lengths": [3, 3] } }),
            "mask.lengths",
            "m = 5",
        ),
        (
            json!({ "mask": { "kind": "prefix", "length": 6 } }),
            "mask.length",
            "m = 5",
        ),
        (
            json!({ "mask": { "kind": "padding", "valid": 6, "side": "left" } }),
            "mask.valid",
            "m = 5",
        ),
        (
            json!({ "mask": { "kind": "padding", "valid": [2, 3] } }),
            "mask.valid",
            "[1]",
        ),
        (
            json!({ "mask": { "kind": "padding", "valid": 2, "side": "top" } }),
            "mask.side",
            "left",
        ),
        (
            json!({ "mask": { "kind": "key_padding" } }),
            "mask.visible",
            "what 1 means",
        ),
        (
            json!({ "mask": { "kind": "key_padding", "visible": [1, 0] } }),
            "mask.visible",
            "[1, 5]",
        ),
        (json!({ "query_start": 0.5 }), "query_start", "whole number"),
        (json!({ "query_start": "last" }), "query_start", "\"end\""),
        (
            json!({ "query_start": 3, "positions": [0, 1, 2, 3, 4] }),
            "query_start",
            "n ≤ m",
        ),
        (json!({ "positions": [0, 1] }), "positions", "[1, 5]"),
        (
            json!({ "positions": [0, 1, 2, 3, -4] }),
            "positions",
            "whole number",
        ),
        (json!({ "pairs": "halves" }), "pairs", "rotary"),
        (
            json!({ "position": "rotary", "pairs": "thirds" }),
            "pairs",
            "halves",
        ),
        (
            json!({ "position": "rotary", "base": 0 }),
            "base",
            "above 0",
        ),
        (
            json!({ "position": "rotary", "slopes": "power" }),
            "slopes",
            "alibi",
        ),
    ];
    for (fields, field, rule) in cases {
        let found = refused(fields.clone());
        assert_eq!(found.0, field, "{fields}: {}", found.1);
        assert!(found.1.contains(rule), "{fields}: {}", found.1);
    }
}
