//! Positions, temperatures and late masks where they are hard on numbers, everywhere, against the 64-bit reference.

use crate::common::cases::{Case, Numbers, stride};
use crate::common::check::check_against_reference;
use crate::common::compare::largest;
use crate::common::masks::masks;
use attention::{
    CallOptions, HeadInputs, LayerOptions, Linformer, Mask, Position, Request, Scoring, Sizes,
    Slopes, rotation,
};
use ndarray::{Array1, Array3, aview1};

const ALIBI: Position = Position::ALIBI;

/// Rows of `size` that rotary positions turn to nearly the same place, but for `little`.
fn turned_alike(seed: u64, shape: (usize, usize, usize), size: f32, little: f32) -> Array3<f32> {
    let mut numbers = Numbers::new(seed);
    let (_, _, width) = shape;
    let place = numbers.vector(width) * size;
    let noise = numbers.rows(shape.0, shape.1, shape.2) * little;
    Array3::from_shape_fn(shape, |(slice, row, column)| {
        let pair = column / 2;
        let exact = if 2 * pair + 1 == width {
            f64::from(place[column])
        } else {
            let (sin, cos) = rotation(row as i64, pair, width).sin_cos();
            let [x, y] = [2 * pair, 2 * pair + 1].map(|column| f64::from(place[column]));
            match column.is_multiple_of(2) {
                true => x * cos + y * sin,
                false => y * cos - x * sin,
            }
        };
        exact as f32 + noise[[slice, row, column]]
    })
}

#[test]
fn large_scores_that_rotation_brings_together_keep_their_weights() {
    for (width, size, little, temperature) in [
        (5, 30.0, 1e-3, 1.0),
        (8, 100.0, 1e-3, 1.0),
        (33, 300.0, 1e-4, 0.5),
        (2, 20.0, 1e-5, 0.01),
        (64, 100.0, 1e-2, 10.0),
    ] {
        let given = |seed, shape| turned_alike(seed, shape, size, little);
        let inputs = HeadInputs {
            q: given(3, (6, 41, width)),
            k: given(3, (2, 37, width)),
            v: Numbers::new(4).rows(2, 37, 7),
            additive: None,
            output: None,
        };
        let options = LayerOptions {
            heads: 6,
            kv_heads: Some(2),
            position: Position::ROTARY,
            ..LayerOptions::default()
        };
        let mut numbers = Numbers::new(6);
        let short = Some(Linformer {
            e: numbers.matrix(5, 37),
            f: numbers.matrix(5, 37),
        });
        let calls = [
            (Mask::Full, None),
            (Mask::Causal, None),
            (Mask::Full, short),
        ];
        for (mask, linformer) in calls {
            let what = format!("d_k {width}, {size} ± {little}, T {temperature}, {mask:?}");
            let call = CallOptions {
                mask,
                linformer,
                temperature,
                ..CallOptions::default()
            };
            let request = Request::from_heads(inputs.clone(), options, call).expect("valid");
            check_against_reference(&what, &request);
        }
    }
}

#[test]
fn rotation_after_a_projection_is_as_exact_as_the_projection() {
    for gain in [1.0, 60.0, 3e3] {
        for cross in [false, true] {
            let sizes = Sizes {
                batch: 2,
                heads: 6,
                kv_heads: 3,
                n: 70,
                m: if cross { 90 } else { 70 },
                keys: if cross { 90 } else { 70 },
                d_k: 7,
                ..Case::default().sizes
            };
            for seed in 0..2 {
                let case = Case {
                    sizes,
                    position: Position::ROTARY,
                    cross,
                    gain,
                    seed,
                    ..Case::default()
                };
                for (mask, temperature) in [(Mask::Full, 0.3), (Mask::Causal, 2.0)] {
                    let call = CallOptions {
                        mask,
                        temperature,
                        ..CallOptions::default()
                    };
                    check_against_reference(&format!("gain {gain}"), &case.request(call));
                }
            }
        }
    }
}

