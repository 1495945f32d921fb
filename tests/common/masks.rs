//! Every kind of mask.

use attention::{Documents, ExplicitMask, Mask, Sizes};
use ndarray::Array4;

use super::cases::{Numbers, stride};

/// How many there are of [`masks`].
pub(crate) const MASKS: usize = 25;

/// Every kind of mask on `n × m`.
pub(crate) fn masks(sizes: &Sizes, seed: u64) -> Vec<Mask> {
    let mut numbers = Numbers::new(seed);
    let mut painted = |shape| {
        let cells = Array4::from_shape_simple_fn(shape, || numbers.next() > 0.3);
        Mask::Painted(ExplicitMask::new(cells))
    };
    let Sizes {
        batch, heads, n, m, ..
    } = *sizes;
    let mut drawn = vec![
        painted((1, 1, n, m)),
        painted((1, heads, n, m)),
        painted((batch, 1, n, m)),
        painted((batch, heads, n, m)),
        painted((batch, 1, 1, m)),
        painted((1, 1, n, 1)),
    ];
    let (by_batch, by_head) = (painted((batch, 1, n, m)), painted((1, heads, n, m)));
    drawn.extend(nested(by_batch, by_head, sizes));
    let structured = vec![
        Mask::Full,
        Mask::Causal,
        Mask::Padding { valid: m / 2 },
        Mask::Padding { valid: 0 },
        Mask::LeftPadding { padded: m / 2 },
        Mask::LeftPadding { padded: m },
        Mask::PaddedQueries { valid: n / 2 },
        Mask::Local { window: 0 },
        Mask::Local { window: 2 },
        Mask::Strided { stride: stride(3) },
        Mask::Prefix { length: m / 3 },
        documents(m),
        Mask::All(vec![documents(m), Mask::Causal]),
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

/// Three documents and an empty one, over `m` keys.
fn documents(m: usize) -> Mask {
    let first = m / 3;
    let second = (m - first) / 2;
    Mask::Documents(Documents::new([first, 0, second, m - first - second]))
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
