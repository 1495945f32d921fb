//! Any request of small sizes agrees with the 64-bit reference, everywhere.

mod common;

use attention_playground::attention::{Call, Position, Scoring, Sizes};
use common::cases::Case;
use common::check::{MASKS, check_against_reference, masks};
use proptest::prelude::*;

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
            position: if seed % 2 == 0 {
                Position::None
            } else {
                Position::Sinusoidal
            },
            biases,
            output,
            gain: if seed % 5 == 0 { 30.0 } else { 1.0 },
            seed,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_request_agrees_with_the_reference(case in any_case(), choice in 0usize..MASKS) {
        let mask = masks(&case.sizes, case.seed).swap_remove(choice);
        let what = format!("{case:?} {mask:?}");
        check_against_reference(&what, &case.request(Call { mask, ..Call::default() }));
    }
}
