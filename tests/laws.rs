//! Laws that hold whatever the numbers are, on the fast path and against the 64-bit reference.

mod common;

use std::sync::Arc;

use attention_playground::attention::{
    Call, Code, HeadInputs, LayerOptions, Linear, Linformer, Mask, Painted, Position, Request,
    Scoring, Sizes, Want,
};
use attention_playground::engine::{BackendChoice, Outcome, run};
use common::cases::{Case, Numbers, stride};
use common::check::{check_against_reference, masks};
use common::compare::{assert_close, largest};
use ndarray::{Array2, Array3, Array4, Axis, s};
use proptest::prelude::*;

fn compute(request: &Request) -> Outcome {
    run(request.clone(), BackendChoice::Cpu).expect("a case fits into memory")
}

fn weights(request: &Request) -> Array4<f32> {
    compute(request).trace.weights.expect("wanted")
}

fn output(request: &Request) -> ndarray::Array3<f32> {
    compute(request).trace.output.expect("wanted")
}

#[test]
fn every_mask_and_scoring_agrees_with_the_reference() {
    let sizes = Sizes {
        batch: 3,
        ..Case::default().sizes
    };
    for scoring in [Scoring::Dot, Scoring::Additive] {
        let case = Case {
            sizes,
            scoring,
            position: Position::Sinusoidal,
            ..Case::default()
        };
        for mask in masks(&sizes, 5) {
            for masked_score in [None, Some(-1e9)] {
                let what = format!("{scoring:?} {mask:?} {masked_score:?}");
                let call = Call {
                    mask: mask.clone(),
                    masked_score,
                    ..Call::default()
                };
                check_against_reference(&what, &case.request(call));
            }
        }
    }
}

#[test]
fn lengths_of_zero_and_one_are_computed() {
    for (n, m) in [(0, 3), (3, 0), (0, 0), (1, 1), (1, 4), (5, 1)] {
        let sizes = Sizes {
            n,
            m,
            keys: m,
            ..Case::default().sizes
        };
        let trace = check_against_reference(
            &format!("{n} × {m}"),
            &Case {
                sizes,
                ..Case::default()
            }
            .request(Call::default()),
        );
        assert_eq!(trace.weights.expect("wanted").shape(), [1, 6, n, m]);
        assert_eq!(trace.empty_rows, if m == 0 { n } else { 0 });
    }
    let none = Case {
        sizes: Sizes {
            batch: 0,
            ..Case::default().sizes
        },
        ..Case::default()
    };
    assert_eq!(output(&none.request(Call::default())).shape(), [0, 11, 19]);
}

#[test]
fn enormous_scores_stay_finite_and_exact() {
    for gain in [1e4, -1e4] {
        let case = Case {
            gain,
            biases: false,
            ..Case::default()
        };
        let trace =
            check_against_reference(&format!("gain {gain}"), &case.request(Call::default()));
        assert!(largest(&trace.scores.expect("wanted")) > 1e4);
    }
}

#[test]
fn large_scores_that_nearly_tie_keep_their_weights() {
    for gain in [30.0, 1000.0, 1e4] {
        for mask in [Mask::Full, Mask::Causal, Mask::Local { window: 2 }] {
            for seed in 0..5 {
                let sizes = Sizes {
                    n: 67,
                    m: 71,
                    keys: 71,
                    ..Case::default().sizes
                };
                let case = Case {
                    sizes,
                    gain,
                    seed,
                    position: Position::Sinusoidal,
                    ..Case::default()
                };
                let call = Call {
                    mask: mask.clone(),
                    ..Call::default()
                };
                check_against_reference(&format!("gain {gain}, {mask:?}"), &case.request(call));
            }
        }
    }
}

