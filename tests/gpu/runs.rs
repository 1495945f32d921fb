//! Tests of the GPU executor alone: tiles, concurrent runs, cancelled runs, memory, and loss of the
//! device.

use std::sync::Arc;

use crate::common::cases::{Case, Numbers};
use crate::common::check::{check_rows, check_trace};
use crate::common::compare::{assert_close, largest};
use crate::common::exact::Exact;
use crate::common::gpu::{Measures, drive, on_gpu, on_own_gpu};
use crate::common::masks::masks;
use crate::common::place::Place;
use attention::{
    CallOptions, Code, HeadInputs, LayerOptions, Mask, Outputs, Position, Request, Scoring, Sizes,
    reference,
};
use gpu::{Gpu, GpuError, Run, Tier};
use ndarray::{Array3, Array4};
use pollster::block_on;

const ALIBI: Position = Position::ALIBI;
const TIERS: [Tier; 2] = [Tier::Software, Tier::Hardware];

fn check(what: &str, tier: Tier, request: &Request, computed: &crate::common::place::Computed) {
    check_trace(what, Place::Gpu(tier), &computed.trace, &Exact::of(request));
    check_rows(
        what,
        request,
        computed.trace.weights.as_ref().expect("wanted"),
    );
}

fn cases() -> Vec<Request> {
    let sizes = Sizes {
        batch: 3,
        n: 67,
        m: 45,
        keys: 45,
        ..Case::default().sizes
    };
    let large = |gain| Case {
        sizes,
        gain,
        ..Case::default()
    };
    let additive = Case {
        scoring: Scoring::Additive,
        ..large(1.0)
    };
    let kinds = masks(&sizes, 3).into_iter().enumerate().map(|(at, mask)| {
        let case = Case {
            position: [Position::None, ALIBI, Position::ROTARY][at / 3 % 3],
            ..[large(1.0), large(200.0), additive.clone()][at % 3].clone()
        };
        let masked_score = (at % 4 == 3).then_some(-1e9);
        case.request(CallOptions {
            mask,
            masked_score,
            mask_after: at % 4 == 1,
            temperature: [1.0, 0.02, 3.0][at % 5 % 3],
            ..CallOptions::default()
        })
    });
    kinds.collect()
}

#[test]
fn tiles_of_any_size_give_the_same() {
    // A single row to a tile takes a thousand tiles, so only some of the masks are tried with it.
    for (bytes, every) in [(1, 8), (700, 4), (9_000, 1), (40_000, 1), (300_000, 1)] {
        for (tier, request) in TIERS
            .into_iter()
            .cycle()
            .zip(cases().into_iter().step_by(every))
        {
            let what = format!("{bytes} bytes, {tier:?}, {:?}", request.call().mask);
            let shared = Arc::new(request.clone());
            let computed = on_gpu(move |gpu| {
                drive(&gpu.clone().with_tier(tier).with_tile_bytes(bytes), shared)
            });
            let Some(computed) = computed else { return };
            check(&what, tier, &request, &computed.expect("fits"));
        }
    }
}

/// Where nobody looks at the scores themselves, those that a causal order hides need not be made.
#[test]
fn what_a_causal_order_hides_is_skipped_without_harm_in_every_tile() {
    let wants = [
        Outputs {
            weights: true,
            ..Outputs::NOTHING
        },
        Outputs {
            context: true,
            output: true,
            ..Outputs::NOTHING
        },
    ];
    let deep = Mask::All(vec![Mask::Local { window: 40 }, Mask::Causal]);
    for (gain, mask, position, scoring) in [
        (1.0, Mask::Causal, Position::None, Scoring::Dot),
        (200.0, Mask::Causal, Position::None, Scoring::Dot),
        (1.0, deep, ALIBI, Scoring::Dot),
        (200.0, Mask::Causal, ALIBI, Scoring::Additive),
        (200.0, Mask::Causal, Position::ROTARY, Scoring::Dot),
    ] {
        for (tier, want) in TIERS
            .iter()
            .flat_map(|tier| wants.map(|want| (*tier, want)))
        {
            let sizes = Sizes {
                batch: 2,
                n: 131,
                m: 139,
                keys: 139,
                ..Case::default().sizes
            };
            let case = Case {
                sizes,
                gain,
                position,
                scoring,
                ..Case::default()
            };
            let call = CallOptions {
                mask: mask.clone(),
                want,
                ..CallOptions::default()
            };
            let request = Arc::new(case.request(call));
            let exact = reference::compute(&request);
            for bytes in [17 * 139 * 4, 1 << 20] {
                let given = request.clone();
                let found = on_gpu(move |gpu| {
                    let gpu = gpu.clone().with_tier(tier).with_tile_bytes(bytes);
                    drive(&gpu, given).expect("fits").trace
                });
                let Some(found) = found else { return };
                let what = format!("{tier:?}, {bytes} bytes, gain {gain}, {mask:?}");
                let place = Place::Gpu(tier);
                if let (Some(weights), Some(wanted)) = (found.weights, &exact.weights) {
                    assert_close(&what, &weights, wanted, place.weights());
                }
                if let (Some(output), Some(wanted)) = (found.output, &exact.output) {
                    assert_close(&what, &output, wanted, place.output() * largest(wanted));
                }
            }
        }
    }
}

