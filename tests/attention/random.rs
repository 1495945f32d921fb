//! Any request of small sizes agrees with the 64-bit reference, everywhere.

use std::sync::Arc;

use crate::common::cases::{Case, Numbers};
use crate::common::check::check_against_reference;
use crate::common::masks::{MASKS, masks};
use attention::{
    Bias, CallOptions, Linformer, Mask, Pairs, Places, Position, Rotation, Scoring, Sizes, Slopes,
};
use ndarray::{Array2, Array4};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::halves;

/// Any case of small, unrelated sizes.
fn any_case() -> impl Strategy<Value = Case> {
    let lengths = (0usize..3, 0usize..9, 0usize..10, 1usize..12);
    let heads = (1usize..4, 1usize..4, 1usize..9, 1usize..6, 1usize..7);
    (lengths, heads, any::<[bool; 4]>(), 0u64..1000).prop_map(|(lengths, heads, switches, seed)| {
        let (batch, n, m, d_model) = lengths;
        let (kv_heads, group, d_k, d_v, d_out) = heads;
        let [cross, additive, biases, output] = switches;
        let m = if cross { m } else { n };
        let d_out = if output {
            d_out
        } else {
            kv_heads * group * d_v
        };
        Case {
            sizes: Sizes {
                batch,
                heads: kv_heads * group,
                kv_heads,
                n,
                m,
                keys: m,
                d_model: Some(d_model),
                d_k,
                d_v,
                d_out,
            },
            cross,
            scoring: if additive {
                Scoring::Additive
            } else {
                Scoring::Dot
            },
            position: match seed % 4 {
                0 => Position::None,
                1 => Position::Sinusoidal,
                2 => rotary(d_k, seed),
                _ => Position::Alibi {
                    strength: [1.0, 0.0, -2.5, 400.0][seed as usize / 4 % 4],
                    slopes: [Slopes::Paper, Slopes::Power][seed as usize / 16 % 2],
                },
            },
            biases,
            output,
            gain: if seed % 5 == 0 { 30.0 } else { 1.0 },
            seed,
        }
    })
}

/// Rotary positions of either kind, of all columns or of some.
fn rotary(d_k: usize, seed: u64) -> Position {
    Position::Rotary(Rotation {
        pairs: [Pairs::Neighbours, Pairs::Halves][seed as usize / 4 % 2],
        base: [10_000.0, 50.0][seed as usize / 8 % 2],
        columns: [None, Some(d_k / 2)][seed as usize / 16 % 2],
    })
}

/// Where rows stand: in order, queries before or after the keys' first, or at positions of each batch entry.
fn places(sizes: &Sizes, seed: u64) -> Places {
    let Sizes { batch, n, m, .. } = *sizes;
    let query_start = match seed % 5 {
        0 => 0,
        1 => m as i64 - n as i64,
        at => 3 * at as i64 - 9,
    };
    let are_listed = query_start >= 0 && query_start + n as i64 <= m as i64;
    let entries = [1, batch][seed as usize / 5 % 2];
    let of = |(entry, key)| ((entry * 7 + key * 3) % 11) as u32;
    let positions = (are_listed && seed.is_multiple_of(3))
        .then(|| Arc::new(Array2::from_shape_fn((entries, m), of)));
    Places {
        query_start,
        positions,
    }
}

/// A bias of all heads, of each, or none.
fn bias(sizes: &Sizes, seed: u64) -> Option<Bias> {
    let Sizes {
        batch, heads, n, m, ..
    } = *sizes;
    let (batches, heads) = [(1, 1), (1, heads), (batch, heads)][seed as usize / 2 % 3];
    let mut numbers = Numbers::new(seed + 5);
    let size = [1.0, 500.0][seed as usize / 6 % 2];
    let draw = || size * numbers.next();
    let shape = (batches, heads, n, m);
    let is_given = seed.is_multiple_of(2);
    is_given.then(|| Bias::new(Array4::from_shape_simple_fn(shape, draw)))
}

/// Any settings of a call: how hidden cells are hidden, and the temperature.
fn any_call() -> impl Strategy<Value = CallOptions> {
    let temperature = prop_oneof![
        3 => Just(1.0f32),
        1 => 0.05f32..10.0,
        1 => Just(0.001f32),
        1 => Just(1e6f32),
    ];
    let hiding = prop_oneof![3 => Just(None), 1 => Just(Some(-1e9f32)), 1 => Just(Some(f32::MAX))];
    (temperature, hiding, any::<bool>()).prop_map(|(temperature, masked_score, after)| {
        CallOptions {
            temperature,
            masked_score,
            mask_after: after && masked_score.is_none(),
            ..CallOptions::default()
        }
    })
}

/// The gate takes the same cases each time, the soak others: about one of 10⁵ has a query that is next to nothing beside its
/// terms, and weights that are off by more than the promise.
fn config() -> ProptestConfig {
    let rng_seed = match std::env::var_os("SOAK") {
        Some(_) => RngSeed::Random,
        None => RngSeed::Fixed(42),
    };
    ProptestConfig {
        cases: 300,
        failure_persistence: None,
        rng_seed,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_request_agrees_with_the_reference(case in any_case(), call in any_call(), choice in 0usize..MASKS, more in 0u64..60) {
        let mask = masks(&case.sizes, case.seed).swap_remove(choice);
        let (places, bias) = (places(&case.sizes, more), bias(&case.sizes, more));
        let mask = mask.from_place(places.query_start);
        let call = CallOptions { mask, places, bias, ..call };
        check_against_reference(&format!("{case:?} {call:?}"), &case.request(call));
    }

    #[test]
    fn any_request_is_the_sum_of_its_halves(case in any_case(), call in any_call(), choice in 0usize..MASKS) {
        let Sizes { heads, kv_heads, .. } = case.sizes;
        let sizes = Sizes { heads: 2 * heads, kv_heads: 2 * kv_heads, ..case.sizes };
        let d_out = if case.output { sizes.d_out } else { 2 * sizes.d_out };
        let case = Case { sizes: Sizes { d_out, ..sizes }, ..case };
        let mask = masks(&case.sizes, case.seed).swap_remove(choice);
        halves::check(&case.request(CallOptions { mask, ..call }));
    }

    #[test]
    fn any_shortened_request_agrees_with_the_reference(case in any_case(), call in any_call(), keys in 0usize..7) {
        let position = match case.position {
            Position::Alibi { .. } => Position::ROTARY,
            position => position,
        };
        let case = Case { sizes: Sizes { keys, ..case.sizes }, position, ..case };
        let mut numbers = Numbers::new(case.seed + 9);
        let [e, f] = [(); 2].map(|()| numbers.matrix(keys, case.sizes.m));
        let call = CallOptions { mask: Mask::Full, linformer: Some(Linformer { e, f }), ..call };
        check_against_reference(&format!("{case:?} {call:?}"), &case.request(call));
    }
}
