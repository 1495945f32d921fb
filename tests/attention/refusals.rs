//! Each refusal of the core names field, value and rule.

use crate::common::cases::{Case, Numbers};
use attention::{
    CallOptions, Code, Error, ExplicitMask, HeadInputs, Layer, LayerOptions, Linear, Linformer,
    Mask, Outputs, Position, Request, Scoring, Slopes, Weights,
};
use engine::{BackendChoice, Job, run};
use ndarray::{Array1, Array2, Array3, Array4};

fn weights(q: (usize, usize), k: (usize, usize), v: (usize, usize)) -> Weights {
    let mut numbers = Numbers::new(3);
    let mut linear = |shape: (usize, usize)| Linear {
        w: numbers.matrix(shape.0, shape.1),
        b: None,
    };
    Weights {
        query: linear(q),
        key: linear(k),
        value: linear(v),
        output: None,
        additive: None,
    }
}

fn refused(result: Result<Layer, Error>) -> (Code, String) {
    let error = result.expect_err("must be refused");
    assert!(!error.value.is_empty() && !error.rule.is_empty(), "{error}");
    (error.code, error.field)
}

fn layer(weights: Weights, heads: usize, kv_heads: Option<usize>) -> Result<Layer, Error> {
    Layer::new(
        weights,
        LayerOptions {
            heads,
            kv_heads,
            ..LayerOptions::default()
        },
    )
}

#[test]
fn weights_that_disagree() {
    let fits = || weights((5, 6), (5, 6), (5, 9));
    assert!(layer(fits(), 3, None).is_ok());
    let is = |code, field: &str| (code, field.to_owned());
    assert_eq!(
        refused(layer(fits(), 4, None)),
        is(Code::HeadsDoNotDivide, "heads")
    );
    assert_eq!(
        refused(layer(fits(), 0, None)),
        is(Code::HeadsDoNotDivide, "heads")
    );
    assert_eq!(
        refused(layer(fits(), 3, Some(2))),
        is(Code::KvHeadsDoNotDivide, "kv_heads")
    );
    assert_eq!(
        refused(layer(weights((5, 6), (5, 4), (5, 9)), 3, None)),
        is(Code::ShapeMismatch, "w_k")
    );
    assert_eq!(
        refused(layer(weights((5, 6), (4, 6), (5, 9)), 3, None)),
        is(Code::ShapeMismatch, "w_k")
    );
    assert_eq!(
        refused(layer(weights((5, 6), (5, 6), (5, 8)), 3, None)),
        is(Code::ShapeMismatch, "w_v")
    );
    assert_eq!(
        refused(layer(weights((5, 0), (5, 0), (5, 9)), 3, None)),
        is(Code::ShapeMismatch, "w_q")
    );
    let with_output = |rows| Weights {
        output: Some(Linear::without_bias(Array2::zeros((rows, 4)))),
        ..fits()
    };
    assert!(layer(with_output(9), 3, None).is_ok());
    assert_eq!(
        refused(layer(with_output(8), 3, None)),
        is(Code::ShapeMismatch, "w_o")
    );
    let mut biased = fits();
    biased.key.b = Some(Array1::zeros(5));
    assert_eq!(
        refused(layer(biased, 3, None)),
        is(Code::ShapeMismatch, "b_k")
    );
    let mut infinite = fits();
    infinite.value.w[[1, 2]] = f32::INFINITY;
    assert_eq!(
        refused(layer(infinite, 3, None)),
        is(Code::NotFinite, "w_v")
    );
}

#[test]
fn additive_scoring_needs_its_vector_and_no_scale() {
    let options = LayerOptions {
        heads: 3,
        scoring: Scoring::Additive,
        ..LayerOptions::default()
    };
    let with = |w_a: Option<usize>| Weights {
        additive: w_a.map(Array1::zeros),
        ..weights((5, 6), (5, 6), (5, 9))
    };
    assert_eq!(
        refused(Layer::new(with(None), options)),
        (Code::MissingField, "w_a".to_owned())
    );
    assert_eq!(
        refused(Layer::new(with(Some(3)), options)),
        (Code::ShapeMismatch, "w_a".to_owned())
    );
    let scaled = LayerOptions {
        scale: Some(0.5),
        ..options
    };
    assert_eq!(
        refused(Layer::new(with(Some(2)), scaled)),
        (Code::NotApplicable, "scale".to_owned())
    );
    let infinite = LayerOptions {
        scale: Some(f32::NAN),
        scoring: Scoring::Dot,
        ..options
    };
    assert_eq!(
        refused(Layer::new(with(None), infinite)),
        (Code::NotFinite, "scale".to_owned())
    );
}

