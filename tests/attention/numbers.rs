//! Numbers that are hard to get right, everywhere, against the 64-bit reference.

use crate::common::cases::{Case, Numbers};
use crate::common::check::check_against_reference;
use crate::common::compare::{assert_close, largest};
use crate::common::masks::masks;
use crate::common::place::Place;
use attention::{
    CallOptions, HeadInputs, LayerOptions, Mask, Position, Request, Scoring, Sizes, Slopes,
};
use ndarray::{Array3, Array4, s};

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
                let call = CallOptions {
                    mask: mask.clone(),
                    masked_score,
                    ..CallOptions::default()
                };
                check_against_reference(&what, &case.request(call));
            }
        }
    }
}

#[test]
fn enormous_scores_stay_finite_and_exact() {
    for gain in [1e4, -1e4, 1e7, 1e12] {
        let case = Case {
            gain,
            biases: false,
            ..Case::default()
        };
        let trace = check_against_reference(
            &format!("gain {gain}"),
            &case.request(CallOptions::default()),
        );
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
                let call = CallOptions {
                    mask: mask.clone(),
                    ..CallOptions::default()
                };
                check_against_reference(&format!("gain {gain}, {mask:?}"), &case.request(call));
            }
        }
    }
}

#[test]
fn rows_with_nothing_visible_are_zero_and_counted_or_uniform() {
    let case = Case::default();
    let left_out = CallOptions {
        mask: Mask::Padding { valid: 0 },
        ..CallOptions::default()
    };
    let overwritten = CallOptions {
        masked_score: Some(-1e9),
        ..left_out.clone()
    };
    let uniform = Array4::from_elem((1, 6, 11, 13), 1.0 / 13.0);
    for place in Place::all() {
        let trace = place.compute(&case.request(left_out.clone())).trace;
        let weights = trace.weights.expect("wanted");
        assert_eq!(largest(&weights), f64::MIN_POSITIVE, "{place:?}");
        assert_eq!(trace.empty_rows, 11);
        let trace = place.compute(&case.request(overwritten.clone())).trace;
        let weights = trace.weights.expect("wanted");
        assert_close(&format!("{place:?}"), &weights, &uniform, 1e-6);
        assert_eq!(trace.empty_rows, 0);
    }
}

#[test]
fn the_number_written_over_hidden_scores_may_be_any() {
    let sizes = Sizes {
        batch: 3,
        ..Case::default().sizes
    };
    let case = Case {
        sizes,
        gain: 5.0,
        ..Case::default()
    };
    let large = Case {
        gain: 1e4,
        ..case.clone()
    };
    for masked_score in [-1e9, f32::MIN, -10.0, 0.0, 7.0, 1e9, f32::MAX] {
        for (mask, case) in masks(&sizes, 9)
            .into_iter()
            .step_by(3)
            .zip([&case, &large].into_iter().cycle())
        {
            let what = format!("{masked_score} over {mask:?}, gain {}", case.gain);
            let call = CallOptions {
                mask,
                masked_score: Some(masked_score),
                ..CallOptions::default()
            };
            check_against_reference(&what, &case.request(call));
        }
    }
}

/// One row repeated, times `size`, plus a little that differs from place to place.
fn nearly_alike(
    seed: u64,
    (batch, rows, width): (usize, usize, usize),
    size: f32,
    little: f32,
) -> Array3<f32> {
    let mut numbers = Numbers::new(seed);
    let row = numbers.vector(width) * size;
    numbers.rows(batch, rows, width) * little + row
}