#[test]
fn runs_side_by_side_do_not_mix() {
    for tier in TIERS {
        let requests: Vec<_> = cases().into_iter().step_by(3).map(Arc::new).collect();
        let given = requests.clone();
        let Some(found) = on_gpu(move |gpu| {
            side_by_side(&gpu.clone().with_tier(tier).with_tile_bytes(8_000), given)
        }) else {
            return;
        };
        for (request, computed) in requests.iter().zip(found) {
            check(&format!("{tier:?}"), tier, request, &computed);
        }
    }
}

/// Each run gets a turn until all are done.
fn side_by_side(gpu: &Gpu, requests: Vec<Arc<Request>>) -> Vec<crate::common::place::Computed> {
    let start = |request: Arc<Request>| {
        (
            Measures::new(&request),
            Run::new(gpu, request).expect("fits"),
            true,
        )
    };
    let mut runs: Vec<_> = requests.into_iter().map(start).collect();
    while runs.iter().any(|(.., goes_on)| *goes_on) {
        for (measures, run, goes_on) in runs.iter_mut().filter(|(.., goes_on)| *goes_on) {
            *goes_on = measures.advance(run).expect("the device is there");
        }
    }
    runs.into_iter()
        .map(|(measures, run, _)| measures.finish(run))
        .collect()
}

#[test]
fn a_run_given_up_anywhere_leaves_nothing_behind() {
    let request = Arc::new(cases().swap_remove(1));
    let given = request.clone();
    let found = on_own_gpu(move |gpu| {
        let gpu = gpu.with_tile_bytes(8_000);
        let mut allocated = (0..36).map(|turns| {
            give_up_after(turns % 12, &gpu, given.clone());
            gpu.allocated_buffers().expect("Vulkan tells")
        });
        // The first twelve fill the pool.
        let most = allocated.by_ref().take(12).max();
        let later = allocated.max();
        assert!(later <= most, "{later:?} buffers, {most:?} at first");
        drive(&gpu, given)
    });
    if let Some(computed) = found {
        check(
            "after others were given up",
            Tier::Software,
            &request,
            &computed.expect("fits"),
        );
    }
}

fn give_up_after(turns: usize, gpu: &Gpu, request: Arc<Request>) {
    let mut measures = Measures::new(&request);
    let mut run = Run::new(gpu, request).expect("fits");
    for _ in 0..turns {
        if !measures.advance(&mut run).expect("the device is there") {
            return;
        }
    }
}

#[test]
fn weights_of_a_layer_that_is_gone_are_never_taken_for_those_of_another() {
    for seed in 0..40 {
        let case = Case {
            seed,
            ..Case::default()
        };
        let request = case.request(CallOptions::default());
        for tier in TIERS {
            let shared = Arc::new(request.clone());
            let Some(computed) = on_gpu(move |gpu| drive(&gpu.clone().with_tier(tier), shared))
            else {
                return;
            };
            check(
                &format!("seed {seed}"),
                tier,
                &request,
                &computed.expect("fits"),
            );
        }
    }
}

#[test]
fn only_what_is_wanted_comes_back() {
    let request = |want| {
        Case::default().request(CallOptions {
            mask: Mask::Causal,
            want,
            ..CallOptions::default()
        })
    };
    let wants = [
        Outputs::NOTHING,
        Outputs {
            q: true,
            ..Outputs::NOTHING
        },
        Outputs {
            v: true,
            ..Outputs::NOTHING
        },
        Outputs {
            scores: true,
            ..Outputs::NOTHING
        },
        Outputs {
            weights: true,
            ..Outputs::NOTHING
        },
        Outputs {
            context: true,
            ..Outputs::NOTHING
        },
        Outputs {
            stats: true,
            output: true,
            ..Outputs::NOTHING
        },
    ];
    for (want, tier) in wants.into_iter().zip(TIERS.into_iter().cycle()) {
        if Place::all().len() == 1 {
            return;
        }
        let found = Place::Gpu(tier).compute(&request(want));
        let all = Place::Gpu(tier).compute(&request(Outputs::ALL));
        let (found, all) = (found.trace, all.trace);
        let kept = |is_wanted: bool, tensor| if is_wanted { tensor } else { None };
        assert_eq!(found.q, kept(want.q, all.q), "{want:?}");
        assert_eq!(found.v, kept(want.v, all.v), "{want:?}");
        assert_eq!(found.scores, kept(want.scores, all.scores), "{want:?}");
        assert_eq!(found.weights, kept(want.weights, all.weights), "{want:?}");
        check_alone(tier, found.context, kept(want.context, all.context));
        assert_eq!(found.output.is_some(), want.output, "{want:?}");
    }
}

