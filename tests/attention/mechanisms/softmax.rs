//! Temperature, the mask after the softmax, shared heads, and all of them together.

use attention::{
    CallOptions, CellIndex, HeadInputs, LayerOptions, Linformer, Mask, Position, Request, Sizes,
};
use ndarray::{Array4, array, s};

use super::{alibi, one_head, positioned, scores, weights};
use crate::common::cases::{Case, Numbers, stride};
use crate::common::check::check_against_reference;
use crate::common::compare::assert_close;
use crate::common::masks::masks;
use crate::common::place::Place;

#[test]
fn a_temperature_is_one_over_a_scale() {
    for temperature in [0.05f32, 0.5, 1.0, 3.0, 100.0] {
        let mut numbers = Numbers::new(9);
        let (q, k) = (numbers.rows(2, 5, 7), numbers.rows(2, 9, 7));
        let given = |call, scale| {
            let inputs = HeadInputs {
                q: q.clone(),
                k: k.clone(),
                v: Numbers::new(3).rows(2, 9, 2),
                additive: None,
                output: None,
            };
            let options = LayerOptions {
                heads: 2,
                scale: Some(scale),
                ..LayerOptions::default()
            };
            Request::from_heads(inputs, options, call).expect("valid")
        };
        let call = CallOptions {
            temperature,
            ..CallOptions::default()
        };
        let (warm, scaled) = (
            given(call, 1.0),
            given(CallOptions::default(), 1.0 / temperature),
        );
        for place in Place::all() {
            assert_close(
                &format!("{place:?}, T = {temperature}"),
                &weights(place, &warm),
                &weights(place, &scaled),
                3.0 * place.alike(),
            );
            let plain = given(CallOptions::default(), 1.0);
            let found = scores(place, &warm);
            assert_close("scores", &found, &scores(place, &plain), place.alike());
        }
    }
}

/// Scores ln 1 and ln 4: at T = 2 their square roots weigh 1 to 2, at T = 1/2 their squares 1 to 16.
#[test]
fn temperatures_weigh_known_shares() {
    let q = array![[[1.0f32]]];
    let k = array![[[0.0], [4f32.ln()]]];
    for (temperature, share) in [(1.0, 0.8), (2.0, 2.0 / 3.0), (0.5, 16.0 / 17.0)] {
        let call = CallOptions {
            temperature,
            ..CallOptions::default()
        };
        let request = one_head(q.clone(), k.clone(), Position::None, call);
        for place in Place::all() {
            let found = weights(place, &request);
            let wanted =
                Array4::from_shape_fn((1, 1, 1, 2), |(_, _, _, j)| [1.0 - share, share][j]);
            assert_close(&format!("{place:?}"), &found, &wanted, place.alike());
        }
    }
}

#[test]
fn high_temperatures_make_weights_uniform_and_low_ones_pick_the_largest() {
    let case = Case::default();
    let at = |temperature| {
        case.request(CallOptions {
            mask: Mask::Padding { valid: 9 },
            temperature,
            ..CallOptions::default()
        })
    };
    for place in Place::all() {
        let uniform = weights(place, &at(1e6));
        let wanted = Array4::from_shape_fn(
            (1, 6, 11, 13),
            |(_, _, _, j)| {
                if j < 9 { 1.0 / 9.0 } else { 0.0 }
            },
        );
        assert_close("uniform", &uniform, &wanted, 1e-5);
        let (sharp, scores) = (weights(place, &at(1e-3)), scores(place, &at(1.0)));
        for (weights, scores) in sharp.rows().into_iter().zip(scores.rows()) {
            let first = |row: ndarray::ArrayView1<f32>| {
                let row = row.slice(s![..9]).to_owned();
                (0..9).max_by(|a, b| row[*a].total_cmp(&row[*b]))
            };
            assert_eq!(first(weights), first(scores));
        }
        let one_hot = sharp
            .rows()
            .into_iter()
            .filter(|row| row.iter().any(|w| *w > 0.999));
        assert!(one_hot.count() > 60, "nearly every row has decided");
    }
}

/// The mistake, exactly: softmax over everything, times the mask.
#[test]
fn a_mask_after_the_softmax_is_the_plain_softmax_times_the_mask() {
    let case = Case::default();
    let plain = case.request(CallOptions::default());
    for mask in masks(&case.sizes, 3) {
        let after = case.request(CallOptions {
            mask: mask.clone(),
            mask_after: true,
            ..CallOptions::default()
        });
        for place in Place::all() {
            let trace = place.compute(&after).trace;
            let mut wanted = weights(place, &plain);
            for ((_, head, query, key), weight) in wanted.indexed_iter_mut() {
                let at = CellIndex {
                    batch: 0,
                    head,
                    query,
                    key,
                };
                *weight = if mask.visible(at) { *weight } else { 0.0 };
            }
            let what = format!("{place:?}, {mask:?}");
            let found = trace.weights.expect("wanted");
            assert_close(&what, &found, &wanted, place.alike());
            assert_eq!(trace.scores, place.compute(&plain).trace.scores, "{what}");
            assert_eq!(trace.empty_rows, mask.empty_rows(&case.sizes), "{what}");
        }
    }
}

