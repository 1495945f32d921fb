//! Counts of a run's submissions, and the handling of their results.

use std::sync::Arc;

use crate::common::cases::{Case, Numbers};
use crate::common::compare::assert_close;
use crate::common::exact::Exact;
use crate::common::gpu::{drive, on_gpu, on_own_gpu};
use crate::common::place::Place;
use attention::analysis::MeasuredRow;
use attention::{CallOptions, HeadInputs, LayerOptions, Mask, Outputs, Request, Scoring, Sizes};
use gpu::{Counts, Destinations, Gpu, GpuError, Run, Tier};
use ndarray::{Array3, s};
use pollster::block_on;

const TIERS: [Tier; 2] = [Tier::Software, Tier::Hardware];

/// Counts of the work that `act` submits to the device.
fn counted<R>(gpu: &Gpu, act: impl FnOnce() -> R) -> (Counts, R) {
    let before = gpu.counts();
    let result = act();
    let after = gpu.counts();
    let counts = Counts {
        submissions: after.submissions - before.submissions,
        passes: after.passes - before.passes,
        bind_groups: after.bind_groups - before.bind_groups,
        dispatches: after.dispatches - before.dispatches,
        workgroups: after.workgroups - before.workgroups,
        copies: after.copies - before.copies,
        bytes_read: after.bytes_read - before.bytes_read,
        maps: after.maps - before.maps,
    };
    (counts, result)
}

/// Of `n` queries and `keys` keys, with scores that are not large.
fn quiet(n: usize, keys: usize) -> Case {
    Case {
        sizes: Sizes {
            n,
            m: keys,
            keys,
            ..Case::default().sizes
        },
        gain: 0.1,
        ..Case::default()
    }
}

#[test]
fn a_run_of_one_tile_is_one_submission() {
    let wants = [
        Outputs::ALL,
        Outputs {
            q: true,
            ..Outputs::NOTHING
        },
    ];
    for (tier, want) in TIERS.into_iter().zip(wants) {
        let request = Arc::new(Case::default().request(CallOptions {
            mask: Mask::Causal,
            want,
            ..CallOptions::default()
        }));
        let found = on_gpu(move |gpu| {
            let gpu = gpu.clone().with_tier(tier);
            let (counts, computed) = counted(&gpu, || drive(&gpu, request));
            computed.expect("fits");
            counts.submissions
        });
        if let Some(found) = found {
            assert_eq!(found, 1, "{tier:?}");
        }
    }
}

#[test]
fn dispatches_share_a_pass_and_runs_alike_share_bind_groups() {
    let output = Outputs {
        output: true,
        ..Outputs::NOTHING
    };
    // Where scores turn out large, everything is made once more.
    let cases = [
        (output, 1.0, 1),
        (Outputs::ALL, 1.0, 1),
        (output, 200.0, 2),
        (Outputs::ALL, 200.0, 2),
    ];
    for (want, gain, passes) in cases {
        let case = Case {
            gain,
            ..Case::default()
        };
        for tier in TIERS {
            let request = Arc::new(case.request(CallOptions {
                mask: Mask::Local { window: 3 },
                want,
                ..CallOptions::default()
            }));
            let found = on_own_gpu(move |gpu| {
                let gpu = gpu.with_tier(tier);
                let run = || {
                    let request = request.clone();
                    let (counts, computed) = counted(&gpu, || drive(&gpu, request));
                    computed.expect("fits");
                    counts
                };
                // The pool hands its buffers out in another order at first.
                (0..20).map(|_| run()).reduce(|_, latest| latest)
            });
            if let Some(found) = found.flatten() {
                assert_eq!((found.passes, found.bind_groups), (passes, 0), "{tier:?}");
            }
        }
    }
}