/// A context that is wanted alone comes from another kernel on a card.
fn check_alone(tier: Tier, found: Option<Array4<f32>>, wanted: Option<Array4<f32>>) {
    let (Some(found), Some(wanted)) = (&found, &wanted) else {
        return assert_eq!(found, wanted);
    };
    let allowed = Place::Gpu(tier).alike() * largest(&wanted.mapv(f64::from));
    assert_close("context alone", found, &wanted.mapv(f64::from), allowed);
}

#[test]
fn a_lost_device_says_so_at_every_point_and_another_can_be_opened() {
    let request = Arc::new(cases().swap_remove(2));
    let lost = on_gpu(move |_| {
        for turns in 0..6 {
            let gpu = block_on(Gpu::open())
                .expect("another device")
                .with_tile_bytes(8_000);
            let mut measures = Measures::new(&request);
            let mut run = Run::new(&gpu, request.clone()).expect("fits");
            for _ in 0..turns {
                let goes_on = measures.advance(&mut run).expect("still there");
                assert!(goes_on, "not over yet");
            }
            assert_eq!(gpu.lost(), None);
            gpu.destroy();
            let fault = measures.advance(&mut run).expect_err("the device is gone");
            assert!(
                matches!(fault, GpuError::Lost(_)),
                "after {turns} turns: {fault:?}"
            );
            assert!(!block_on(gpu.until_lost()).is_empty());
            assert!(gpu.lost().is_some());
            let again = Run::new(&gpu, request.clone()).map(|mut run| measures.advance(&mut run));
            assert!(
                matches!(again, Err(GpuError::Lost(_)) | Ok(Err(GpuError::Lost(_)))),
                "after {turns} turns"
            );
        }
    });
    assert!(lost.is_some() || Place::all().len() == 1);
}

/// 2²⁵ numbers and a few, padded: more than the 128 MiB of a binding that devices have to offer.
#[test]
fn what_no_binding_holds_is_computed_or_named_never_wrong() {
    let rows = (1 << 23) + 3;
    let inputs = HeadInputs {
        q: Array3::from_shape_fn((1, rows, 1), |(_, i, _)| (i % 7) as f32),
        k: Array3::ones((1, 2, 1)),
        v: Numbers::new(2).rows(1, 2, 1),
        additive: None,
        output: None,
    };
    let call = CallOptions {
        want: Outputs {
            weights: true,
            ..Outputs::NOTHING
        },
        ..CallOptions::default()
    };
    let request = Request::from_heads(inputs, LayerOptions::default(), call).expect("valid");
    match on_gpu(move |gpu| drive(gpu, Arc::new(request))) {
        None => {}
        Some(Err(fault)) => assert!(matches!(fault, GpuError::TooLarge(_)), "{fault}"),
        Some(Ok(computed)) => {
            let weights = computed.trace.weights.expect("wanted");
            assert!(weights.iter().all(|weight| (weight - 0.5).abs() < 1e-5));
        }
    }
}

/// A matrix of this many rows and columns is more than the gibibyte that devices allow in one piece; none is needed without Linformer.
#[test]
fn keys_are_counted_and_not_their_square() {
    let keys = (1 << 14) + 3;
    let inputs = HeadInputs {
        q: Array3::ones((1, 1, 1)),
        k: Numbers::new(3).rows(1, keys, 1),
        v: Numbers::new(4).rows(1, keys, 1),
        additive: None,
        output: None,
    };
    let call = CallOptions {
        want: Outputs::ALL,
        ..CallOptions::default()
    };
    let request = Request::from_heads(inputs, LayerOptions::default(), call).expect("valid");
    for tier in TIERS {
        let own = request.clone();
        let computed = on_gpu(move |gpu| drive(&gpu.clone().with_tier(tier), Arc::new(own)));
        if let Some(computed) = computed {
            check("many keys", tier, &request, &computed.expect("it fits"));
        }
    }
}

#[test]
fn results_beyond_memory_are_refused_as_on_the_processor() {
    let inputs = HeadInputs {
        q: Array3::zeros((1, 1 << 24, 1)),
        k: Array3::zeros((1, 1 << 24, 1)),
        v: Array3::zeros((1, 1 << 24, 1)),
        additive: None,
        output: None,
    };
    let request = Request::from_heads(inputs, LayerOptions::default(), CallOptions::default())
        .expect("valid");
    match on_gpu(move |gpu| drive(gpu, Arc::new(request)).err()) {
        None => {}
        Some(Some(GpuError::Refused(error))) => assert_eq!(error.code, Code::TooLarge),
        Some(Some(GpuError::TooLarge(_))) => {}
        Some(other) => panic!("{other:?}"),
    }
}