#[test]
fn inputs_and_masks_that_do_not_fit() {
    let case = Case::default();
    let request = |queries, keys_values, call| {
        let error =
            Request::new(case.layer(), queries, keys_values, call).expect_err("must be refused");
        (error.code, error.field)
    };
    let call = CallOptions::default;
    let is = |code, field: &str| (code, field.to_owned());
    assert_eq!(
        request(Array3::zeros((1, 3, 16)), None, call()),
        is(Code::ShapeMismatch, "queries")
    );
    let other = Some(Array3::zeros((2, 3, 17)));
    assert_eq!(
        request(Array3::zeros((1, 3, 17)), other, call()),
        is(Code::ShapeMismatch, "keys_values")
    );
    let rows = || Array3::zeros((1, 3, 17));
    assert_eq!(
        request(Array3::from_elem((1, 3, 17), f32::NAN), None, call()),
        is(Code::NotFinite, "queries")
    );
    let masked = |mask| CallOptions {
        mask,
        ..CallOptions::default()
    };
    assert_eq!(
        request(rows(), None, masked(Mask::Padding { valid: 4 })),
        is(Code::ShapeMismatch, "mask.valid")
    );
    let painted = |shape| {
        Mask::All(vec![Mask::Painted(ExplicitMask::new(Array4::from_elem(
            shape, true,
        )))])
    };
    assert_eq!(
        request(rows(), None, masked(painted((1, 1, 3, 4)))),
        is(Code::ShapeMismatch, "mask")
    );
    assert_eq!(
        request(rows(), None, masked(painted((1, 2, 3, 3)))),
        is(Code::ShapeMismatch, "mask")
    );
    let fill = CallOptions {
        masked_score: Some(f32::NEG_INFINITY),
        ..CallOptions::default()
    };
    assert_eq!(
        request(rows(), None, fill),
        is(Code::NotFinite, "masked_score")
    );
    let linformer = |e, f| {
        Some(Linformer {
            e: Array2::zeros(e),
            f: Array2::zeros(f),
        })
    };
    let both = CallOptions {
        linformer: linformer((2, 3), (2, 3)),
        mask: Mask::Causal,
        ..CallOptions::default()
    };
    assert_eq!(
        request(rows(), None, both),
        is(Code::NotApplicable, "linformer")
    );
    let short = CallOptions {
        linformer: linformer((2, 3), (1, 3)),
        ..CallOptions::default()
    };
    assert_eq!(
        request(rows(), None, short),
        is(Code::ShapeMismatch, "linformer.f")
    );
}

/// Request for one call of [`Case`]'s layer, with positions.
fn called(position: Position, call: CallOptions) -> Result<Request, Error> {
    let case = Case {
        position,
        ..Case::default()
    };
    Request::new(case.layer(), case.queries(), None, call)
}

#[test]
fn temperatures_out_of_range() {
    for (temperature, code) in [
        (0.0, Code::UnknownOption),
        (-1.0, Code::UnknownOption),
        (0.000_99, Code::UnknownOption),
        (1.1e6, Code::UnknownOption),
        (f32::NAN, Code::NotFinite),
        (f32::INFINITY, Code::NotFinite),
    ] {
        let call = CallOptions {
            temperature,
            ..CallOptions::default()
        };
        let error = called(Position::None, call).expect_err("must be refused");
        assert_eq!((error.code, error.field.as_str()), (code, "temperature"));
    }
    for temperature in [0.001, 1e6] {
        let call = CallOptions {
            temperature,
            ..CallOptions::default()
        };
        assert!(called(Position::None, call).is_ok());
    }
}