#[test]
fn numbers_beyond_the_range_are_refused_not_returned() {
    let inputs = HeadInputs {
        q: Array3::from_elem((1, 2, 3), 1e30),
        k: Array3::from_elem((1, 2, 3), 1e30),
        v: Array3::from_elem((1, 2, 2), 1.0),
        additive: None,
        output: Some(Linear::without_bias(Array2::from_elem((2, 1), 3e38))),
    };
    let request =
        Request::from_heads(inputs, LayerOptions::default(), Call::default()).expect("finite");
    let error = run(request, BackendChoice::Cpu).expect_err("the output overflows");
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::NotFinite, "output")
    );
}

#[test]
fn rows_with_nothing_visible_are_zero_and_counted_or_uniform() {
    let case = Case::default();
    let left_out = Call {
        mask: Mask::Padding { valid: 0 },
        ..Call::default()
    };
    let outcome = compute(&case.request(left_out.clone()));
    assert_eq!(
        largest(&outcome.trace.weights.expect("wanted")),
        f64::MIN_POSITIVE
    );
    assert_eq!(outcome.trace.empty_rows, 11);
    let overwritten = compute(&case.request(Call {
        masked_score: Some(-1e9),
        ..left_out
    }));
    let uniform = Array4::from_elem((1, 6, 11, 13), 1.0 / 13.0);
    assert_close(
        "uniform",
        &overwritten.trace.weights.expect("wanted"),
        &uniform,
        1e-6,
    );
    assert_eq!(overwritten.trace.empty_rows, 0);
}

#[test]
fn leaving_out_what_is_quadratic_changes_nothing_else() {
    let case = Case {
        sizes: Sizes {
            n: 150,
            m: 170,
            keys: 170,
            ..Case::default().sizes
        },
        ..Case::default()
    };
    let all = compute(&case.request(Call {
        mask: Mask::Causal,
        ..Call::default()
    }));
    let want = Want {
        context: true,
        output: true,
        stats: true,
        ..Want::NOTHING
    };
    let few = compute(&case.request(Call {
        mask: Mask::Causal,
        want,
        ..Call::default()
    }));
    assert_eq!(few.trace.weights, None);
    assert_eq!(few.trace.scores, None);
    assert_eq!(few.trace.output, all.trace.output);
    assert_eq!(few.stats, all.stats);
    let weights_only = Want {
        weights: true,
        ..Want::NOTHING
    };
    let some = compute(&case.request(Call {
        mask: Mask::Causal,
        want: weights_only,
        ..Call::default()
    }));
    assert_eq!(some.trace.weights, all.trace.weights);
    assert_eq!(
        (some.trace.output, some.trace.v, some.stats),
        (None, None, None)
    );
}

#[test]
fn measures_gathered_tile_by_tile_are_those_of_the_whole_matrix() {
    let sizes = Sizes {
        batch: 2,
        n: 150,
        m: 150,
        keys: 150,
        ..Case::default().sizes
    };
    let case = Case {
        sizes,
        cross: false,
        gain: 3.0,
        ..Case::default()
    };
    let outcome = compute(&case.request(Call {
        mask: Mask::Causal,
        ..Call::default()
    }));
    let weights = outcome.trace.weights.expect("wanted");
    for (batch, heads) in outcome.stats.expect("wanted").iter().enumerate() {
        for (head, stats) in heads.iter().enumerate() {
            let matrix = weights.slice(s![batch, head, .., ..]);
            let own = matrix.diag();
            assert_eq!(stats.self_weight, own.to_vec());
            let mean = own.iter().map(|weight| f64::from(*weight)).sum::<f64>() / 150.0;
            assert!((stats.diagonal_mean - mean).abs() < 1e-12);
            assert_eq!(stats.histogram.iter().sum::<u32>(), 150 * 150);
            assert_eq!(stats.most_attended_other[0], None);
            assert_eq!(stats.most_attended_other[1], Some((0, matrix[[1, 0]])));
        }
    }
}

#[test]
fn a_causal_prefix_does_not_know_the_rest() {
    let case = Case {
        cross: false,
        ..Case::default()
    };
    let call = Call {
        mask: Mask::Causal,
        ..Call::default()
    };
    let whole = output(&case.request(call.clone()));
    let prefix = case.queries().slice(s![.., ..7, ..]).to_owned();
    let short = Request::new(case.layer(), prefix, None, call).expect("valid");
    assert_close(
        "prefix",
        &output(&short),
        &whole.slice(s![.., ..7, ..]),
        1e-5,
    );
}

