//! Tensors that just fit into what a device allows in one piece, and tensors that just do not.

use std::sync::Arc;

use crate::common::cases::{Case, Numbers};
use crate::common::check::check_trace;
use crate::common::exact::Exact;
use crate::common::gpu::{drive, on_gpu};
use crate::common::place::{Computed, Place};
use attention::{CallOptions, Linformer, Request, Sizes};
use gpu::{GpuError, Tier};

const TIERS: [Tier; 2] = [Tier::Software, Tier::Hardware];

fn computed(tier: Tier, largest: u64, request: &Request) -> Option<Result<Computed, GpuError>> {
    let request = Arc::new(request.clone());
    on_gpu(move |gpu| {
        let gpu = gpu.clone().with_tier(tier).with_largest_tensor(largest);
        drive(&gpu, request)
    })
}

fn check(what: &str, tier: Tier, request: &Request, computed: Result<Computed, GpuError>) {
    let trace = computed
        .unwrap_or_else(|fault| panic!("{what}: {fault}"))
        .trace;
    check_trace(what, Place::Gpu(tier), &trace, &Exact::of(request));
}

const SIZES: Sizes = Sizes {
    batch: 1,
    heads: 2,
    kv_heads: 1,
    n: 5,
    m: 7,
    keys: 7,
    d_model: Some(6),
    d_k: 3,
    d_v: 2,
    d_out: 4,
};

fn request(sizes: Sizes) -> Request {
    let mut numbers = Numbers::new(5);
    let linformer = (sizes.keys != sizes.m).then(|| Linformer {
        e: numbers.matrix(sizes.keys, sizes.m),
        f: numbers.matrix(sizes.keys, sizes.m),
    });
    let case = Case {
        sizes,
        gain: 0.1,
        ..Case::default()
    };
    case.request(CallOptions {
        linformer,
        ..CallOptions::default()
    })
}

/// A square of 5,793 or 16,385 numbers a side is beyond 128 MiB or a gibibyte, but there is none among the tensors.
#[test]
fn rows_and_columns_are_counted_and_not_their_square() {
    for (side, largest) in [(5_792, 27), (5_793, 27), (16_384, 30), (16_385, 30)] {
        let (wide, long) = (
            Sizes {
                m: side,
                keys: side,
                ..SIZES
            },
            Sizes { n: side, ..SIZES },
        );
        for (tier, sizes) in TIERS.into_iter().zip([wide, long]) {
            let request = request(sizes);
            if let Some(computed) = computed(tier, 1 << largest, &request) {
                check(&format!("{side}, {tier:?}"), tier, &request, computed);
            }
        }
    }
}

/// The largest tensor of each request, with its vectors of four.
#[test]
fn a_tensor_as_large_as_allowed_is_computed_and_one_vector_more_is_refused_by_its_name() {
    let cases = [
        (
            "queries",
            40 * 13,
            Sizes {
                n: 40,
                d_model: Some(50),
                ..SIZES
            },
        ),
        (
            "keys_values",
            40 * 13,
            Sizes {
                m: 40,
                keys: 40,
                d_model: Some(50),
                ..SIZES
            },
        ),
        (
            "w_q",
            50 * 26,
            Sizes {
                d_model: Some(50),
                d_k: 50,
                ..SIZES
            },
        ),
        (
            "w_o",
            104 * 13,
            Sizes {
                d_v: 50,
                d_out: 50,
                ..SIZES
            },
        ),
        (
            "q",
            80 * 13,
            Sizes {
                n: 40,
                d_k: 50,
                ..SIZES
            },
        ),
        (
            "k",
            40 * 13,
            Sizes {
                m: 40,
                keys: 40,
                d_k: 50,
                ..SIZES
            },
        ),
        (
            "v",
            40 * 13,
            Sizes {
                m: 40,
                keys: 40,
                d_v: 50,
                ..SIZES
            },
        ),
        (
            "linformer",
            20 * 23,
            Sizes {
                m: 90,
                keys: 20,
                ..SIZES
            },
        ),
        (
            "context",
            80 * 13,
            Sizes {
                n: 40,
                d_v: 50,
                ..SIZES
            },
        ),
        (
            "output",
            40 * 13,
            Sizes {
                n: 40,
                d_out: 50,
                ..SIZES
            },
        ),
    ];
    for (name, vectors, sizes) in cases {
        let (request, bytes) = (request(sizes), 16 * vectors);
        for tier in TIERS {
            let Some(fitting) = computed(tier, bytes, &request) else {
                return;
            };
            check(&format!("{name}, {tier:?}"), tier, &request, fitting);
            match computed(tier, bytes - 1, &request) {
                Some(Err(GpuError::TooLarge(words))) => {
                    assert!(
                        words.starts_with(&format!("{name} needs {bytes} bytes")),
                        "{words}"
                    );
                }
                other => panic!("{name}: {:?}", other.map(|found| found.err())),
            }
        }
    }
}
