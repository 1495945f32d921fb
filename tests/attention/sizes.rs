//! Lengths, widths and masks that are hard to get right, everywhere, against the 64-bit reference.

use crate::common::cases::{Case, Numbers, stride};
use crate::common::check::check_against_reference;
use crate::common::masks::masks;
use crate::common::place::Place;
use attention::{CallOptions, Linformer, Mask, Position, Scoring, Sizes};

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
            .request(CallOptions::default()),
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
    for place in Place::all() {
        let output = place
            .compute(&none.request(CallOptions::default()))
            .trace
            .output;
        assert_eq!(output.expect("wanted").shape(), [0, 11, 19]);
    }
}

/// The lengths above and every small width, with every way to know the order, to weigh and to hide.
#[test]
fn every_option_takes_lengths_of_zero_and_one_and_odd_widths() {
    for position in [Position::ROTARY, Position::ALIBI] {
        for (n, m) in [(0, 3), (3, 0), (0, 0), (1, 1), (1, 4), (5, 1)] {
            for d_k in [1, 2, 3, 4, 7] {
                let sizes = Sizes {
                    n,
                    m,
                    keys: m,
                    d_k,
                    heads: 3,
                    kv_heads: 1,
                    ..Case::default().sizes
                };
                let case = Case {
                    sizes,
                    position,
                    ..Case::default()
                };
                let call = CallOptions {
                    mask: Mask::Causal,
                    mask_after: d_k % 2 == 0,
                    temperature: 0.5,
                    ..CallOptions::default()
                };
                let what = format!("{position:?}, {n} × {m}, d_k {d_k}");
                check_against_reference(&what, &case.request(call));
            }
        }
    }
}

#[test]
fn masks_of_any_depth_and_reach_are_understood() {
    let case = Case::default();
    let painted = masks(&case.sizes, 21).swap_remove(11);
    let mut deep = vec![painted.clone()];
    for depth in 0..3 {
        // From the second part on, the answers before it have to wait: the deepest stack that a mask of this depth can need.
        let mut mask = painted.clone();
        for level in 0..[5, 31, 70][depth] {
            let other = Mask::Local { window: level % 9 };
            let parts = vec![other, mask];
            mask = if level % 2 == 0 {
                Mask::Any(parts)
            } else {
                Mask::All(parts)
            };
        }
        deep.push(mask);
    }
    let endless = [
        Mask::Local { window: usize::MAX },
        Mask::Local { window: 1 << 32 },
        Mask::Strided {
            stride: stride(1 << 32),
        },
        Mask::Strided {
            stride: stride(usize::MAX),
        },
        Mask::All(vec![Mask::Causal; 40]),
        Mask::Any(vec![Mask::Causal, Mask::All(vec![])]),
    ];
    for mask in deep.into_iter().chain(endless) {
        let what = format!("{mask:?}").chars().take(200).collect::<String>();
        let call = CallOptions {
            mask,
            ..CallOptions::default()
        };
        check_against_reference(&what, &case.request(call));
    }
}

#[test]
fn widths_and_lengths_that_no_block_divides() {
    let sizes = |heads, kv_heads, n, m, d_k, d_v| Sizes {
        batch: 1,
        heads,
        kv_heads,
        n,
        m,
        keys: m,
        d_model: Some(29),
        d_k,
        d_v,
        d_out: 37,
    };
    let cases = [
        sizes(3, 1, 67, 67, 33, 31),
        sizes(32, 8, 17, 19, 5, 3),
        sizes(32, 32, 9, 21, 3, 1),
        sizes(2, 1, 35, 43, 256, 255),
        sizes(1, 1, 1, 257, 129, 65),
        sizes(4, 2, 131, 1, 1, 130),
        sizes(1, 1, 129, 513, 4, 8),
    ];
    for (at, sizes) in cases.into_iter().enumerate() {
        for (scoring, mask) in [
            (Scoring::Dot, Mask::Causal),
            (Scoring::Additive, Mask::Strided { stride: stride(3) }),
            (Scoring::Dot, Mask::Full),
        ] {
            let batch = 1 + at % 3;
            let case = Case {
                sizes: Sizes { batch, ..sizes },
                scoring,
                seed: at as u64,
                ..Case::default()
            };
            let call = CallOptions {
                mask,
                ..CallOptions::default()
            };
            check_against_reference(&format!("{sizes:?} {scoring:?}"), &case.request(call));
        }
    }
}

#[test]
fn every_width_up_to_two_blocks() {
    for width in 1..=17 {
        let sizes = Sizes {
            heads: 2,
            kv_heads: 1,
            n: width,
            m: 18 - width,
            keys: 18 - width,
            d_model: Some(width),
            d_k: width,
            d_v: 18 - width,
            d_out: width,
            batch: 2,
        };
        let case = Case {
            sizes,
            ..Case::default()
        };
        check_against_reference(&format!("{sizes:?}"), &case.request(CallOptions::default()));
    }
}

#[test]
fn linformer_shortens_batches_and_shared_heads() {
    for keys in [1, 4, 9, 23] {
        let case = Case {
            sizes: Sizes {
                batch: 3,
                n: 21,
                m: 19,
                keys,
                ..Case::default().sizes
            },
            ..Case::default()
        };
        let mut numbers = Numbers::new(14);
        let linformer = Some(Linformer {
            e: numbers.matrix(keys, 19),
            f: numbers.matrix(keys, 19),
        });
        let call = CallOptions {
            linformer,
            ..CallOptions::default()
        };
        check_against_reference(&format!("linformer to {keys}"), &case.request(call));
    }
}