/// Where near keys are hidden every penalty is large, and what counts is how little they differ.
#[test]
fn penalties_of_thousands_leave_the_differences() {
    let sparse = Mask::Strided { stride: stride(3) };
    for (heads, strength) in [
        (1, 1.0),
        (2, 1.0),
        (3, 1.0),
        (12, 1.0),
        (6, 300.0),
        (6, -3.0),
    ] {
        for scoring in [Scoring::Dot, Scoring::Additive] {
            for (n, m, mask) in [
                (2, 3000, Mask::Full),
                (2100, 9, Mask::Full),
                (1800, 14, sparse.clone()),
            ] {
                let sizes = Sizes {
                    heads,
                    kv_heads: 1,
                    n,
                    m,
                    keys: m,
                    d_model: Some(3),
                    d_k: 2,
                    d_v: 1,
                    d_out: 2,
                    ..Case::default().sizes
                };
                let case = Case {
                    sizes,
                    scoring,
                    position: Position::Alibi {
                        strength,
                        slopes: Slopes::Paper,
                    },
                    ..Case::default()
                };
                let what = format!("{heads} heads, strength {strength}, {scoring:?}, {mask:?}");
                let call = CallOptions {
                    mask,
                    ..CallOptions::default()
                };
                check_against_reference(&what, &case.request(call));
            }
        }
    }
}

#[test]
fn penalties_on_large_scores_that_nearly_tie_keep_their_weights() {
    for strength in [1.0, 0.0, 37.3, -1.0] {
        for gain in [30.0, 1e4] {
            for mask in [Mask::Full, Mask::Causal, Mask::Local { window: 2 }] {
                let sizes = Sizes {
                    n: 67,
                    m: 71,
                    keys: 71,
                    ..Case::default().sizes
                };
                let case = Case {
                    sizes,
                    gain,
                    position: Position::Alibi {
                        strength,
                        slopes: Slopes::Paper,
                    },
                    ..Case::default()
                };
                let what = format!("strength {strength}, gain {gain}, {mask:?}");
                let call = CallOptions {
                    mask,
                    masked_score: (strength == 0.0).then_some(-7.0),
                    ..CallOptions::default()
                };
                check_against_reference(&what, &case.request(call));
            }
        }
    }
}

#[test]
fn low_temperatures_sharpen_without_losing_the_differences() {
    for temperature in [1e-3, 0.01, 0.05, 0.7, 13.0, 1e6] {
        for (scoring, position) in [
            (Scoring::Dot, Position::None),
            (Scoring::Additive, Position::None),
            (Scoring::Dot, ALIBI),
            (Scoring::Additive, ALIBI),
            (Scoring::Dot, Position::Sinusoidal),
        ] {
            let case = Case {
                scoring,
                position,
                ..Case::default()
            };
            let near = nearly_alike_rows(13, 17);
            for (mask, masked_score, mask_after) in [
                (Mask::Full, None, false),
                (Mask::Local { window: 3 }, Some(-1.0), false),
                (Mask::Causal, Some(f32::MIN), false),
                (Mask::Causal, Some(f32::MAX), false),
                (Mask::Causal, None, true),
            ] {
                let what = format!(
                    "T {temperature}, {scoring:?}, {position:?}, {mask:?}, {masked_score:?}"
                );
                let call = CallOptions {
                    mask,
                    masked_score,
                    mask_after,
                    temperature,
                    ..CallOptions::default()
                };
                let request = Request::new(
                    case.layer(),
                    case.queries(),
                    Some(near.clone()),
                    call.clone(),
                );
                check_against_reference(&what, &request.expect("valid"));
                check_against_reference(&what, &case.request(call));
            }
        }
    }
}

/// Rows that differ by a thousandth.
fn nearly_alike_rows(rows: usize, width: usize) -> Array3<f32> {
    let mut numbers = Numbers::new(12);
    let row = numbers.vector(width);
    numbers.rows(1, rows, width) * 1e-3 + row
}

#[test]
fn additive_scores_of_thousands_keep_their_weights() {
    for (size, temperature) in [
        (10.0, 1.0),
        (100.0, 1.0),
        (1e4, 1.0),
        (5.0, 0.01),
        (1e3, 30.0),
    ] {
        for (seed, spread) in [(1, 1.0), (2, 1e-2), (3, 1e-4), (4, 20.0)] {
            for position in [Position::None, Position::ROTARY, ALIBI] {
                let mut numbers = Numbers::new(seed);
                let w_a: Array1<f32> = numbers.vector(9) * size;
                let row = numbers.vector(9);
                let inputs = HeadInputs {
                    q: numbers.rows(4, 21, 9) * 2.0,
                    k: numbers.rows(2, 23, 9) * spread + row,
                    v: numbers.rows(2, 23, 3),
                    additive: Some(w_a),
                    output: None,
                };
                let options = LayerOptions {
                    heads: 4,
                    kv_heads: Some(2),
                    scoring: Scoring::Additive,
                    position,
                    ..LayerOptions::default()
                };
                for mask in [Mask::Full, Mask::Causal] {
                    let what = format!("w_a {size}, T {temperature}, ± {spread}, {position:?}");
                    let call = CallOptions {
                        mask,
                        temperature,
                        ..CallOptions::default()
                    };
                    let request = Request::from_heads(inputs.clone(), options, call);
                    check_against_reference(&what, &request.expect("valid"));
                }
            }
        }
    }
}

