//! The kernel that makes context without storing scores, which cards use where only context or output is wanted.

use std::sync::Arc;

use crate::common::cases::{Case, Numbers};
use crate::common::check::{check_context_and_output, output_alone};
use crate::common::exact::Exact;
use crate::common::gpu::{drive, on_gpu};
use crate::common::masks::masks;
use crate::common::place::Place;
use attention::{
    CallOptions, HeadInputs, LayerOptions, Linformer, Mask, Outputs, Position, Request, Scoring,
    Sizes, Trace,
};
use gpu::{Gpu, Kernel, Tier};
use ndarray::Array3;
use pollster::block_on;

const ALIBI: Position = Position::ALIBI;

/// Results on a device with tiles of at most `bytes`; `None` without a device.
fn computed(bytes: u64, request: &Request) -> Option<Trace<f32>> {
    let request = Arc::new(request.clone());
    on_gpu(move |gpu| {
        let gpu = gpu.clone().with_tier(Tier::Hardware).with_tile_bytes(bytes);
        drive(&gpu, request).expect("fits").trace
    })
}

fn check(what: &str, bytes: u64, request: &Request) {
    let request = output_alone(request);
    if let Some(found) = computed(bytes, &request) {
        let exact = Exact::of(&request);
        check_context_and_output(what, Place::Gpu(Tier::Hardware), &found, &exact);
    }
}

/// More rows, keys and columns than a workgroup takes at a time, and remainders.
const SIZES: Sizes = Sizes {
    batch: 2,
    heads: 6,
    kv_heads: 2,
    n: 83,
    m: 45,
    keys: 45,
    d_model: Some(17),
    d_k: 21,
    d_v: 39,
    d_out: 19,
};

fn case(sizes: Sizes, position: Position) -> Case {
    Case {
        sizes,
        position,
        ..Case::default()
    }
}

#[test]
fn every_mask_in_tiles_of_any_size() {
    let positions = [Position::None, Position::Sinusoidal, Position::ROTARY];
    for (at, mask) in masks(&SIZES, 3).into_iter().enumerate() {
        let request = case(SIZES, positions[at % 3]).request(CallOptions {
            mask,
            temperature: [1.0, 0.4, 3.0][at % 5 % 3],
            ..CallOptions::default()
        });
        // Tiles of 32 rows, of one more than a workgroup makes, and of all.
        for bytes in [33 * 256, 65 * 264, 1 << 20] {
            let what = format!("{bytes} bytes, {:?}", request.call().mask);
            check(&what, bytes, &request);
        }
    }
}

#[test]
fn every_remainder_of_rows_keys_and_columns() {
    for length in [1, 3, 4, 31, 32, 33, 63, 64, 65, 127, 128, 129] {
        let sizes = [
            Sizes { n: length, ..SIZES },
            Sizes {
                m: length,
                keys: length,
                ..SIZES
            },
            Sizes {
                d_k: length,
                ..SIZES
            },
            Sizes {
                d_v: length,
                ..SIZES
            },
            Sizes {
                n: 0,
                d_v: length,
                ..SIZES
            },
            Sizes {
                m: 0,
                keys: 0,
                d_v: length,
                ..SIZES
            },
        ];
        for (mask, sizes) in [Mask::Full, Mask::Causal].into_iter().cycle().zip(sizes) {
            let request = case(sizes, Position::None).request(CallOptions {
                mask,
                ..CallOptions::default()
            });
            check(&format!("{sizes:?}"), 1 << 20, &request);
        }
    }
}

/// The second tile begins at row 65. Its first 64 rows end with row 128, which sees the first of the keys from 128 on.
#[test]
fn a_causal_order_is_kept_in_a_later_tile() {
    let sizes = Sizes {
        n: 130,
        m: 131,
        keys: 131,
        ..SIZES
    };
    let deep = Mask::All(vec![Mask::Causal, Mask::Local { window: 90 }]);
    for mask in [Mask::Causal, deep] {
        let request = case(sizes, Position::None).request(CallOptions {
            mask,
            ..CallOptions::default()
        });
        check("later tile", 65 * 276, &request);
    }
}

#[test]
fn shortened_keys_and_values() {
    let mut numbers = Numbers::new(8);
    let keys = 34;
    let linformer = Some(Linformer {
        e: numbers.matrix(keys, 45) * 0.1,
        f: numbers.matrix(keys, 45),
    });
    let request = case(Sizes { keys, ..SIZES }, Position::ROTARY).request(CallOptions {
        linformer,
        ..CallOptions::default()
    });
    check("Linformer", 1 << 20, &request);
}

/// Sums of weighted values stay within the range that the values have.
#[test]
fn values_at_the_end_of_the_range_are_averaged() {
    let inputs = HeadInputs {
        q: Array3::zeros((1, 5, 2)),
        k: Array3::zeros((1, 70, 2)),
        v: Array3::from_elem((1, 70, 5), 3e38),
        additive: None,
        output: None,
    };
    let want = Outputs {
        context: true,
        ..Outputs::NOTHING
    };
    let call = CallOptions {
        want,
        ..CallOptions::default()
    };
    let request = Request::from_heads(inputs, LayerOptions::default(), call).expect("valid");
    if let Some(found) = computed(1 << 20, &request) {
        let context = found.context.expect("wanted");
        assert!(
            context.iter().all(|x| (x / 3e38 - 1.0).abs() < 1e-5),
            "{context}"
        );
    }
}

/// Whether a device that computes `request` uses the kernel.
fn uses(tier: Tier, request: Request) -> Option<bool> {
    on_gpu(move |_| {
        let gpu = block_on(Gpu::open())
            .expect("another device")
            .with_tier(tier);
        drive(&gpu, Arc::new(request)).expect("fits");
        gpu.has_used(Kernel::FusedAttention)
    })
}

#[test]
fn it_is_used_where_nothing_but_the_sum_is_wanted_and_nothing_else_is_done() {
    let plain = case(SIZES, Position::None);
    let all = |case: &Case, call| case.request(call);
    let alone = |case: &Case, call| output_alone(&case.request(call));
    let call = CallOptions::default();
    let causal = CallOptions {
        mask: Mask::Causal,
        ..CallOptions::default()
    };
    let additive = Case {
        scoring: Scoring::Additive,
        ..plain.clone()
    };
    let requests = [
        (true, Tier::Hardware, alone(&plain, causal.clone())),
        (false, Tier::Software, alone(&plain, causal.clone())),
        (false, Tier::Hardware, all(&plain, causal.clone())),
        (false, Tier::Hardware, alone(&additive, call.clone())),
        (
            false,
            Tier::Hardware,
            alone(&case(SIZES, ALIBI), call.clone()),
        ),
        (
            false,
            Tier::Hardware,
            alone(&case(Sizes { d_v: 65, ..SIZES }, Position::None), call),
        ),
        (
            false,
            Tier::Hardware,
            alone(
                &plain,
                CallOptions {
                    masked_score: Some(-1.0),
                    ..causal.clone()
                },
            ),
        ),
        (
            false,
            Tier::Hardware,
            alone(
                &plain,
                CallOptions {
                    mask_after: true,
                    ..causal
                },
            ),
        ),
    ];
    for (at, (is_used, tier, request)) in requests.into_iter().enumerate() {
        if let Some(found) = uses(tier, request) {
            assert_eq!(found, is_used, "request {at}");
        }
    }
}
