//! Published examples with numbers that people compare with, through the API.

use attention::Trace;
use ndarray::{Array1, ArrayView1, Axis, s};
use serde_json::{Value, json};

use super::cases::{assert_row, computed, equal, tree, weights};

#[track_caller]
fn assert_rows(found: &ndarray::Array4<f32>, wanted: &[&[f64]]) {
    let found = found.slice(s![0, 0, .., ..]);
    assert_eq!(found.nrows(), wanted.len());
    for (found, wanted) in found.outer_iter().zip(wanted) {
        assert_row(found, wanted);
    }
}

/// Rows of the output of the only batch entry.
fn output(trace: &Trace<f32>) -> ndarray::Array2<f32> {
    let output = trace.output.as_ref().expect("wanted");
    output.index_axis(Axis(0), 0).to_owned()
}

fn traced(request: Value) -> Trace<f32> {
    computed(&tree(&request)).trace
}

/// The most copied example: three rows of four numbers, matrices of small whole numbers, no scaling. The article rounds the weights first
/// and prints 2, 7, 1.5.
#[test]
fn illustrated_self_attention() {
    let mut request = json!({
        "queries": [[1, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]],
        "weights": {
            "w_k": [[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]],
            "w_q": [[1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]],
            "w_v": [[0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]],
        },
        "scale": 1,
    });
    let trace = traced(request.clone());
    let scores = trace.scores.as_ref().expect("wanted");
    let whole = ndarray::array![[2.0, 4.0, 4.0], [4.0, 16.0, 12.0], [4.0, 12.0, 10.0]];
    assert_eq!(scores.slice(s![0, 0, .., ..]), whole);
    let weights = trace.weights.as_ref().expect("wanted");
    assert_rows(
        weights,
        &[
            &[0.063_379, 0.468_311, 0.468_311],
            &[6.0e-6, 0.982_008, 0.017_986],
            &[0.000_295, 0.880_537, 0.119_168],
        ],
    );
    let rows = output(&trace);
    assert_row(rows.row(0), &[1.936_621, 6.683_105, 1.595_068]);
    assert_row(rows.row(1), &[1.999_994, 7.963_992, 0.053_976]);
    assert_row(rows.row(2), &[1.999_705, 7.759_892, 0.358_389]);
    request["scale"] = Value::Null;
    let scaled = traced(request);
    let weights = scaled.weights.as_ref().expect("wanted");
    let first = weights.slice(s![0, 0, 0, ..]);
    assert_row(first, &[0.136_126, 0.431_937, 0.431_937]);
    assert_row(output(&scaled).row(0), &[1.863_874, 6.319_371, 1.704_189]);
}

