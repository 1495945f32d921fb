//! Laws that hold whatever the numbers are and wherever they are computed.

use std::sync::Arc;

use crate::common::cases::{Case, Numbers, stride};
use crate::common::check::check_against_reference;
use crate::common::check::output_alone;
use crate::common::compare::assert_close;
use crate::common::place::Place;
use attention::{
    CallOptions, ExplicitMask, HeadInputs, LayerOptions, Linformer, Mask, Outputs, Position,
    Request, Sizes,
};
use ndarray::{Array2, Array4, Axis, s};

fn everywhere(law: impl Fn(Place)) {
    Place::all().into_iter().for_each(law);
}

fn weights(place: Place, request: &Request) -> Array4<f32> {
    place.compute(request).trace.weights.expect("wanted")
}

/// The output where nothing else is wanted, which a card computes by a kernel of its own.
fn output(place: Place, request: &Request) -> ndarray::Array3<f32> {
    let trace = place.compute(&output_alone(request)).trace;
    trace.output.expect("wanted")
}

#[test]
fn leaving_out_what_is_quadratic_changes_nothing_else() {
    everywhere(|place| {
        let case = Case {
            sizes: Sizes {
                n: 150,
                m: 170,
                keys: 170,
                ..Case::default().sizes
            },
            ..Case::default()
        };
        let all = place.compute(&case.request(CallOptions {
            mask: Mask::Causal,
            ..CallOptions::default()
        }));
        let want = Outputs {
            context: true,
            output: true,
            stats: true,
            ..Outputs::NOTHING
        };
        let few = place.compute(&case.request(CallOptions {
            mask: Mask::Causal,
            want,
            ..CallOptions::default()
        }));
        assert_eq!(few.trace.weights, None);
        assert_eq!(few.trace.scores, None);
        assert_eq!(few.trace.output, all.trace.output);
        assert_eq!(few.stats, all.stats);
        let weights_only = Outputs {
            weights: true,
            ..Outputs::NOTHING
        };
        let some = place.compute(&case.request(CallOptions {
            mask: Mask::Causal,
            want: weights_only,
            ..CallOptions::default()
        }));
        assert_eq!(some.trace.weights, all.trace.weights);
        assert_eq!(
            (some.trace.output, some.trace.v, some.stats),
            (None, None, None)
        );
    });
}