/// Scores ln 1 and ln 3: left out, the hidden key leaves the other everything; hidden afterwards, it keeps its quarter.
#[test]
fn a_mask_after_the_softmax_leaks_a_known_share() {
    let q = array![[[1.0f32]]];
    let k = array![[[0.0], [3f32.ln()]]];
    for (mask_after, wanted) in [(false, 1.0), (true, 0.25)] {
        let call = CallOptions {
            mask: Mask::Causal,
            mask_after,
            ..CallOptions::default()
        };
        let request = one_head(q.clone(), k.clone(), Position::None, call);
        for place in Place::all() {
            let found = weights(place, &request);
            assert!((f64::from(found[[0, 0, 0, 0]]) - wanted).abs() < place.alike());
            assert_eq!(found[[0, 0, 0, 1]], 0.0);
        }
    }
}

/// Each head of multi-head attention is an attention of its own; so is each of multi-query attention, on the one pair of
/// keys and values. Grouped queries become the one or the other at their ends.
#[test]
fn grouped_queries_end_in_multi_head_and_multi_query_attention() {
    let mut numbers = Numbers::new(12);
    let q = numbers.rows(6, 5, 4);
    for kv_heads in [1, 2, 3, 6] {
        let (k, v) = (numbers.rows(kv_heads, 7, 4), numbers.rows(kv_heads, 7, 3));
        let request = |heads: std::ops::Range<usize>, shared: std::ops::Range<usize>| {
            let options = LayerOptions {
                heads: heads.len(),
                kv_heads: Some(shared.len()),
                ..LayerOptions::default()
            };
            let inputs = HeadInputs {
                q: q.slice(s![heads, .., ..]).to_owned(),
                k: k.slice(s![shared.clone(), .., ..]).to_owned(),
                v: v.slice(s![shared, .., ..]).to_owned(),
                additive: None,
                output: None,
            };
            Request::from_heads(inputs, options, CallOptions::default()).expect("valid")
        };
        for place in Place::all() {
            let together = place.compute(&request(0..6, 0..kv_heads)).trace;
            let context = together.context.expect("wanted");
            for head in 0..6 {
                let owner = match kv_heads {
                    1 => 0,
                    6 => head,
                    _ => head / (6 / kv_heads),
                };
                let alone = place
                    .compute(&request(head..head + 1, owner..owner + 1))
                    .trace;
                assert_close(
                    &format!("{place:?}, head {head} of {kv_heads}"),
                    &context.slice(s![.., head, .., ..]),
                    &alone.context.expect("wanted").slice(s![.., 0, .., ..]),
                    place.alike(),
                );
            }
        }
    }
}

/// Every way to know the order beside every way to hide, shorten and weigh, at odd sizes.
#[test]
fn every_combination_agrees_with_the_reference() {
    let sizes = Sizes {
        batch: 3,
        ..Case::default().sizes
    };
    for position in [
        Position::Sinusoidal,
        Position::ROTARY,
        alibi(1.0),
        alibi(-0.5),
    ] {
        let case = Case {
            sizes,
            ..positioned(position)
        };
        for (at, mask) in masks(&sizes, 6).into_iter().enumerate() {
            let call = CallOptions {
                mask,
                mask_after: at % 2 == 0,
                masked_score: (at % 4 == 1).then_some(-1e9),
                temperature: [1.0, 0.05, 7.0][at % 3],
                ..CallOptions::default()
            };
            check_against_reference(&format!("{position:?} {call:?}"), &case.request(call));
        }
    }
    let mut numbers = Numbers::new(14);
    let mut shortened = Case {
        sizes,
        ..positioned(Position::ROTARY)
    };
    shortened.sizes.keys = 4;
    let linformer = Some(Linformer {
        e: numbers.matrix(4, 13),
        f: numbers.matrix(4, 13),
    });
    let call = CallOptions {
        linformer,
        temperature: 0.3,
        ..CallOptions::default()
    };
    check_against_reference("rotary and Linformer", &shortened.request(call));
    let strided = CallOptions {
        mask: Mask::Strided { stride: stride(3) },
        ..CallOptions::default()
    };
    let alone = Case {
        cross: false,
        sizes: Sizes {
            m: 11,
            keys: 11,
            ..sizes
        },
        ..positioned(Position::ROTARY)
    };
    check_against_reference("rotary self-attention", &alone.request(strided));
}