/// Six words of three numbers each, "Your journey starts with one step" (LLMs-from-scratch, chapter 3), without scaling.
fn journey(fields: Value) -> Trace<f32> {
    let x = json!([
        [0.43, 0.15, 0.89],
        [0.55, 0.87, 0.66],
        [0.57, 0.85, 0.64],
        [0.22, 0.58, 0.33],
        [0.77, 0.25, 0.10],
        [0.05, 0.80, 0.55]
    ]);
    let identity = json!([[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
    let mut request = json!({
        "queries": x, "weights": { "w_q": identity, "w_k": identity, "w_v": identity }, "scale": 1,
    });
    let all = request.as_object_mut().expect("an object");
    all.extend(fields.as_object().expect("fields").clone());
    traced(request)
}

#[test]
fn a_journey_of_six_words() {
    let trace = journey(json!({}));
    let scores = trace
        .scores
        .as_ref()
        .expect("wanted")
        .slice(s![0, 0, 1, ..]);
    assert_row(scores, &[0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865]);
    let weights = trace.weights.as_ref().expect("wanted");
    let softmax = [
        0.138_548, 0.237_891, 0.233_274, 0.123_992, 0.108_182, 0.158_114,
    ];
    assert_row(weights.slice(s![0, 0, 1, ..]), &softmax);
    assert_row(output(&trace).row(1), &[0.441_866, 0.651_482, 0.568_309]);
    // The chapter first divides the scores by their sum.
    let shares = &scores / scores.sum();
    let shared = [
        0.145_45, 0.227_837, 0.224_85, 0.128_534, 0.107_746, 0.165_582,
    ];
    assert_row(shares.view(), &shared);
}

/// <https://github.com/rasbt/LLMs-from-scratch/issues/279>: a mask over finished weights leaves rows that sum to less than 1, and dividing
/// by these sums makes them those of a mask before the softmax.
#[test]
fn a_mask_behind_the_softmax_leaves_sums_below_one() {
    let causal = json!({ "mask": { "kind": "causal" } });
    let before = journey(causal.clone()).weights.expect("wanted");
    let mut late = causal;
    late["mask_after_softmax"] = json!(true);
    let after = journey(late).weights.expect("wanted");
    let sums = after.sum_axis(Axis(3));
    let wanted = [0.209_835, 0.376_439, 0.608_531, 0.701_666, 0.870_486, 1.0];
    assert_row(sums.slice(s![0, 0, ..]), &wanted);
    let third = [0.228_431, 0.389_333, 0.382_235, 0.0, 0.0, 0.0];
    assert_row(before.slice(s![0, 0, 2, ..]), &third);
    let healed = &after / &sums.insert_axis(Axis(3));
    let off = (&healed - &before).mapv(f32::abs);
    assert!(off.iter().all(|off| *off <= f32::EPSILON), "{off}");
}

/// <https://github.com/google/flax/issues/2011>: two rows, matrices of ones, and an output matrix that changes nothing.
#[test]
fn rows_of_ones_and_a_row_that_differs() {
    let (source, target) = (json!([[2, 1, 1], [1, 1, 1]]), json!([[1, 1, 1], [1, 1, 1]]));
    let ones = json!(vec![[1; 4]; 3]);
    let identity = json!([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]);
    let of = |queries: &Value, keys: &Value| {
        traced(json!({
            "queries": queries, "keys_values": keys,
            "weights": { "w_q": ones, "w_k": ones, "w_v": ones, "w_o": identity },
        }))
    };
    let assert =
        |trace: Trace<f32>, scores: [[f32; 2]; 2], weights: [&[f64]; 2], rows: [f64; 2]| {
            let found = trace.scores.as_ref().expect("wanted");
            assert_eq!(found.slice(s![0, 0, .., ..]), ndarray::arr2(&scores));
            assert_rows(trace.weights.as_ref().expect("wanted"), &weights);
            for (found, wanted) in output(&trace).outer_iter().zip(rows) {
                assert_row(found, &[wanted; 4]);
            }
        };
    let most: &[f64] = &[0.997_527, 0.002_473];
    let half: &[f64] = &[0.5, 0.5];
    let both = [[24.0, 18.0]; 2];
    assert(of(&target, &source), both, [most, most], [3.997_527; 2]);
    let turned = [[24.0, 24.0], [18.0, 18.0]];
    assert(of(&source, &target), turned, [half, half], [3.0; 2]);
    let more: &[f64] = &[0.999_665, 0.000_335];
    let own = [[32.0, 24.0], [24.0, 18.0]];
    assert(
        of(&source, &source),
        own,
        [more, most],
        [3.999_665, 3.997_527],
    );
}

/// <https://github.com/onnx/onnx/pull/7274>: neighbouring query heads share keys and values. Repeating the list of key/value heads as a
/// whole, in place of each of them, is the other order.
#[test]
fn query_heads_that_share_are_neighbours() {
    let (first, second) = (json!([[1, 0], [0, 1]]), json!([[0, 1], [1, 0]]));
    let (low, high) = (json!([[1], [2]]), json!([[3], [4]]));
    let of = |k: Value, v: Value| {
        let trace =
            traced(json!({ "q": [[[1, 0]], [[1, 0]], [[1, 0]], [[1, 0]]], "k": k, "v": v }));
        (
            trace.weights.expect("wanted"),
            trace.context.expect("wanted"),
        )
    };
    let of_first: (&[f64], f64) = (&[0.669_762, 0.330_238], 1.330_238);
    let of_second: (&[f64], f64) = (&[0.330_238, 0.669_762], 3.669_762);
    let shared = of(json!([first, second]), json!([low, high]));
    let interleaved = of(
        json!([first, first, second, second]),
        json!([low, low, high, high]),
    );
    assert_eq!(shared, interleaved);
    let tiled = of(
        json!([first, second, first, second]),
        json!([low, high, low, high]),
    );
    let orders = [
        (shared, [of_first, of_first, of_second, of_second]),
        (tiled, [of_first, of_second, of_first, of_second]),
    ];
    for ((weights, context), wanted) in orders {
        for (head, (row, sum)) in wanted.into_iter().enumerate() {
            assert_row(weights.slice(s![0, head, 0, ..]), row);
            assert_row(context.slice(s![0, head, 0, ..]), &[sum]);
        }
    }
}

/// <https://github.com/meta-llama/llama3/issues/155>: a softmax of what a softmax made is almost uniform, and the mean over heads needs none.
#[test]
fn a_mean_over_heads_is_a_distribution_and_a_second_softmax_flattens_it() {
    let again = |row: &[f64]| {
        let found = weights(&equal(1, 1, row.len(), &json!({ "bias": [row] })));
        found.slice(s![0, 0, 0, ..]).to_owned()
    };
    let four = again(&[0.9, 0.05, 0.03, 0.02]);
    assert_row(four.view(), &[0.442_253, 0.189_026, 0.185_283, 0.183_439]);
    let mut sharp = [0.00333; 10];
    sharp[0] = 0.97;
    let mut flat = [0.085_991; 10];
    flat[0] = 0.226_084;
    assert_row(again(&sharp).view(), &flat);

    let number = |g: usize, i: usize, c: usize| ((g * 31 + i * 17 + c * 7) % 23) as f64 / 3.0 - 3.5;
    let head = |g| {
        let row = |i| (0..3).map(|c| number(g, i, c)).collect::<Vec<_>>();
        (0..9).map(row).collect::<Vec<_>>()
    };
    let q: Vec<_> = (0..32).map(head).collect();
    let heads = weights(&tree(&json!({ "q": q, "k": q, "v": q })));
    let mean = heads.mean_axis(Axis(1)).expect("heads");
    for row in mean.rows() {
        assert!((row.sum() - 1.0).abs() < 1e-6, "{row}");
        let second = again(&row.mapv(f64::from).to_vec());
        let [least, most] = [f32::min, f32::max].map(|of| second.iter().copied().reduce(of));
        assert!(most.expect("keys") / least.expect("keys") <= std::f32::consts::E);
    }
}

/// A layer of odd sizes, five rows over seven others: three heads of two columns each on one key/value head.
fn odd_layer() -> Value {
    let matrix = |rows: usize, columns: usize, by: usize| -> Vec<Vec<f64>> {
        let number = |i: usize, c: usize| ((i * 13 + c * 7 + by * 5) % 19) as f64 / 9.0 - 1.0;
        let row = |i| (0..columns).map(|c| number(i, c)).collect();
        (0..rows).map(row).collect()
    };
    json!({
        "queries": matrix(5, 3, 1), "keys_values": matrix(7, 3, 2), "heads": 3, "kv_heads": 1,
        "weights": {
            "w_q": matrix(3, 9, 3), "w_k": matrix(3, 3, 4), "w_v": matrix(3, 5, 5), "w_o": matrix(15, 9, 6),
            "b_v": matrix(1, 5, 7)[0], "b_o": matrix(1, 9, 8)[0],
        },
    })
}

/// `weights · v` of every head side by side, times `w_o`, plus `b_o`, in 64 bits, and the sum of the absolute terms.
fn output_of(trace: &Trace<f32>, layer: &Value, query: usize, column: usize) -> (f64, f64) {
    let number = |field: &str, i: usize| {
        layer["weights"][field][i][column]
            .as_f64()
            .expect("a number")
    };
    let weights = trace.weights.as_ref().expect("wanted");
    let v = trace.v.as_ref().expect("wanted");
    let bias = layer["weights"]["b_o"][column].as_f64().expect("a number");
    let (mut sum, mut size) = (bias, bias.abs());
    for (head, key, c) in ndarray::indices((3, 7, 5)) {
        let weight = f64::from(weights[[0, head, query, key]]);
        let term = weight * f64::from(v[[0, 0, key, c]]) * number("w_o", head * 5 + c);
        (sum, size) = (sum + term, size + term.abs());
    }
    (sum, size)
}

/// <https://github.com/keras-team/keras/issues/23038>: the weights that are shown are those that were computed with.
#[test]
fn the_output_is_made_of_the_weights_that_are_shown() {
    let layer = odd_layer();
    let painted: Vec<Vec<u8>> = (0..5)
        .map(|i| (0..7).map(|j| u8::from((i * 3 + j * 5) % 4 > 0)).collect())
        .collect();
    let masks = [
        Value::Null,
        json!({ "kind": "causal" }),
        json!({ "kind": "padding", "valid": 3 }),
        json!({ "kind": "padding", "valid": 3, "side": "left" }),
        json!({ "kind": "key_padding", "hidden": [1, 0, 0, 1, 0, 1, 1] }),
        json!({ "kind": "padded_queries", "valid": 3 }),
        json!({ "kind": "local", "window": 1 }),
        json!({ "kind": "strided", "stride": 3 }),
        json!({ "kind": "prefix", "length": 3 }),
        json!({ "kind": "documents", "lengths": [3, 4] }),
        json!({ "rule": "h == 1 or k <= q + 1" }),
        json!({ "any": [{ "kind": "causal" }, { "kind": "padding", "valid": 2 }] }),
        json!([{ "kind": "causal" }, { "kind": "local", "window": 2 }]),
        json!(painted),
        json!([[[1]], [[0]], [[1]]]),
    ];
    let ways = [
        json!({}),
        json!({ "mask_after_softmax": true }),
        json!({ "masked_score": -1e9 }),
        json!({ "query_start": "end" }),
    ];
    for (mask, way) in masks
        .iter()
        .flat_map(|mask| ways.iter().map(move |way| (mask, way)))
    {
        if mask.is_null() && !way.as_object().is_some_and(serde_json::Map::is_empty) {
            continue;
        }
        let mut request = layer.clone();
        let all = request.as_object_mut().expect("an object");
        all.extend(way.as_object().expect("fields").clone());
        all.insert("mask".to_owned(), mask.clone());
        let trace = traced(request);
        let found = output(&trace);
        assert_eq!(found.dim(), (5, 9));
        for ((query, column), found) in found.indexed_iter() {
            let (wanted, size) = output_of(&trace, &layer, query, column);
            let off = (f64::from(*found) - wanted).abs();
            // At most four roundings of each term: weight · v, their sum, times w_o, and that sum.
            let most = size * 36.0 * f64::from(f32::EPSILON);
            assert!(off <= most, "{mask}, {way}: {found} in place of {wanted}");
        }
    }
}

/// <https://github.com/pytorch/torchtitan/pull/2211>: a sink is a number in the softmax's denominator alone. A key more with that score
/// (by `bias`) and a value of 0 does the same: the weights of the others sum to less than 1, and the output has nothing of it.
#[test]
fn a_sink_is_a_key_without_a_value() {
    let of = |sink: f64, seen: u8| {
        traced(json!({
            "q": [[[0]]], "k": [[[0], [0], [0], [0]]], "v": [[[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]],
            "bias": [[1, 2, 3, sink]], "mask": [[seen, seen, seen, 1]],
        }))
    };
    let weights = |trace: &Trace<f32>| {
        let weights = trace.weights.as_ref().expect("wanted");
        weights.slice(s![0, 0, 0, ..3]).to_owned()
    };
    let half = of(0.5, 1);
    assert_row(weights(&half).view(), &[0.085_369, 0.232_057, 0.630_796]);
    for (sink, sum) in [(0.5, 0.948_221), (0.0, 0.967_941)] {
        let trace = of(sink, 1);
        let sums = Array1::from_elem(1, weights(&trace).sum());
        assert_row(sums.view(), &[sum]);
        let context = trace.context.as_ref().expect("wanted");
        assert_eq!(context.slice(s![0, 0, 0, ..]), weights(&trace));
    }
    // exp(3 − 100) is below every normal number of 32 bits.
    let all = of(100.0, 1);
    assert!(
        weights(&all)
            .iter()
            .all(|weight| *weight < f32::MIN_POSITIVE)
    );
    assert_eq!(all.weights.expect("wanted")[[0, 0, 0, 3]], 1.0);
    let nothing = of(0.5, 0);
    assert_eq!(
        (weights(&nothing).to_vec(), nothing.empty_rows),
        (vec![0.0; 3], 0)
    );
    assert!(
        nothing
            .context
            .expect("wanted")
            .iter()
            .all(|number| *number == 0.0)
    );
}

/// Scores of 10⁴ in both directions.
#[test]
fn large_scores_neither_overflow_nor_vanish() {
    let request =
        json!({ "q": [[[1]]], "k": [[[1e4], [9999], [-1e4]]], "v": [[[1], [0], [0]]], "scale": 1 });
    let found = weights(&tree(&request));
    assert_row(found.slice(s![0, 0, 0, ..2]), &[0.731_059, 0.268_941]);
    assert_eq!(found[[0, 0, 0, 2]], 0.0);
}

/// Numbers that 16 bits hold, and a score that they do not: 300 · 300 · 4 / √4 is above 65504.
#[test]
fn a_score_beyond_sixteen_bits_is_exact() {
    let row = Array1::from_elem(4, 300.0).to_vec();
    let trace = traced(json!({ "q": [[row]], "k": [[row, row]], "v": [[[1], [2]]] }));
    let scores = trace.scores.expect("wanted");
    assert!(scores.iter().all(|score| *score == 180_000.0), "{scores}");
    assert_eq!(trace.context.expect("wanted")[[0, 0, 0, 0]], 1.5);
}

/// Global words among windows (attention-gym, `global_sliding_window.py`).
#[test]
fn windows_with_global_words() {
    let rows = |rule: &str| -> Vec<usize> {
        let found = weights(&equal(1, 16, 16, &json!({ "mask": { "rule": rule } })));
        let seen = |row: ArrayView1<f32>| row.iter().filter(|weight| **weight > 0.0).count();
        found
            .slice(s![0, 0, .., ..])
            .outer_iter()
            .map(seen)
            .collect()
    };
    let both = rows("window 3 or global 0, 8");
    assert_eq!(both, [16, 6, 7, 8, 9, 8, 8, 8, 16, 8, 8, 8, 9, 8, 7, 6]);
    assert_eq!(both.iter().sum::<usize>(), 140);
    let causal = rows("causal and (window 3 or global 0, 8)");
    assert_eq!(causal.iter().sum::<usize>(), 78);
}