#[test]
fn measures_gathered_tile_by_tile_are_those_of_the_whole_matrix() {
    everywhere(|place| {
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
        let outcome = place.compute(&case.request(CallOptions {
            mask: Mask::Causal,
            ..CallOptions::default()
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
    });
}

#[test]
fn a_causal_prefix_does_not_know_the_rest() {
    everywhere(|place| {
        let case = Case {
            cross: false,
            ..Case::default()
        };
        let call = CallOptions {
            mask: Mask::Causal,
            ..CallOptions::default()
        };
        let whole = output(place, &case.request(call.clone()));
        let prefix = case.queries().slice(s![.., ..7, ..]).to_owned();
        let short = Request::new(case.layer(), prefix, None, call).expect("valid");
        assert_close(
            "prefix",
            &output(place, &short),
            &whole.slice(s![.., ..7, ..]),
            10.0 * place.alike(),
        );
    });
}

#[test]
fn permuting_keys_permutes_columns_and_leaves_the_output() {
    everywhere(|place| {
        let case = Case::default();
        let order = [5, 0, 12, 3, 1, 9, 7, 2, 11, 4, 10, 8, 6];
        let permuted = case.keys_values().select(Axis(1), &order);
        let request = Request::new(
            case.layer(),
            case.queries(),
            Some(permuted),
            CallOptions::default(),
        )
        .expect("valid");
        let plain = case.request(CallOptions::default());
        assert_close(
            "columns",
            &weights(place, &request),
            &weights(place, &plain).select(Axis(3), &order),
            place.alike(),
        );
        assert_close(
            "output",
            &output(place, &request),
            &output(place, &plain),
            1e-5,
        );
    });
}

#[test]
fn adding_one_vector_to_all_keys_changes_no_weight() {
    everywhere(|place| {
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
                CallOptions::default(),
            )
            .expect("valid")
        };
        assert_close(
            "shift",
            &weights(place, &request(&k + &shift)),
            &weights(place, &request(k.clone())),
            place.alike(),
        );
    });
}

#[test]
fn masks_that_hide_nothing_collapse_to_full_attention() {
    everywhere(|place| {
        let case = Case::default();
        let plain = place.compute(&case.request(CallOptions::default())).trace;
        let all = Mask::Painted(ExplicitMask::new(Array4::from_elem((1, 1, 11, 13), true)));
        let masks = [
            Mask::Padding { valid: 13 },
            Mask::Local { window: 13 },
            Mask::Strided { stride: stride(1) },
            Mask::All(vec![]),
            all,
        ];
        for mask in masks {
            let trace = place
                .compute(&case.request(CallOptions {
                    mask: mask.clone(),
                    ..CallOptions::default()
                }))
                .trace;
            assert_close(
                &format!("{mask:?}"),
                trace.output.as_ref().expect("wanted"),
                plain.output.as_ref().expect("wanted"),
                place.alike(),
            );
        }
    });
}

#[test]
fn linformer_with_identities_is_full_attention_and_agrees_with_the_reference() {
    everywhere(|place| {
        let case = Case::default();
        let identity = Array2::eye(13);
        let linformer = Some(Linformer {
            e: identity.clone(),
            f: identity,
        });
        let same = case.request(CallOptions {
            linformer,
            ..CallOptions::default()
        });
        assert_close(
            "identity",
            &output(place, &same),
            &output(place, &case.request(CallOptions::default())),
            10.0 * place.alike(),
        );
        let mut numbers = Numbers::new(4);
        let linformer = Some(Linformer {
            e: numbers.matrix(3, 13),
            f: numbers.matrix(3, 13),
        });
        let trace = check_against_reference(
            "linformer",
            &case.request(CallOptions {
                linformer,
                ..CallOptions::default()
            }),
        );
        assert_eq!(trace.weights.expect("wanted").shape(), [1, 6, 11, 3]);
    });
}

#[test]
fn repeating_shared_heads_turns_grouped_into_multi_head_attention() {
    everywhere(|place| {
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
        let repeated = Request::from_heads(
            inputs(repeat(&k), repeat(&v)),
            options(6),
            CallOptions::default(),
        )
        .expect("valid");
        let grouped =
            Request::from_heads(inputs(k, v), options(2), CallOptions::default()).expect("valid");
        assert_eq!(output(place, &grouped), output(place, &repeated));
    });
}

#[test]
fn positions_equal_adding_the_encoding_by_hand() {
    everywhere(|place| {
        let with = Case {
            position: Position::Sinusoidal,
            ..Case::default()
        };
        let encoding = attention::sinusoidal_encoding;
        let queries = with.queries() + encoding(11, 17);
        let keys_values = with.keys_values() + encoding(13, 17);
        let by_hand = Request::new(
            Case::default().layer(),
            queries,
            Some(keys_values),
            CallOptions::default(),
        )
        .expect("valid");
        assert_close(
            "positions",
            &output(place, &with.request(CallOptions::default())),
            &output(place, &by_hand),
            10.0 * place.alike(),
        );
    });
}

#[test]
fn a_layer_serves_many_requests_without_copies() {
    everywhere(|place| {
        let case = Case::default();
        let layer = case.layer();
        let requests: Vec<_> = (0..3)
            .map(|_| {
                Request::new(
                    Arc::clone(&layer),
                    case.queries(),
                    None,
                    CallOptions::default(),
                )
                .expect("valid")
            })
            .collect();
        assert_eq!(Arc::strong_count(&layer), 4);
        assert_eq!(output(place, &requests[0]), output(place, &requests[2]));
    });
}
