//! Skipping hidden cells does not change results: the bits are the same however a mask is given and
//! whichever other outputs are requested.

use crate::common::cases::{Case, Numbers, stride};
use crate::common::check::check_against_reference;
use crate::common::masks::masks;
use crate::common::place::Place;
use attention::{
    CallOptions, CellIndex, Code, ExplicitMask, HeadInputs, Layer, LayerOptions, Linear, Mask,
    Outputs, Position, Request, Scoring, Sizes, Trace, Weights,
};
use engine::{BackendChoice, run};
use ndarray::{Array2, Array3, Array4, ShapeBuilder};

/// Two tiles of rows and more than two stretches of keys, none of them whole.
fn long() -> Sizes {
    Sizes {
        batch: 2,
        heads: 2,
        kv_heads: 1,
        n: 71,
        m: 523,
        keys: 523,
        d_model: Some(7),
        d_k: 5,
        d_v: 9,
        d_out: 3,
    }
}

fn computed(request: &Request) -> Trace<f32> {
    Place::Cpu.compute(request).trace
}

/// Every kind of mask, and ones that leave whole blocks out.
fn all_masks(sizes: &Sizes) -> Vec<Mask> {
    let squares = Array4::from_shape_fn((1, 1, sizes.n, sizes.m), |(_, _, i, j)| {
        i / 30 == j / 70 || (i == 5 && j == 300)
    });
    let mut all = masks(sizes, 3);
    all.extend([
        Mask::Local { window: 20 },
        Mask::Strided { stride: stride(97) },
        Mask::Painted(ExplicitMask::new(squares)),
        Mask::All(vec![Mask::Causal, Mask::Padding { valid: 90 }]),
    ]);
    all
}

/// The ways to weigh and to hide that read hidden scores or do not.
fn cases() -> Vec<(Case, CallOptions)> {
    let case = |position, scoring, gain| Case {
        sizes: long(),
        position,
        scoring,
        gain,
        ..Case::default()
    };
    let call = |temperature, masked_score, mask_after| CallOptions {
        temperature,
        masked_score,
        mask_after,
        ..CallOptions::default()
    };
    let (plain, alibi) = (Position::None, Position::ALIBI);
    vec![
        (case(plain, Scoring::Dot, 1.0), call(1.0, None, false)),
        (case(plain, Scoring::Dot, 1.0), call(0.7, Some(-3.0), false)),
        (case(plain, Scoring::Dot, 1.0), call(1.0, Some(-1e9), false)),
        (case(plain, Scoring::Dot, 1.0), call(1.0, None, true)),
        (case(plain, Scoring::Dot, 300.0), call(1.0, None, false)),
        (case(alibi, Scoring::Dot, 1.0), call(2.0, None, false)),
        (case(plain, Scoring::Additive, 1.0), call(1.0, None, false)),
        (
            case(alibi, Scoring::Additive, 1.0),
            call(1.0, Some(2.0), false),
        ),
    ]
}

#[test]
fn scores_that_nobody_reads_change_nothing() {
    for (case, call) in cases() {
        for mask in all_masks(&case.sizes) {
            let with = |scores| {
                let want = Outputs {
                    scores,
                    ..Outputs::ALL
                };
                let mask = mask.clone();
                let call = CallOptions {
                    mask,
                    want,
                    ..call.clone()
                };
                Place::Cpu.compute(&case.request(call))
            };
            let (all, few) = (with(true), with(false));
            let what = format!("{:?} {:?} {mask:.200?}", case.position, case.scoring);
            assert_eq!(few.trace.weights, all.trace.weights, "{what}");
            assert_eq!(few.trace.context, all.trace.context, "{what}");
            assert_eq!(few.trace.output, all.trace.output, "{what}");
            assert_eq!(few.stats, all.stats, "{what}");
            assert!(all.trace.scores.is_some() && few.trace.scores.is_none());
        }
    }
}

/// Scores that are wanted are those of a run without a mask.
#[test]
fn scores_that_are_wanted_are_there_where_they_are_hidden() {
    for (case, call) in cases() {
        let open = CallOptions {
            masked_score: None,
            mask_after: false,
            ..call.clone()
        };
        let scores = computed(&case.request(open)).scores;
        for mask in all_masks(&case.sizes) {
            let trace = computed(&case.request(CallOptions {
                mask,
                ..call.clone()
            }));
            assert_eq!(trace.scores, scores);
        }
    }
}

