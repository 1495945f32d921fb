//! Finite inputs whose results leave the range of 32 bits are refused, never returned as infinities and never as other numbers.

use std::sync::Arc;

use crate::common::compare::assert_close;
use crate::common::gpu::on_gpu;
use crate::common::place::Place;
use attention::{
    CallOptions, Code, Error, HeadInputs, Layer, LayerOptions, Linear, Mask, Outputs, Request,
    Scoring, Trace, Weights,
};
use engine::{BackendChoice, Failure, GpuJob, run};
use ndarray::{Array1, Array2, Array3, Array4, array};
use pollster::block_on;

/// Result of a place, with the engine's errors.
fn computed(place: Place, request: &Request) -> Result<Trace<f32>, Error> {
    let request = Arc::new(request.clone());
    match place {
        Place::Cpu => run(request, BackendChoice::Cpu).map(|result| result.trace),
        Place::Gpu(tier) => on_gpu(move |gpu| {
            let mut job = GpuJob::new(&gpu.clone().with_tier(tier), request)?;
            while block_on(job.advance())? {}
            job.finish().map(|result| result.trace)
        })
        .expect("a place of the machine")
        .map_err(Failure::into_refusal),
    }
}

fn request(inputs: HeadInputs, options: LayerOptions, call: CallOptions) -> Request {
    Request::from_heads(inputs, options, call).expect("finite")
}

fn refused(place: Place, request: &Request) -> (Code, String) {
    let error = computed(place, request).expect_err("beyond the range");
    (error.code, error.field)
}

fn not_finite(field: &str) -> (Code, String) {
    (Code::NotFinite, field.to_owned())
}

fn without_scores() -> CallOptions {
    CallOptions {
        want: Outputs {
            scores: false,
            ..Outputs::ALL
        },
        ..CallOptions::default()
    }
}

#[test]
fn an_output_beyond_the_range_is_refused() {
    let inputs = HeadInputs {
        q: Array3::from_elem((1, 2, 3), 1.0),
        k: Array3::from_elem((1, 2, 3), 1.0),
        v: Array3::from_elem((1, 2, 2), 1.0),
        additive: None,
        output: Some(Linear::without_bias(Array2::from_elem((2, 1), 3e38))),
    };
    let request = request(inputs, LayerOptions::default(), CallOptions::default());
    for place in Place::all() {
        assert_eq!(refused(place, &request), not_finite("output"), "{place:?}");
    }
}

/// Scores of 9·10⁷⁶ and 6·10⁷⁶.
fn large_scores(call: CallOptions) -> Request {
    let inputs = HeadInputs {
        q: array![[[3e38]]],
        k: array![[[3e38], [2e38]]],
        v: array![[[1.0], [2.0]]],
        additive: None,
        output: None,
    };
    request(inputs, LayerOptions::default(), call)
}

/// Scores of 9·10³⁸, two of them alike, from queries and keys whose lengths are within the range.
fn scaled_scores() -> Request {
    let inputs = HeadInputs {
        q: array![[[1.5e19]]],
        k: array![[[1.5e19], [1.5e19], [0.0]]],
        v: array![[[1.0], [2.0], [3.0]]],
        additive: None,
        output: None,
    };
    let options = LayerOptions {
        scale: Some(4.0),
        ..LayerOptions::default()
    };
    request(inputs, options, without_scores())
}

/// Additive scores of up to 9·10³⁸, two of them alike.
fn additive_scores() -> Request {
    let inputs = HeadInputs {
        q: Array3::from_elem((1, 1, 3), 9.0),
        k: array![[[9.0, 9.0, 9.0], [9.0, 9.0, 9.0], [-9.0, -9.0, -9.0]]],
        v: array![[[1.0], [2.0], [3.0]]],
        additive: Some(Array1::from_elem(3, 3e38)),
        output: None,
    };
    let options = LayerOptions {
        scoring: Scoring::Additive,
        ..LayerOptions::default()
    };
    request(inputs, options, without_scores())
}

#[test]
fn scores_beyond_the_range_are_refused_where_they_are_wanted() {
    for mask in [Mask::Full, Mask::Causal] {
        let request = large_scores(CallOptions {
            mask,
            ..CallOptions::default()
        });
        assert_eq!(refused(Place::Cpu, &request), not_finite("scores"));
    }
}

#[test]
fn weights_of_scores_beyond_the_range_are_right_on_the_processor() {
    let halves = || array![[[[0.5, 0.5, 0.0]]]];
    let cases: [(Request, Array4<f32>); 3] = [
        (large_scores(without_scores()), array![[[[1.0, 0.0]]]]),
        (scaled_scores(), halves()),
        (additive_scores(), halves()),
    ];
    for (request, weights) in cases {
        let trace = computed(Place::Cpu, &request).expect("weights are differences");
        assert_eq!(trace.weights, Some(weights));
    }
}

/// In 32 bits the first key is the difference of two infinities, exactly it is 0.
#[test]
fn keys_whose_products_leave_the_range_and_meet_again_are_right_on_the_processor() {
    for scoring in [Scoring::Dot, Scoring::Additive] {
        let linear = |w| Linear::without_bias(w);
        let weights = Weights {
            query: linear(array![[1.0], [0.0]]),
            key: linear(array![[2.0], [-2.0]]),
            value: linear(array![[0.0], [0.0]]),
            output: None,
            additive: Some(array![1.0]),
        };
        let options = LayerOptions {
            scoring,
            ..LayerOptions::default()
        };
        let layer = Layer::new(weights, options).expect("valid");
        let want = Outputs {
            weights: true,
            ..Outputs::NOTHING
        };
        let call = CallOptions {
            want,
            ..CallOptions::default()
        };
        let rows = array![[[3e38, 3e38], [0.0, 0.0]]];
        let request = Request::new(layer.into(), array![[[1.0, 0.0]]], Some(rows), call);
        let trace = computed(Place::Cpu, &request.expect("finite")).expect("weights are right");
        let weights = trace.weights.expect("wanted");
        let halves = array![[[[0.5, 0.5]]]];
        assert_close("halves", &weights, &halves, Place::Cpu.weights());
    }
}

/// A device has no 64-bit numbers: what it refuses is computed by the processor where the caller leaves the choice.
#[test]
fn scores_beyond_the_range_are_refused_by_a_device() {
    for place in Place::all().into_iter().skip(1) {
        let lengths = refused(place, &large_scores(without_scores()));
        assert_eq!(lengths, not_finite("q"), "{place:?}");
        for request in [scaled_scores(), additive_scores()] {
            assert_eq!(refused(place, &request), not_finite("scores"), "{place:?}");
        }
    }
}