/// `[n, keys]` that is causal comes without the vectors of four beyond the diagonal; measures come without weights, and one head's scores
/// without those of the others. Everything takes one copy for each result, and one buffer is mapped.
#[test]
fn what_comes_back_is_what_was_asked_for() {
    let case = quiet(19, 19);
    let sizes = case.sizes;
    let slices = (sizes.batch * sizes.heads) as u64;
    let vectors = |width: usize| width.div_ceil(4) as u64;
    let n = sizes.n as u64;
    let [whole, causal] = [n * vectors(19), (0..n).map(|row| row / 4 + 1).sum()];
    // The longest query and key; of scores and weights a number beyond the range.
    let [longest, beyond] = [8, 8];
    let wanted = |weights, scores, stats| Outputs {
        weights,
        scores,
        stats,
        ..Outputs::NOTHING
    };
    let cases = [
        (
            wanted(true, false, false),
            None,
            4,
            beyond + 16 * slices * causal,
        ),
        (wanted(false, false, true), None, 3, slices * n * 112),
        (
            wanted(false, true, false),
            None,
            4,
            beyond + 16 * slices * whole,
        ),
        (wanted(false, true, false), Some(1), 4, beyond + 16 * whole),
    ];
    for (tier, (want, scores_of, copies, bytes)) in TIERS
        .into_iter()
        .flat_map(|tier| cases.map(|case| (tier, case)))
    {
        let request = Arc::new(case.request(CallOptions {
            mask: Mask::Causal,
            want,
            ..CallOptions::default()
        }));
        let found = on_gpu(move |gpu| {
            let gpu = gpu.clone().with_tier(tier);
            let (counts, scores) = counted(&gpu, || {
                let destinations = Destinations {
                    scores_of,
                    ..Destinations::default()
                };
                let run = Run::with_destinations(&gpu, request, destinations);
                let mut run = run.expect("fits");
                while block_on(run.advance(&mut |_| {})).expect("the device is there") {}
                run.finish().scores
            });
            (counts, scores.map(|scores| scores.dim()))
        });
        let Some((counts, scores)) = found else {
            return;
        };
        let heads = if scores_of.is_some() {
            (1, 1)
        } else {
            (sizes.batch, sizes.heads)
        };
        assert_eq!(
            (counts.maps, counts.copies, counts.bytes_read),
            (1, copies, longest + bytes),
            "{tier:?}, {want:?}"
        );
        assert_eq!(scores, want.scores.then_some((heads.0, heads.1, 19, 19)));
    }
}

/// Of the weights come the vectors of four that hold a key which the mask shows, whatever the rule; where it hides nothing or only part of the
/// score, all do.
#[test]
fn weights_come_back_without_what_a_mask_hides() {
    let case = quiet(19, 23);
    let sizes = case.sizes;
    let slices = (sizes.batch * sizes.heads) as u64;
    let touched = |seen: &dyn Fn(u64) -> [u64; 2]| -> u64 {
        let vectors = |[from, to]: [u64; 2]| {
            if from < to {
                to.div_ceil(4) - from / 4
            } else {
                0
            }
        };
        (0..19).map(|row| vectors(seen(row))).sum()
    };
    let strided = Mask::Strided {
        stride: 2.try_into().expect("not 0"),
    };
    let window = |row: u64| [row.saturating_sub(2), (row + 3).min(23)];
    let rules = [
        (Mask::Local { window: 2 }, touched(&window)),
        (Mask::Padding { valid: 9 }, 19 * 3),
        (Mask::LeftPadding { padded: 9 }, 19 * 4),
        (Mask::PaddedQueries { valid: 7 }, 7 * 6),
        (
            Mask::Prefix { length: 10 },
            touched(&|row| [0, (row + 1).max(10)]),
        ),
        (
            Mask::All(vec![Mask::Causal, Mask::LeftPadding { padded: 5 }]),
            touched(&|row| [5, row + 1]),
        ),
        (strided.clone(), 19 * 6),
        (
            Mask::All(vec![Mask::Causal, strided]),
            touched(&|row| [0, row + 1]),
        ),
    ];
    let calls = rules.into_iter().flat_map(|(mask, vectors)| {
        let of = |mask_after, masked_score| CallOptions {
            mask: mask.clone(),
            mask_after,
            masked_score,
            want: Outputs {
                weights: true,
                ..Outputs::NOTHING
            },
            ..CallOptions::default()
        };
        [
            (of(false, None), vectors),
            (of(true, None), vectors),
            (of(false, Some(-3.0)), 19 * 6),
        ]
    });
    for (call, vectors) in calls {
        for tier in TIERS {
            let request = Arc::new(case.request(call.clone()));
            let found = on_gpu(move |gpu| {
                let gpu = gpu.clone().with_tier(tier);
                let (counts, computed) = counted(&gpu, || drive(&gpu, request.clone()));
                (
                    counts.bytes_read,
                    computed.expect("fits"),
                    Exact::of(&request),
                )
            });
            let Some((bytes, computed, exact)) = found else {
                return;
            };
            let what = format!("{call:?}");
            let [longest, beyond] = [8, 8];
            assert_eq!(bytes, longest + beyond + 16 * slices * vectors, "{what}");
            let weights = (computed.trace.weights, exact.trace.weights);
            let (weights, wanted) = (weights.0.expect("wanted"), weights.1.expect("kept"));
            assert_close(&what, &weights, &wanted, Place::Gpu(tier).weights());
        }
    }
}

#[test]
fn short_rows_come_back_in_one_piece() {
    for (n, vectors) in [
        (64, 64 * 16),
        (68, (0..68).map(|row| row / 4 + 1).sum::<u64>()),
    ] {
        let case = quiet(n, n);
        let sizes = case.sizes;
        let request = Arc::new(case.request(CallOptions {
            mask: Mask::Causal,
            want: Outputs {
                weights: true,
                ..Outputs::NOTHING
            },
            ..CallOptions::default()
        }));
        let found = on_gpu(move |gpu| {
            let (counts, computed) = counted(gpu, || drive(gpu, request));
            computed.expect("fits");
            counts.bytes_read
        });
        let slices = (sizes.batch * sizes.heads) as u64;
        let Some(bytes) = found else { return };
        let [longest, beyond] = [8, 8];
        assert_eq!(bytes, longest + beyond + 16 * slices * vectors, "{n}");
    }
}

