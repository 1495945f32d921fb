//! A request against the 64-bit reference, and every kind of mask to do it with.

use attention_playground::attention::{Mask, Painted, Request, Sizes, Trace, reference};
use attention_playground::engine::{BackendChoice, run};
use ndarray::Array4;

use super::cases::{Numbers, stride};
use super::compare::{assert_close, largest};

/// Compares every result with the reference, at the accuracy that the public contract promises.
pub fn check_against_reference(what: &str, request: &Request) -> Trace<f32> {
    let exact = reference::compute(request);
    let fast = run(request.clone(), BackendChoice::Cpu)
        .expect("a case fits into memory")
        .trace;
    let tensors = [
        ("q", &fast.q, exact.q),
        ("k", &fast.k, exact.k),
        ("v", &fast.v, exact.v),
        ("scores", &fast.scores, exact.scores),
        ("context", &fast.context, exact.context),
    ];
    for (name, found, wanted) in tensors {
        let wanted = wanted.expect("the reference keeps everything");
        let found = found.as_ref().expect("wanted");
        assert_close(
            &format!("{what}: {name}"),
            found,
            &wanted,
            1e-5 * largest(&wanted).max(1.0),
        );
    }
    let (found, wanted) = (
        fast.weights.as_ref().expect("wanted"),
        exact.weights.expect("kept"),
    );
    assert_close(&format!("{what}: weights"), found, &wanted, 1e-5);
    let (found, wanted) = (
        fast.output.as_ref().expect("wanted"),
        exact.output.expect("kept"),
    );
    assert_close(
        &format!("{what}: output"),
        found,
        &wanted,
        1e-4 * largest(&wanted),
    );
    assert_eq!(fast.empty_rows, exact.empty_rows, "{what}");
    fast
}

/// Every kind of mask on `n × m`.
pub fn masks(sizes: &Sizes, seed: u64) -> Vec<Mask> {
    let mut numbers = Numbers::new(seed);
    let mut painted = |batch, heads| {
        let shape = (batch, heads, sizes.n, sizes.m);
        Mask::Painted(Painted::new(Array4::from_shape_simple_fn(shape, || {
            numbers.next() > 0.3
        })))
    };
    let drawn = vec![
        painted(1, 1),
        painted(1, sizes.heads),
        painted(sizes.batch, 1),
        painted(sizes.batch, sizes.heads),
    ];
    let structured = vec![
        Mask::Full,
        Mask::Causal,
        Mask::Padding { valid: sizes.m / 2 },
        Mask::Padding { valid: 0 },
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
    structured.into_iter().chain(drawn).collect()
}
