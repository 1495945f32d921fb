//! The truth about a request, and how large the numbers are that its results are sums of.

use std::sync::Arc;

use attention::{
    HeadInputs, Layer, LayerOptions, Linear, Linformer, Position, Request, Scoring, Source, Trace,
    Weights, reference,
};
use ndarray::{Array, Dimension};

use super::compare::largest;

/// Results in 64 bits, and those of the same request with absolute values in place of all numbers.
///
/// Rounding errors grow with the summands, not with the sum, which may be next to nothing.
pub(crate) struct Exact {
    pub trace: Trace<f64>,
    pub magnitudes: Magnitudes,
    /// How many times an error of the scores is as large in the softmax.
    pub softmax_gain: f64,
}

/// Scale of the errors of each result.
pub(crate) struct Magnitudes {
    pub q: f64,
    pub k: f64,
    pub v: f64,
    pub scores: f64,
    pub context: f64,
    pub output: f64,
}

impl Exact {
    pub(crate) fn of(request: &Request) -> Self {
        let trace = reference::compute(request);
        let absolute = reference::compute(&absolute(request));
        let is_shortened = request.call().linformer.is_some();
        Self {
            magnitudes: Magnitudes::new(&trace, &absolute, is_shortened),
            trace,
            softmax_gain: f64::from(request.call().temperature).recip().max(1.0),
        }
    }
}

impl Magnitudes {
    fn new(trace: &Trace<f64>, absolute: &Trace<f64>, is_shortened: bool) -> Self {
        let of = |result: fn(&Trace<f64>) -> f64| result(trace).max(result(absolute));
        let v = of(|trace| trace.v.as_ref().map_or(0.0, largest));
        let context = of(|trace| trace.context.as_ref().map_or(0.0, largest));
        // The row with all the weight may be a mixture of next to nothing; errors are as large as the others' values.
        let spread = if is_shortened {
            (v / context).max(1.0)
        } else {
            1.0
        };
        Self {
            q: of(|trace| trace.q.as_ref().map_or(0.0, largest)),
            k: of(|trace| trace.k.as_ref().map_or(0.0, largest)),
            v,
            scores: of(|trace| trace.scores.as_ref().map_or(0.0, largest)),
            context: context * spread,
            output: of(|trace| trace.output.as_ref().map_or(0.0, largest)) * spread,
        }
    }
}

/// The request with absolute values, without positions, whose rotations would cancel.
fn absolute(request: &Request) -> Request {
    let (config, sizes) = (request.config(), request.sizes());
    let options = LayerOptions {
        heads: sizes.heads,
        kv_heads: Some(sizes.kv_heads),
        scoring: config.scoring,
        scale: (config.scoring == Scoring::Dot).then_some(config.scale.abs()),
        position: Position::None,
    };
    let mut call = request.call().clone();
    call.linformer = call.linformer.map(|Linformer { e, f }| Linformer {
        e: positive(&e),
        f: positive(&f),
    });
    let changed = match request.source() {
        Source::Layer {
            layer,
            queries,
            keys_values,
        } => {
            let layer = Layer::new(positive_weights(layer.weights()), options);
            let keys_values = keys_values.as_ref().map(positive);
            Request::new(
                Arc::new(layer.expect("valid")),
                positive(queries),
                keys_values,
                call,
            )
        }
        Source::Heads(inputs) => {
            let inputs = HeadInputs {
                q: positive(&inputs.q),
                k: positive(&inputs.k),
                v: positive(&inputs.v),
                additive: inputs.additive.as_ref().map(positive),
                output: inputs.output.as_ref().map(positive_map),
            };
            Request::from_heads(inputs, options, call)
        }
    };
    changed.expect("valid with absolute values")
}

fn positive_weights(weights: &Weights) -> Weights {
    Weights {
        query: positive_map(&weights.query),
        key: positive_map(&weights.key),
        value: positive_map(&weights.value),
        output: weights.output.as_ref().map(positive_map),
        additive: weights.additive.as_ref().map(positive),
    }
}

fn positive_map(map: &Linear) -> Linear {
    Linear {
        w: positive(&map.w),
        b: map.b.as_ref().map(positive),
    }
}

fn positive<D: Dimension>(values: &Array<f32, D>) -> Array<f32, D> {
    values.mapv(f32::abs)
}