#[test]
fn permuting_keys_permutes_columns_and_leaves_the_output() {
    let case = Case::default();
    let order = [5, 0, 12, 3, 1, 9, 7, 2, 11, 4, 10, 8, 6];
    let permuted = case.keys_values().select(Axis(1), &order);
    let request = Request::new(
        case.layer(),
        case.queries(),
        Some(permuted),
        Call::default(),
    )
    .expect("valid");
    let plain = case.request(Call::default());
    assert_close(
        "columns",
        &weights(&request),
        &weights(&plain).select(Axis(3), &order),
        1e-6,
    );
    assert_close("output", &output(&request), &output(&plain), 1e-5);
}

#[test]
fn adding_one_vector_to_all_keys_changes_no_weight() {
    let mut numbers = Numbers::new(8);
    let (q, k, v) = (
        numbers.rows(3, 5, 7),
        numbers.rows(3, 9, 7),
        numbers.rows(3, 9, 2),
    );
    let shift = numbers.vector(7);
    let request = |k| {
        let inputs = HeadInputs {
            q: q.clone(),
            k,
            v: v.clone(),
            additive: None,
            output: None,
        };
        Request::from_heads(
            inputs,
            LayerOptions {
                heads: 3,
                ..LayerOptions::default()
            },
            Call::default(),
        )
        .expect("valid")
    };
    assert_close(
        "shift",
        &weights(&request(&k + &shift)),
        &weights(&request(k.clone())),
        1e-6,
    );
}

#[test]
fn masks_that_hide_nothing_collapse_to_full_attention() {
    let case = Case::default();
    let plain = compute(&case.request(Call::default())).trace;
    let all = Mask::Painted(Painted::new(Array4::from_elem((1, 1, 11, 13), true)));
    let masks = [
        Mask::Padding { valid: 13 },
        Mask::Local { window: 13 },
        Mask::Strided { stride: stride(1) },
        Mask::All(vec![]),
        all,
    ];
    for mask in masks {
        let trace = compute(&case.request(Call {
            mask: mask.clone(),
            ..Call::default()
        }))
        .trace;
        assert_close(
            &format!("{mask:?}"),
            trace.output.as_ref().expect("wanted"),
            plain.output.as_ref().expect("wanted"),
            1e-6,
        );
    }
}

#[test]
fn linformer_with_identities_is_full_attention_and_agrees_with_the_reference() {
    let case = Case::default();
    let identity = Array2::eye(13);
    let linformer = Some(Linformer {
        e: identity.clone(),
        f: identity,
    });
    let same = case.request(Call {
        linformer,
        ..Call::default()
    });
    assert_close(
        "identity",
        &output(&same),
        &output(&case.request(Call::default())),
        1e-5,
    );
    let mut numbers = Numbers::new(4);
    let linformer = Some(Linformer {
        e: numbers.matrix(3, 13),
        f: numbers.matrix(3, 13),
    });
    let trace = check_against_reference(
        "linformer",
        &case.request(Call {
            linformer,
            ..Call::default()
        }),
    );
    assert_eq!(trace.weights.expect("wanted").shape(), [1, 6, 11, 3]);
}

#[test]
fn repeating_shared_heads_turns_grouped_into_multi_head_attention() {
    let mut numbers = Numbers::new(9);
    let (q, k, v) = (
        numbers.rows(6, 5, 3),
        numbers.rows(2, 7, 3),
        numbers.rows(2, 7, 4),
    );
    let repeat = |rows: &ndarray::Array3<f32>| rows.select(Axis(0), &[0, 0, 0, 1, 1, 1]);
    let inputs = |k, v| HeadInputs {
        q: q.clone(),
        k,
        v,
        additive: None,
        output: None,
    };
    let options = |kv_heads| LayerOptions {
        heads: 6,
        kv_heads: Some(kv_heads),
        ..LayerOptions::default()
    };
    let repeated = Request::from_heads(inputs(repeat(&k), repeat(&v)), options(6), Call::default())
        .expect("valid");
    let grouped = Request::from_heads(inputs(k, v), options(2), Call::default()).expect("valid");
    assert_eq!(output(&grouped), output(&repeated));
}