#[test]
fn a_rule_and_the_same_mask_cell_by_cell_have_the_same_bits() {
    for (case, call) in cases() {
        let Sizes {
            batch, heads, n, m, ..
        } = case.sizes;
        let shape = (batch, heads, n, m);
        for mask in all_masks(&case.sizes) {
            let cells = Array4::from_shape_fn(shape, |(batch, head, query, key)| {
                mask.visible(CellIndex {
                    batch,
                    head,
                    query,
                    key,
                })
            });
            let painted = Mask::Painted(ExplicitMask::new(cells));
            let [rule, painted] = [mask.clone(), painted].map(|mask| {
                let want = Outputs {
                    scores: false,
                    ..Outputs::ALL
                };
                computed(&case.request(CallOptions {
                    mask,
                    want,
                    ..call.clone()
                }))
            });
            let what = format!("{:?} {mask:.200?}", case.position);
            // A mask that is full by its rule takes no step; its softmax is the same.
            assert_eq!(painted.weights, rule.weights, "{what}");
            assert_eq!(painted.context, rule.context, "{what}");
            assert_eq!(painted.output, rule.output, "{what}");
        }
    }
}

#[test]
fn masks_that_leave_blocks_out_agree_with_the_reference() {
    let case = Case {
        sizes: long(),
        ..Case::default()
    };
    for (masked_score, mask_after) in [(None, false), (Some(-1.0), false), (None, true)] {
        for mask in all_masks(&case.sizes) {
            let what = format!("{masked_score:?}, {mask_after}, {mask:.200?}");
            let call = CallOptions {
                mask,
                masked_score,
                mask_after,
                ..CallOptions::default()
            };
            check_against_reference(&what, &case.request(call));
        }
    }
}

/// A value beyond the range refuses the run, even where every query is blind to it: what is refused does not depend on blocks.
#[test]
fn a_hidden_value_beyond_the_range_is_refused_wherever_it_stands() {
    for hidden in 1..40 {
        let mut x = Array2::from_elem((40, 2), 1.0);
        x[[hidden, 1]] = 3e38;
        let linear = |w: [[f32; 1]; 2]| Linear::without_bias(ndarray::arr2(&w));
        let weights = Weights {
            query: linear([[1.0], [0.0]]),
            key: linear([[1.0], [0.0]]),
            value: linear([[1.0], [3.0]]),
            output: None,
            additive: None,
        };
        let layer = Layer::new(weights, LayerOptions::default()).expect("valid");
        let want = Outputs {
            output: true,
            ..Outputs::NOTHING
        };
        let mask = Mask::Padding { valid: hidden };
        let call = CallOptions {
            mask,
            want,
            ..CallOptions::default()
        };
        let x = x.insert_axis(ndarray::Axis(0));
        let request = Request::new(layer.into(), x, None, call).expect("finite");
        let error = run(request, BackendChoice::Cpu).expect_err("beyond the range");
        assert_eq!(
            (error.code, error.field.as_str()),
            (Code::NotFinite, "output")
        );
    }
}

/// The same array with the first axis running fastest.
fn columns_first<D: ndarray::Dimension>(array: &ndarray::Array<f32, D>) -> ndarray::Array<f32, D> {
    let mut other = ndarray::Array::zeros(array.raw_dim().f());
    other.assign(array);
    other
}

#[test]
fn how_arrays_lie_in_memory_changes_nothing() {
    let case = Case::default();
    let Weights {
        query,
        key,
        value,
        output,
        additive,
    } = case.weights();
    let turned = |linear: Linear| Linear {
        w: columns_first(&linear.w),
        b: linear.b,
    };
    let weights = Weights {
        query: turned(query),
        key: turned(key),
        value: turned(value),
        output: output.map(turned),
        additive,
    };
    let sharing = LayerOptions {
        heads: 6,
        kv_heads: Some(2),
        ..LayerOptions::default()
    };
    let layer = Layer::new(weights, sharing).expect("valid");
    let (queries, keys_values) = (
        columns_first(&case.queries()),
        columns_first(&case.keys_values()),
    );
    let call = CallOptions::default();
    let request =
        Request::new(layer.into(), queries, Some(keys_values), call.clone()).expect("valid");
    assert_eq!(computed(&request), computed(&case.request(call.clone())));

    let mut numbers = Numbers::new(5);
    let mut rows = |heads, rows, width| numbers.rows(heads, rows, width);
    let given = [rows(6, 11, 5), rows(2, 13, 5), rows(2, 13, 7)];
    for scoring in [Scoring::Dot, Scoring::Additive] {
        let compute = |[q, k, v]: [Array3<f32>; 3]| {
            let additive = Some(Numbers::new(6).vector(5));
            let inputs = HeadInputs {
                q,
                k,
                v,
                additive,
                output: None,
            };
            let options = LayerOptions { scoring, ..sharing };
            computed(&Request::from_heads(inputs, options, call.clone()).expect("valid"))
        };
        let turned = given.each_ref().map(columns_first);
        assert_eq!(compute(turned), compute(given.clone()), "{scoring:?}");
    }
}
