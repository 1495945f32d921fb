//! A request against the 64-bit reference.

use attention::{
    CallOptions, CellIndex, LayerOptions, Outputs, Position, Request, Scoring, Source, Trace,
};
use gpu::Tier;
use ndarray::{Array, Array4, Dimension};

use super::compare::assert_close;
use super::exact::Exact;
use super::place::Place;

/// Compares every result with the reference, in every place, at the accuracy that the public contract promises of it.
/// Returns what the processor found.
pub(crate) fn check_against_reference(what: &str, request: &Request) -> Trace<f32> {
    let exact = Exact::of(request);
    let mut found: Vec<_> = Place::all()
        .into_iter()
        .map(|place| {
            let trace = place.compute(request).trace;
            let what = format!("{what} ({place:?})");
            check_trace(&what, place, &trace, &exact);
            check_rows(&what, request, trace.weights.as_ref().expect("wanted"));
            trace
        })
        .collect();
    check_output_alone(what, request, &exact);
    found.swap_remove(0)
}

/// Context and output without the weights, where a card has a kernel of its own for them.
fn check_output_alone(what: &str, request: &Request, exact: &Exact) {
    let place = Place::Gpu(Tier::Hardware);
    let (config, call) = (request.config(), request.call());
    let is_other = config.scoring == Scoring::Additive
        || matches!(config.position, Position::Alibi { .. })
        || call.bias.is_some()
        || call.masked_score.is_some()
        || call.mask_after;
    if is_other || !Place::all().contains(&place) {
        return;
    }
    let found = place.compute(&output_alone(request)).trace;
    check_context_and_output(&format!("{what}, output alone"), place, &found, exact);
}

/// The same request, of which only context and output are wanted.
pub(crate) fn output_alone(request: &Request) -> Request {
    let want = Outputs {
        context: true,
        output: true,
        ..Outputs::NOTHING
    };
    wanting(request, want)
}

/// The same request, of which other results are wanted.
pub(crate) fn wanting(request: &Request, want: Outputs) -> Request {
    let call = CallOptions {
        want,
        ..request.call().clone()
    };
    let changed = match request.source() {
        Source::Layer {
            layer,
            queries,
            keys_values,
        } => Request::new(layer.clone(), queries.clone(), keys_values.clone(), call),
        Source::Heads(inputs) => {
            let (config, sizes) = (request.config(), request.sizes());
            let options = LayerOptions {
                heads: sizes.heads,
                kv_heads: Some(sizes.kv_heads),
                scoring: config.scoring,
                scale: (config.scoring == Scoring::Dot).then_some(config.scale),
                position: config.position,
            };
            Request::from_heads(inputs.clone(), options, call)
        }
    };
    changed.expect("valid with other results")
}

/// A whole trace, everything wanted, against the truth.
pub(crate) fn check_trace(what: &str, place: Place, found: &Trace<f32>, exact: &Exact) {
    let (bounds, sizes, wanted) = (place.regression(), &exact.magnitudes, &exact.trace);
    let tensors = [
        ("q", &found.q, &wanted.q, bounds.projections * sizes.q),
        ("k", &found.k, &wanted.k, bounds.projections * sizes.k),
        ("v", &found.v, &wanted.v, bounds.projections * sizes.v),
        (
            "scores",
            &found.scores,
            &wanted.scores,
            bounds.scores * sizes.scores,
        ),
    ];
    for (name, found, wanted, allowed) in tensors {
        check_tensor(&format!("{what}: {name}"), allowed, found, wanted);
    }
    let weights = (found.weights.as_ref(), wanted.weights.as_ref());
    let (found_weights, wanted) = (weights.0.expect("wanted"), weights.1.expect("kept"));
    assert_close(
        &format!("{what}: weights"),
        found_weights,
        wanted,
        (bounds.weights * exact.softmax_gain).min(place.weights()),
    );
    check_context_and_output(what, place, found, exact);
}

/// A tensor against the truth.
fn check_tensor<D: Dimension>(
    what: &str,
    allowed: f64,
    found: &Option<Array<f32, D>>,
    wanted: &Option<Array<f64, D>>,
) {
    let wanted = wanted.as_ref().expect("the reference keeps everything");
    let found = found.as_ref().expect("wanted");
    // What is smaller than the smallest normal number may be 0 in 32 bit.
    assert_close(what, found, wanted, allowed + f64::from(f32::MIN_POSITIVE));
}

/// Checks context and output, requested without any other result.
pub(crate) fn check_context_and_output(
    what: &str,
    place: Place,
    found: &Trace<f32>,
    exact: &Exact,
) {
    let bound = (place.regression().output * exact.softmax_gain).min(place.output());
    let (sizes, wanted) = (&exact.magnitudes, &exact.trace);
    check_tensor(
        &format!("{what}: context"),
        bound * sizes.context,
        &found.context,
        &wanted.context,
    );
    check_tensor(
        &format!("{what}: output"),
        bound * sizes.output,
        &found.output,
        &wanted.output,
    );
    assert_eq!(found.empty_rows, wanted.empty_rows, "{what}");
}

/// Weights are shares: none is negative, those of a row sum to 1, and what is hidden has none at all.
pub(crate) fn check_rows(what: &str, request: &Request, weights: &Array4<f32>) {
    let (call, sizes) = (request.call(), request.sizes());
    for ((batch, head, query), row) in ndarray::indices((sizes.batch, sizes.heads, sizes.n))
        .into_iter()
        .zip(weights.rows())
    {
        let what = format!("{what}: row {query} of head {head}, batch {batch}");
        let at = |key| CellIndex {
            batch,
            head,
            query,
            key,
        };
        let sees = |key| call.masked_score.is_some() || call.mask.visible(at(key));
        let seen: Vec<bool> = (0..sizes.keys).map(sees).collect();
        let (least, most) = match (seen.contains(&true), call.mask_after) {
            (false, _) => (0.0, 0.0),
            (_, true) => (0.0, 1.0),
            (_, false) => (1.0, 1.0),
        };
        let sum = row.sum();
        assert!(
            sum > least - 1e-5 && sum < most + 1e-5,
            "{what} sums to {sum}"
        );
        for (key, weight) in row.iter().enumerate() {
            assert!(*weight >= 0.0, "{what}: key {key} has {weight}");
            assert!(
                seen[key] || *weight == 0.0,
                "{what}: key {key} is hidden and has {weight}"
            );
        }
    }
}