/// The first tile is on its way before it is known that rows of it had to be made in twice the precision. Which they are takes a
/// submission of its own, and where there are none, because only a key that nobody sees is long, what was made counts.
#[test]
fn scores_that_turn_out_large_are_made_once_more_and_their_rows_come_once() {
    let hidden = Mask::Padding { valid: 12 };
    let cases = [
        (Scoring::Dot, 200.0, Mask::Full, 3),
        (Scoring::Additive, 1e4, Mask::Full, 3),
        (Scoring::Dot, 1.0, hidden.clone(), 2),
        (Scoring::Additive, 1.0, hidden, 2),
    ];
    for (scoring, gain, mask, submissions) in cases {
        let case = Case {
            scoring,
            gain,
            ..Case::default()
        };
        let mut rows = case.keys_values();
        let mut last = rows.slice_mut(s![.., 12.., ..]);
        last.mapv_inplace(|x| 1000.0 * x);
        let call = CallOptions {
            mask,
            ..CallOptions::default()
        };
        let request = Request::new(case.layer(), case.queries(), Some(rows), call).expect("valid");
        let rows = case.sizes.heads * case.sizes.n;
        for tier in TIERS {
            let request = Arc::new(request.clone());
            let found = on_gpu(move |gpu| {
                let gpu = gpu.clone().with_tier(tier);
                let mut rows = 0;
                let (counts, ()) = counted(&gpu, || {
                    let mut run = Run::new(&gpu, request).expect("fits");
                    let mut take = |_: &MeasuredRow| rows += 1;
                    while block_on(run.advance(&mut take)).expect("the device is there") {}
                });
                (counts.submissions, rows)
            });
            if let Some(found) = found {
                assert_eq!(found, (submissions, rows), "{tier:?}");
            }
        }
    }
}

/// Lengths of 10²⁰ have squares beyond the range, whatever becomes of the scores.
#[test]
fn queries_and_keys_beyond_the_range_are_refused_before_any_row_comes() {
    for (field, q, k) in [("q", 1e20, 1.0), ("k", 1.0, 1e20)] {
        let inputs = HeadInputs {
            q: Array3::from_elem((1, 3, 2), q),
            k: Array3::from_elem((1, 5, 2), k),
            v: Numbers::new(1).rows(1, 5, 3),
            additive: None,
            output: None,
        };
        let options = LayerOptions {
            scale: Some(1e-30),
            ..LayerOptions::default()
        };
        let request = Request::from_heads(inputs, options, CallOptions::default()).expect("valid");
        for tier in TIERS {
            let request = Arc::new(request.clone());
            let found = on_gpu(move |gpu| {
                let mut rows = 0;
                let mut run = Run::new(&gpu.clone().with_tier(tier), request).expect("fits");
                (block_on(run.advance(&mut |_| rows += 1)), rows)
            });
            match found {
                None => {}
                Some((Err(GpuError::Refused(error)), 0)) => assert_eq!(error.field, field),
                Some(other) => panic!("{tier:?}, {field}: {other:?}"),
            }
        }
    }
}

/// Two heads of 20 rows with 16 keys in tiles of 5 rows: the next one is on its way before one is waited for, and no more.
#[test]
fn while_one_tile_is_waited_for_the_next_is_on_its_way_and_the_budget_counts_both() {
    let sizes = Sizes {
        heads: 2,
        kv_heads: 1,
        n: 20,
        m: 16,
        keys: 16,
        ..Case::default().sizes
    };
    let case = Case {
        sizes,
        gain: 0.1,
        ..Case::default()
    };
    let request = case.request(CallOptions::default());
    for tier in TIERS {
        let request = Arc::new(request.clone());
        let came = on_gpu(move |gpu| {
            let gpu = gpu.clone().with_tier(tier).with_tile_bytes(2 * 5 * 64);
            let before = gpu.counts().submissions;
            let mut run = Run::new(&gpu, request).expect("fits");
            // For each tile that comes, the submissions that have been made by then, and its rows.
            let mut came = Vec::new();
            let mut goes_on = true;
            while goes_on {
                let mut rows = 0;
                let advanced = block_on(run.advance(&mut |_| rows += 1));
                goes_on = advanced.expect("the device is there");
                came.push((gpu.counts().submissions - before, rows));
            }
            came
        });
        let wanted: Vec<_> = (1..=8).map(|tile| (8.min(tile + 1), 5)).collect();
        if let Some(came) = came {
            assert_eq!(came, wanted, "{tier:?}");
        }
    }
}
