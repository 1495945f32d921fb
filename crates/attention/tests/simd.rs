//! The vector kernels give the same bits on every build: natively, in wasm with `simd128`, in wasm without it.
//!
//! Run natively by `cargo test` and in wasm by `cargo test -p attention --target wasm32-unknown-unknown --test simd`. It is a test of
//! this package, so that what it is built from is no more than the kernels and what calls them.

#![allow(dead_code, reason = "what the suites share is more than this one uses")]

#[path = "../../../tests/common/cases.rs"]
mod cases;
#[path = "../../../tests/common/compare.rs"]
mod compare;
#[path = "../../../tests/common/masks.rs"]
mod masks;

use std::sync::Arc;

use attention::cpu::Run;
use attention::plan::{RowSink, WeightRows};
use attention::{CallOptions, CellIndex, Mask, Position, Request, Scoring, Sizes, reference};
use cases::{Case, Numbers};
use compare::{assert_close, largest};
use kernels::{
    Packed, all_finite, entropy, exp, largest_norm, multiply_lines, multiply_scaled, softmax_range,
    softmax_rows, sum, tanh, widen,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

struct Nowhere;

impl RowSink for Nowhere {
    fn take(&mut self, _: WeightRows) {}
}

/// A number that changes when any bit of any value does (FNV-1a, 64 bit).
fn fingerprint(values: impl Iterator<Item = f32>) -> u64 {
    let bytes = values.flat_map(|value| value.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn arguments() -> impl Iterator<Item = f32> {
    (-100_000..100_000).map(|step| step as f32 * 1e-3)
}

#[test]
fn exponentials_have_the_same_bits_everywhere() {
    assert_eq!(fingerprint(arguments().map(exp)), EXP);
    assert_eq!(fingerprint(arguments().map(tanh)), TANH);
}

#[test]
fn softmax_has_the_same_bits_everywhere() {
    let mut numbers = Numbers::new(12);
    let keys = 37;
    let mut rows: Vec<f32> = (0..9 * keys).map(|_| numbers.next() * 30.0).collect();
    let visible: Vec<f32> = (0..9 * keys)
        .map(|_| f32::from(u8::from(numbers.next() > -0.2)))
        .collect();
    softmax_rows(&mut rows, &visible, keys, 1.0);
    softmax_rows(&mut rows, &[], keys, 1.0);
    assert_eq!(fingerprint(rows.into_iter()), SOFTMAX);
}

#[test]
fn measures_of_rows_have_the_same_bits_everywhere() {
    let mut numbers = Numbers::new(15);
    let mut rows: Vec<f32> = (0..7 * 301).map(|_| numbers.next() * 9.0).collect();
    softmax_rows(&mut rows, &[], 301, 1.0);
    let measures = rows.chunks(301).flat_map(|row| [entropy(row), sum(row)]);
    let halves = measures.flat_map(|measure| {
        let bits = measure.to_bits();
        [
            f32::from_bits(bits as u32),
            f32::from_bits((bits >> 32) as u32),
        ]
    });
    assert_eq!(fingerprint(halves), MEASURES);
}

#[test]
fn products_have_the_same_bits_everywhere() {
    let mut numbers = Numbers::new(13);
    let [rows, inner, columns] = [7, 301, 21];
    let a: Vec<f32> = (0..rows * inner).map(|_| numbers.next()).collect();
    let b: Vec<f32> = (0..inner * columns).map(|_| numbers.next()).collect();
    let packed = Packed::from_rows(&b, columns, 0, columns);
    let mut out = vec![0.0; rows * columns];
    multiply_scaled(&a, &packed, 0.3, None, &mut out);
    let bounds = [largest_norm(&a, inner), f32::from(u8::from(all_finite(&b)))];
    assert_eq!(fingerprint(out.into_iter().chain(bounds)), PRODUCT);
}

#[test]
fn products_with_lines_have_the_same_bits_everywhere() {
    let mut numbers = Numbers::new(16);
    let [rows, inner, columns] = [7, 1101, 21];
    let a: Vec<f32> = (0..rows * inner).map(|_| numbers.next()).collect();
    let b: Vec<f32> = (0..inner * columns).map(|_| numbers.next()).collect();
    let mut out = vec![0.0; rows * columns];
    multiply_lines(&a, &b, inner, &mut out, columns, 0);
    assert_eq!(fingerprint(out.into_iter()), LINES);
}

#[test]
fn blocks_have_the_same_numbers_everywhere() {
    let mut numbers = Numbers::new(17);
    // Without those bits that would make a scale infinite.
    let bytes: Vec<u8> = (0..1 << 15)
        .map(|_| numbers.below(256) as u8 & 0b1011_1011)
        .collect();
    let types = [
        widen::f32,
        widen::f16,
        widen::bf16,
        widen::q8_0,
        widen::q4_0,
        widen::q4_1,
        widen::q5_0,
        widen::q5_1,
        widen::iq4_nl,
        widen::q2_k,
        widen::q3_k,
        widen::q4_k,
        widen::q5_k,
        widen::q6_k,
    ];
    let all = types.into_iter().flat_map(|widen| {
        let mut out = vec![0.0; 4096];
        widen(&bytes, &mut out);
        out
    });
    assert_eq!(fingerprint(all), BLOCKS);
}

#[test]
fn softmax_of_ranges_has_the_bits_of_softmax_of_cells() {
    let mut numbers = Numbers::new(14);
    for keys in [1, 3, 8, 13] {
        for (start, end) in (0..=keys).flat_map(|end| (0..=end).map(move |start| (start, end))) {
            let row: Vec<f32> = (0..keys).map(|_| numbers.next() * 30.0).collect();
            let visible: Vec<f32> = (0..keys)
                .map(|key| f32::from(u8::from((start..end).contains(&key))))
                .collect();
            let [mut cells, mut range] = [row.clone(), row];
            // What is hidden is not read.
            range[..start].fill(f32::NAN);
            range[end..].fill(f32::INFINITY);
            softmax_rows(&mut cells, &visible, keys, 0.7);
            softmax_range(&mut range, start..end, 0.7);
            assert_eq!(
                cells.iter().map(|w| w.to_bits()).collect::<Vec<_>>(),
                range.iter().map(|w| w.to_bits()).collect::<Vec<_>>(),
                "{start} .. {end} of {keys}"
            );
        }
    }
}

const LINES: u64 = 14233564493055890315;
const BLOCKS: u64 = 12042948297557055089;
const MEASURES: u64 = 2488558537239459483;
const PRODUCT: u64 = 1090550306053270612;
const EXP: u64 = 214955978752511580;
const TANH: u64 = 6726222288301598784;
const SOFTMAX: u64 = 12831557037482288667;

#[test]
fn lengths_that_no_vector_divides_agree_with_the_reference() {
    let sizes = Sizes {
        batch: 2,
        n: 67,
        m: 71,
        keys: 71,
        d_k: 33,
        ..Case::default().sizes
    };
    for scoring in [Scoring::Dot, Scoring::Additive] {
        let case = Case {
            sizes,
            scoring,
            position: Position::Sinusoidal,
            ..Case::default()
        };
        for mask in masks::masks(&sizes, 6).into_iter().step_by(5) {
            let what = format!("{scoring:?} {mask:?}");
            let call = CallOptions {
                mask,
                ..CallOptions::default()
            };
            check(&what, case.request(call));
        }
    }
}

/// Compares scores, weights and output with the 64-bit reference, at the accuracy that the processor promises.
fn check(what: &str, request: Request) {
    let exact = reference::compute(&request);
    let mut run = Run::new(Arc::new(request)).expect("a case fits into memory");
    while run.advance(&mut Nowhere) {}
    let found = run.finish();
    let pairs = [
        (&found.scores, &exact.scores, 1e-5),
        (&found.weights, &exact.weights, 1e-5),
    ];
    for (found, exact, allowed) in pairs {
        let (found, exact) = (
            found.as_ref().expect("wanted"),
            exact.as_ref().expect("kept"),
        );
        assert_close(what, found, exact, allowed * largest(exact).max(1.0));
    }
    let (found, exact) = (found.output.expect("wanted"), exact.output.expect("kept"));
    assert_close(what, &found, &exact, 1e-4 * largest(&exact));
}

/// The end of such a window does not fit into a `usize` of 32 bits.
#[test]
fn a_window_longer_than_every_sequence_hides_nothing() {
    let windows = [u32::MAX, u32::MAX - 1, u32::MAX - 7].map(|window| Mask::Local {
        window: window as usize,
    });
    for mask in windows {
        for query in [0, 1, 6] {
            let first = CellIndex {
                batch: 0,
                head: 0,
                query,
                key: 0,
            };
            assert_eq!(mask.visible_range(first, 9), Some(0..9), "{mask:?}");
            let mut row = [0.0; 9];
            mask.write_row(first, &mut row);
            assert_eq!(row, [1.0; 9], "{mask:?}");
        }
    }
}
