//! Every kind of mask.

use attention::{ExplicitMask, Mask, Sizes};
use ndarray::Array4;

use super::cases::{Numbers, stride};

/// How many there are of [`masks`].
pub(crate) const MASKS: usize = 18;

/// Every kind of mask on `n × m`.
pub(crate) fn masks(sizes: &Sizes, seed: u64) -> Vec<Mask> {
    let mut numbers = Numbers::new(seed);
    let mut painted = |batch, heads| {
        let shape = (batch, heads, sizes.n, sizes.m);
        Mask::Painted(ExplicitMask::new(Array4::from_shape_simple_fn(
            shape,
            || numbers.next() > 0.3,
        )))
    };
    let mut drawn = vec![
        painted(1, 1),
        painted(1, sizes.heads),
        painted(sizes.batch, 1),
        painted(sizes.batch, sizes.heads),
    ];
    drawn.extend(nested(
        painted(sizes.batch, 1),
        painted(1, sizes.heads),
        sizes,
    ));
    let structured = vec![
        Mask::Full,
        Mask::Causal,
        Mask::Padding { valid: sizes.m / 2 },
        Mask::Padding { valid: 0 },
        Mask::PaddedQueries { valid: sizes.n / 2 },
        Mask::Local { window: 0 },
        Mask::Local { window: 2 },
        Mask::Strided { stride: stride(3) },
        Mask::All(vec![Mask::Causal, Mask::Local { window: 3 }]),
        Mask::Any(vec![
            Mask::Strided { stride: stride(4) },
            Mask::Local { window: 1 },
        ]),
        Mask::Any(vec![]),
    ];
    let all: Vec<_> = structured.into_iter().chain(drawn).collect();
    assert_eq!(all.len(), MASKS);
    all
}

/// Masks within masks, three deep, with painted ones of different leading axes among them.
fn nested(by_batch: Mask, by_head: Mask, sizes: &Sizes) -> [Mask; 3] {
    let valid = sizes.m - sizes.m / 3;
    let either = Mask::Any(vec![by_batch.clone(), Mask::Local { window: 1 }]);
    let deep = Mask::All(vec![
        either.clone(),
        Mask::Any(vec![
            Mask::All(vec![Mask::Causal, by_head.clone()]),
            by_batch.clone(),
        ]),
    ]);
    [
        Mask::All(vec![
            Mask::Padding { valid },
            Mask::PaddedQueries {
                valid: sizes.n - sizes.n / 3,
            },
            either,
        ]),
        Mask::Any(vec![
            Mask::All(vec![by_batch, by_head]),
            Mask::Strided { stride: stride(5) },
        ]),
        deep,
    ]
}
