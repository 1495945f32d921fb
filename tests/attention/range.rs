//! Finite inputs whose results leave the range of 32 bits are refused, never returned as infinities and never as other numbers.

use attention::{
    CallOptions, Code, Error, HeadInputs, LayerOptions, Linear, Mask, Outputs, Request, Trace,
};
use attention_playground::engine::{BackendChoice, run};
use ndarray::{Array2, Array3, array};

fn computed(inputs: HeadInputs, call: CallOptions) -> Result<Trace<f32>, Error> {
    let request = Request::from_heads(inputs, LayerOptions::default(), call).expect("finite");
    run(request, BackendChoice::Cpu).map(|result| result.trace)
}

fn refused(inputs: HeadInputs, call: CallOptions) -> (Code, String) {
    let error = computed(inputs, call).expect_err("beyond the range");
    (error.code, error.field)
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
    let found = refused(inputs, CallOptions::default());
    assert_eq!(found, (Code::NotFinite, "output".to_owned()));
}

/// Scores of 9·10⁷⁶ and 6·10⁷⁶.
fn large_scores() -> HeadInputs {
    HeadInputs {
        q: array![[[3e38]]],
        k: array![[[3e38], [2e38]]],
        v: array![[[1.0], [2.0]]],
        additive: None,
        output: None,
    }
}

#[test]
fn scores_beyond_the_range_are_refused_where_they_are_wanted() {
    for mask in [Mask::Full, Mask::Causal] {
        let call = CallOptions {
            mask,
            ..CallOptions::default()
        };
        let found = refused(large_scores(), call);
        assert_eq!(found, (Code::NotFinite, "scores".to_owned()));
    }
}

#[test]
fn weights_of_scores_beyond_the_range_are_right() {
    let want = Outputs {
        scores: false,
        ..Outputs::ALL
    };
    let call = CallOptions {
        want,
        ..CallOptions::default()
    };
    let trace = computed(large_scores(), call).expect("weights are differences");
    assert_eq!(trace.weights, Some(array![[[[1.0, 0.0]]]]));
}