#[test]
fn scores_of_ten_thousand_that_differ_by_one_keep_their_weights() {
    for (size, little) in [(100.0, 0.02), (300.0, 0.005), (1000.0, 0.002)] {
        let given = |seed, shape| nearly_alike(seed, shape, size, little);
        let inputs = HeadInputs {
            q: given(3, (6, 67, 33)),
            k: given(3, (2, 71, 33)),
            v: Numbers::new(4).rows(2, 71, 7),
            additive: None,
            output: None,
        };
        let options = LayerOptions {
            heads: 6,
            kv_heads: Some(2),
            ..LayerOptions::default()
        };
        for mask in [Mask::Full, Mask::Causal] {
            let call = CallOptions {
                mask,
                ..CallOptions::default()
            };
            let request = Request::from_heads(inputs.clone(), options, call).expect("valid");
            let trace = check_against_reference(&format!("{size} ± {little}"), &request);
            let least = trace
                .scores
                .expect("wanted")
                .fold(f32::MAX, |a, b| a.min(*b));
            assert!(least > 5e3, "the scores are large: {least}");
        }
    }
}

/// Large scores may come from any column.
#[test]
fn large_scores_from_the_last_column_alone_keep_their_weights() {
    let last = |seed, shape| {
        let mut rows = nearly_alike(seed, shape, 300.0, 0.01);
        rows.slice_mut(s![.., .., ..shape.2 - 1]).fill(0.0);
        rows
    };
    for width in [5, 9, 16, 33] {
        let inputs = HeadInputs {
            q: last(3, (2, 17, width)),
            k: last(3, (2, 19, width)),
            v: Numbers::new(4).rows(2, 19, 3),
            additive: None,
            output: None,
        };
        let options = LayerOptions {
            heads: 2,
            scale: Some(1.0),
            ..LayerOptions::default()
        };
        let request = Request::from_heads(inputs, options, CallOptions::default()).expect("valid");
        check_against_reference(&format!("d_k {width}"), &request);
    }
}

#[test]
fn inputs_that_nearly_agree_keep_their_weights_through_the_projections() {
    for (size, little, position) in [
        (30.0, 0.03, Position::None),
        (100.0, 0.01, Position::Sinusoidal),
        (300.0, 0.003, Position::None),
    ] {
        let case = Case {
            position,
            ..Case::default()
        };
        let rows = |seed, rows| nearly_alike(seed, (3, rows, 17), size, little);
        for (keys_values, mask) in [
            (None, Mask::Full),
            (Some(rows(6, 13)), Mask::Local { window: 4 }),
        ] {
            let call = CallOptions {
                mask,
                ..CallOptions::default()
            };
            let request =
                Request::new(case.layer(), rows(5, 11), keys_values, call).expect("valid");
            check_against_reference(&format!("{size} ± {little}, {position:?}"), &request);
        }
    }
}

/// Whatever is added to a score or divides it, scores of ten thousand keep their weights.
#[test]
fn every_option_keeps_the_weights_of_large_scores() {
    let alibi = Position::ALIBI;
    let given = |size: f32, position| {
        let rows = |shape| nearly_alike(3, shape, size, 2.0 / size);
        let inputs = HeadInputs {
            q: rows((6, 17, 33)),
            k: rows((2, 71, 33)),
            v: Numbers::new(4).rows(2, 71, 7),
            additive: None,
            output: None,
        };
        let options = LayerOptions {
            heads: 6,
            kv_heads: Some(2),
            position,
            ..LayerOptions::default()
        };
        move |call| Request::from_heads(inputs.clone(), options, call).expect("valid")
    };
    for (position, size) in [
        (Position::ROTARY, 100.0),
        (alibi, 300.0),
        (Position::None, 5.0),
    ] {
        let request = given(size, position);
        for temperature in [1.0, 0.05, 0.001, 40.0] {
            for (mask, mask_after) in [
                (Mask::Full, false),
                (Mask::Causal, false),
                (Mask::Causal, true),
            ] {
                let call = CallOptions {
                    mask,
                    mask_after,
                    temperature,
                    ..CallOptions::default()
                };
                let what = format!("{position:?}, ± {size}, {call:?}");
                check_against_reference(&what, &request(call));
            }
        }
    }
    for gain in [1e4, -1e4] {
        for position in [Position::ROTARY, alibi] {
            let case = Case {
                gain,
                position,
                ..Case::default()
            };
            let trace = check_against_reference("gain", &case.request(CallOptions::default()));
            assert!(largest(&trace.scores.expect("wanted")) > 1e4);
        }
    }
}