/// Every key reaches nearly the same score through other columns, so that no error of tanh is shared by all of them.
#[test]
fn additive_scores_that_meet_by_different_ways_keep_their_weights() {
    let (size, meeting) = (1e6, 0.3);
    let mut numbers = Numbers::new(5);
    let mut k = Array3::zeros((40, 3, 3));
    for mut key in k.rows_mut() {
        let first = 0.6 * numbers.next();
        let wanted: f64 = meeting - f64::from(first).tanh();
        let second = wanted.atanh() as f32;
        let rest = wanted - f64::from(second).tanh();
        key.assign(&aview1(&[
            first,
            second,
            (rest + 1e-9 * f64::from(numbers.next())) as f32,
        ]));
    }
    let inputs = HeadInputs {
        q: Array3::zeros((40, 1, 3)),
        k,
        v: numbers.rows(40, 3, 2),
        additive: Some(Array1::from_elem(3, size)),
        output: None,
    };
    let options = LayerOptions {
        heads: 40,
        scoring: Scoring::Additive,
        ..LayerOptions::default()
    };
    let call = CallOptions {
        temperature: 1e-3,
        ..CallOptions::default()
    };
    let request = Request::from_heads(inputs, options, call).expect("valid");
    let trace = check_against_reference("meeting scores", &request);
    let weights = trace.weights.expect("wanted");
    assert!(largest(&weights) < 0.9, "no key takes all");
}

/// Projections round what is large; where a query and a key take each other away, tanh sees it.
#[test]
fn additive_scores_of_large_inputs_that_take_each_other_away_keep_their_weights() {
    for gain in [30.0, 300.0, 1e4] {
        for seed in 0..8 {
            let sizes = Sizes {
                n: 31,
                m: 29,
                keys: 29,
                d_k: 9,
                ..Case::default().sizes
            };
            let case = Case {
                sizes,
                scoring: Scoring::Additive,
                position: [Position::None, Position::ROTARY, ALIBI][seed as usize % 3],
                gain,
                seed,
                ..Case::default()
            };
            let keys_values = Some(case.keys_values() * gain);
            let request = Request::new(
                case.layer(),
                case.queries(),
                keys_values,
                CallOptions::default(),
            );
            let request = request.expect("valid");
            check_against_reference(&format!("gain {gain}, seed {seed}"), &request);
        }
    }
}

#[test]
fn every_mask_can_come_too_late() {
    let sizes = Sizes {
        batch: 3,
        ..Case::default().sizes
    };
    for (position, scoring, gain) in [
        (Position::None, Scoring::Dot, 1.0),
        (ALIBI, Scoring::Dot, 200.0),
        (Position::ROTARY, Scoring::Dot, 200.0),
        (ALIBI, Scoring::Additive, 1.0),
    ] {
        let case = Case {
            sizes,
            position,
            scoring,
            gain,
            ..Case::default()
        };
        for mask in masks(&sizes, 5) {
            let call = CallOptions {
                mask,
                mask_after: true,
                temperature: 0.8,
                ..CallOptions::default()
            };
            let what = format!("{position:?} {scoring:?} {:?}", call.mask);
            let trace = check_against_reference(&what, &case.request(call.clone()));
            let open = CallOptions {
                mask: Mask::Full,
                ..call
            };
            let full = check_against_reference(&what, &case.request(open));
            let (late, full) = (
                trace.weights.expect("wanted"),
                full.weights.expect("wanted"),
            );
            let kept = late.iter().zip(&full);
            assert!(
                kept.into_iter()
                    .all(|(late, full)| *late == 0.0 || late == full),
                "{what}: what is seen keeps its weight"
            );
        }
    }
}