#[test]
fn positions_equal_adding_the_encoding_by_hand() {
    let with = Case {
        position: Position::Sinusoidal,
        ..Case::default()
    };
    let encoding = attention_playground::attention::sinusoidal_encoding;
    let queries = with.queries() + encoding(11, 17);
    let keys_values = with.keys_values() + encoding(13, 17);
    let by_hand = Request::new(
        Case::default().layer(),
        queries,
        Some(keys_values),
        Call::default(),
    )
    .expect("valid");
    assert_close(
        "positions",
        &output(&with.request(Call::default())),
        &output(&by_hand),
        1e-5,
    );
}

/// Any case of small, unrelated sizes.
fn any_case() -> impl Strategy<Value = Case> {
    let lengths = (0usize..3, 0usize..9, 0usize..10, 1usize..12);
    let heads = (1usize..4, 1usize..4, 1usize..9, 1usize..6, 1usize..7);
    (lengths, heads, any::<[bool; 4]>(), 0u64..1000).prop_map(|(lengths, heads, switches, seed)| {
        let (batch, n, m, d_model) = lengths;
        let (kv_heads, group, d_k, d_v, d_out) = heads;
        let [cross, additive, biases, output] = switches;
        let m = if cross { m } else { n };
        let d_out = if output {
            d_out
        } else {
            kv_heads * group * d_v
        };
        Case {
            sizes: Sizes {
                batch,
                heads: kv_heads * group,
                kv_heads,
                n,
                m,
                keys: m,
                d_model: Some(d_model),
                d_k,
                d_v,
                d_out,
            },
            cross,
            scoring: if additive {
                Scoring::Additive
            } else {
                Scoring::Dot
            },
            position: if seed % 2 == 0 {
                Position::None
            } else {
                Position::Sinusoidal
            },
            biases,
            output,
            gain: if seed % 5 == 0 { 30.0 } else { 1.0 },
            seed,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_request_agrees_with_the_reference_and_rows_sum_to_one(case in any_case(), choice in 0usize..14) {
        let mask = masks(&case.sizes, case.seed).swap_remove(choice);
        let request = case.request(Call { mask: mask.clone(), ..Call::default() });
        let trace = check_against_reference(&format!("{case:?} {mask:?}"), &request);
        let at = |b, g, i, j| attention_playground::attention::At { batch: b, head: g, query: i, key: j };
        for ((b, g, i), row) in ndarray::indices((case.sizes.batch, case.sizes.heads, case.sizes.n)).into_iter()
            .zip(trace.weights.expect("wanted").rows())
        {
            let visible = (0..case.sizes.m).filter(|j| mask.visible(at(b, g, i, *j))).count();
            let wanted = if visible == 0 { 0.0 } else { 1.0 };
            prop_assert!((row.sum() - wanted).abs() < 1e-5, "row {i} of head {g} sums to {}", row.sum());
            for (j, weight) in row.iter().enumerate() {
                prop_assert!(*weight >= 0.0 && (mask.visible(at(b, g, i, j)) || *weight == 0.0));
            }
        }
    }
}

#[test]
fn a_layer_serves_many_requests_without_copies() {
    let case = Case::default();
    let layer = case.layer();
    let requests: Vec<_> = (0..3)
        .map(|_| {
            Request::new(Arc::clone(&layer), case.queries(), None, Call::default()).expect("valid")
        })
        .collect();
    assert_eq!(Arc::strong_count(&layer), 4);
    assert_eq!(output(&requests[0]), output(&requests[2]));
}