#[test]
fn strengths_of_alibi_out_of_range() {
    for (strength, code) in [
        (f32::NAN, Code::NotFinite),
        (f32::NEG_INFINITY, Code::NotFinite),
        (1.1e6, Code::UnknownOption),
        (-1.1e6, Code::UnknownOption),
    ] {
        let position = Position::Alibi {
            strength,
            slopes: Slopes::Paper,
        };
        let options = LayerOptions {
            heads: 3,
            position,
            ..LayerOptions::default()
        };
        let found = refused(Layer::new(weights((5, 6), (5, 6), (5, 9)), options));
        assert_eq!(found, (code, "alibi_strength".to_owned()));
        let inputs = HeadInputs {
            q: Array3::zeros((3, 2, 5)),
            k: Array3::zeros((3, 2, 5)),
            v: Array3::zeros((3, 2, 5)),
            additive: None,
            output: None,
        };
        let error = Request::from_heads(inputs, options, CallOptions::default());
        assert_eq!(error.expect_err("must be refused").code, code);
    }
}

#[test]
fn options_that_exclude_each_other() {
    let shortened = || CallOptions {
        linformer: Some(Linformer {
            e: Array2::zeros((2, 11)),
            f: Array2::zeros((2, 11)),
        }),
        ..CallOptions::default()
    };
    assert!(called(Position::ROTARY, shortened()).is_ok());
    let error = called(
        Position::Alibi {
            strength: 0.0,
            slopes: Slopes::Paper,
        },
        shortened(),
    )
    .expect_err("refused");
    let found = (error.code, error.field.as_str());
    assert_eq!(found, (Code::NotApplicable, "linformer"));
    let both = CallOptions {
        masked_score: Some(-1e9),
        mask_after: true,
        ..CallOptions::default()
    };
    let error = called(Position::None, both).expect_err("refused");
    let found = (error.code, error.field.as_str());
    assert_eq!(found, (Code::NotApplicable, "mask_after_softmax"));
}

#[test]
fn given_heads_that_disagree() {
    let inputs = |q, k, v| HeadInputs {
        q: Array3::zeros(q),
        k: Array3::zeros(k),
        v: Array3::zeros(v),
        additive: None,
        output: None,
    };
    let options = LayerOptions {
        heads: 4,
        kv_heads: Some(2),
        ..LayerOptions::default()
    };
    let refused = |inputs, options| {
        let error = Request::from_heads(inputs, options, CallOptions::default())
            .expect_err("must be refused");
        (error.code, error.field)
    };
    let is = |code, field: &str| (code, field.to_owned());
    let fits = || inputs((4, 3, 5), (2, 7, 5), (2, 7, 6));
    assert!(Request::from_heads(fits(), options, CallOptions::default()).is_ok());
    assert_eq!(
        refused(inputs((3, 3, 5), (2, 7, 5), (2, 7, 6)), options),
        is(Code::ShapeMismatch, "q")
    );
    assert_eq!(
        refused(inputs((4, 3, 5), (2, 7, 4), (2, 7, 6)), options),
        is(Code::ShapeMismatch, "k")
    );
    assert_eq!(
        refused(inputs((4, 3, 5), (2, 8, 5), (2, 7, 6)), options),
        is(Code::ShapeMismatch, "k")
    );
    assert_eq!(
        refused(inputs((4, 3, 5), (2, 7, 5), (1, 7, 6)), options),
        is(Code::ShapeMismatch, "v")
    );
    let positioned = LayerOptions {
        position: Position::Sinusoidal,
        ..options
    };
    assert_eq!(
        refused(fits(), positioned),
        is(Code::NotApplicable, "position")
    );
    for position in [
        Position::ROTARY,
        Position::Alibi {
            strength: 2.0,
            slopes: Slopes::Paper,
        },
    ] {
        let positioned = LayerOptions {
            position,
            ..options
        };
        assert!(Request::from_heads(fits(), positioned, CallOptions::default()).is_ok());
    }
}

#[test]
fn a_missing_backend_and_missing_memory_are_said() {
    let request = Case::default().request(CallOptions::default());
    let error = run(request, BackendChoice::WebGpu).expect_err("must be refused");
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::BackendUnavailable, "backend")
    );
    let long = Array3::zeros((1, 1 << 24, 1));
    let weights = weights((1, 1 << 10), (1, 1 << 10), (1, 1 << 10));
    let layer = layer(weights, 1 << 10, None).expect("valid").into();
    let call = CallOptions {
        want: Outputs {
            weights: true,
            ..Outputs::NOTHING
        },
        ..CallOptions::default()
    };
    let error = Job::new(Request::new(layer, long, None, call).expect("valid")).err();
    assert_eq!(error.expect("must be refused").code, Code::TooLarge);
}