/// Scores of about 8 are exact enough in 32 bit, and no longer when they are divided by a thousandth.
#[test]
fn small_scores_that_nearly_tie_keep_their_weights_at_low_temperatures() {
    for (temperature, little) in [(0.001, 0.002), (0.05, 0.1), (0.05, 0.01)] {
        let inputs = HeadInputs {
            q: nearly_alike(3, (6, 17, 33), 2.0, little),
            k: nearly_alike(3, (2, 71, 33), 2.0, little),
            v: Numbers::new(4).rows(2, 71, 7),
            additive: None,
            output: None,
        };
        let options = LayerOptions {
            heads: 6,
            kv_heads: Some(2),
            ..LayerOptions::default()
        };
        let call = CallOptions {
            temperature,
            ..CallOptions::default()
        };
        let request = Request::from_heads(inputs, options, call).expect("valid");
        let what = format!("T = {temperature}, ± {little}");
        let trace = check_against_reference(&what, &request);
        assert!(largest(&trace.scores.expect("wanted")) < 30.0);
    }
}

/// Far from every key ALiBi takes off hundreds, and the keys differ by one slope.
#[test]
fn penalties_of_far_keys_keep_their_differences() {
    for (strength, temperature) in [(1.0, 1.0), (1.0, 0.05), (-3.0, 1.0), (1e6, 1.0)] {
        let case = Case {
            sizes: Sizes {
                n: 1500,
                heads: 3,
                kv_heads: 1,
                ..Case::default().sizes
            },
            position: Position::Alibi {
                strength,
                slopes: Slopes::Paper,
            },
            ..Case::default()
        };
        let call = CallOptions {
            temperature,
            ..CallOptions::default()
        };
        let what = format!("strength {strength}, T = {temperature}");
        check_against_reference(&what, &case.request(call));
    }
}

/// A query that is the difference of larger terms has their error, which a low temperature enlarges.
#[test]
fn short_queries_keep_their_weights_at_low_temperatures() {
    let case = Case {
        sizes: Sizes {
            batch: 2,
            heads: 3,
            kv_heads: 1,
            n: 6,
            m: 3,
            keys: 3,
            d_model: Some(9),
            d_k: 1,
            d_v: 1,
            d_out: 3,
        },
        biases: false,
        output: false,
        seed: 492,
        ..Case::default()
    };
    let call = CallOptions {
        mask: Mask::All(vec![Mask::Causal, Mask::Local { window: 3 }]),
        temperature: 0.001,
        ..CallOptions::default()
    };
    check_against_reference("T = 0.001", &case.request(call));
}

/// A low temperature makes additive scores large, which their bound alone does not.
#[test]
fn additive_scores_keep_their_weights_at_low_temperatures() {
    for (temperature, d_k) in [(0.001, 5), (0.05, 64), (1.0, 200)] {
        let case = Case {
            sizes: Sizes {
                d_k,
                ..Case::default().sizes
            },
            scoring: Scoring::Additive,
            ..Case::default()
        };
        let call = CallOptions {
            temperature,
            ..CallOptions::default()
        };
        check_against_reference(
            &format!("T = {temperature}, d_k {d_k}"),
            &case.request(call),
        );
    }
}

#[test]
fn additive_scores_saturate_without_harm() {
    for gain in [1e-3, 30.0, 300.0, 1e4, 1e7] {
        let case = Case {
            scoring: Scoring::Additive,
            gain,
            ..Case::default()
        };
        let what = format!("additive, gain {gain}");
        check_against_reference(&what, &case.request(CallOptions::default()));
        // Large queries and keys may take each other away, and what is left decides.
        let rows = Some(case.keys_values() * gain);
        let request = Request::new(case.layer(), case.queries(), rows, CallOptions::default());
        check_against_reference(&what, &request.expect("valid"));
    }
}
