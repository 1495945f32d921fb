//! Rejected inputs name their field.

use attention::Code;
use model::{
    Examples, Init, Local, LocalLayers, Model, ModelConfig, ModelPositions, NormPlace, Optimizer,
    OptimizerOptions, Words,
};
use ndarray::ArrayD;

use crate::config::model;

const PLAIN: ModelConfig = ModelConfig::new(11, 7, 6, 2, 3);

fn refused(config: ModelConfig, code: Code, field: &str) {
    let error = Model::random(config, Init::Xavier, 1).expect_err(field);
    assert_eq!((error.code, error.field.as_str()), (code, field));
}

#[test]
fn configs() {
    refused(
        ModelConfig {
            vocabulary: 0,
            ..PLAIN
        },
        Code::ShapeMismatch,
        "vocabulary",
    );
    refused(
        ModelConfig { length: 0, ..PLAIN },
        Code::ShapeMismatch,
        "length",
    );
    refused(
        ModelConfig {
            d_model: 0,
            ..PLAIN
        },
        Code::ShapeMismatch,
        "d_model",
    );
    refused(
        ModelConfig { layers: 0, ..PLAIN },
        Code::ShapeMismatch,
        "layers",
    );
    refused(
        ModelConfig { heads: 0, ..PLAIN },
        Code::ShapeMismatch,
        "heads",
    );
    refused(ModelConfig { d_k: 0, ..PLAIN }, Code::ShapeMismatch, "d_k");
    refused(
        ModelConfig {
            kv_heads: 2,
            ..PLAIN
        },
        Code::KvHeadsDoNotDivide,
        "kv_heads",
    );
    refused(
        ModelConfig {
            kv_heads: 0,
            ..PLAIN
        },
        Code::KvHeadsDoNotDivide,
        "kv_heads",
    );
    refused(
        ModelConfig {
            epsilon: 0.0,
            ..PLAIN
        },
        Code::UnknownOption,
        "epsilon",
    );
    refused(
        ModelConfig {
            epsilon: f32::NAN,
            ..PLAIN
        },
        Code::NotFinite,
        "epsilon",
    );
    let rotary = |base| ModelConfig {
        positions: ModelPositions::Rotary { base },
        ..PLAIN
    };
    refused(rotary(-1.0), Code::UnknownOption, "rotary_base");
    for huge in [
        ModelConfig {
            vocabulary: usize::MAX,
            ..PLAIN
        },
        ModelConfig {
            layers: 1 << 30,
            ..PLAIN
        },
        ModelConfig {
            mlp: usize::MAX / 2,
            ..PLAIN
        },
    ] {
        refused(huge, Code::TooLarge, "config");
    }
}

#[test]
fn tensors() {
    let given = |name: &str, wrong: Option<ArrayD<f32>>| {
        let drawn = model(PLAIN, 1);
        Model::from_tensors(PLAIN, |asked| {
            if asked == name {
                return wrong.clone();
            }
            let spec = drawn.tensors().iter().find(|spec| spec.name == asked)?;
            Some(ArrayD::zeros(spec.shape.clone()))
        })
        .expect_err(name)
    };
    let error = given("layers.1.w_k", None);
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::MissingField, "tensors.layers.1.w_k")
    );
    let error = given("tokens", Some(ArrayD::zeros(vec![6, 11])));
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::ShapeMismatch, "tensors.tokens")
    );
    let error = given("positions", Some(ArrayD::from_elem(vec![7, 6], f32::NAN)));
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::NotFinite, "tensors.positions")
    );
}

#[test]
fn words_and_targets() {
    let words = |rows: &[Vec<usize>]| Words::new(&PLAIN, rows).map(|_| ());
    let refused = |result: Result<(), attention::Error>, code, field: &str| {
        let error = result.expect_err(field);
        assert_eq!((error.code, error.field.as_str()), (code, field));
    };
    refused(
        words(&[vec![1], vec![1, 2]]),
        Code::ShapeMismatch,
        "tokens[1]",
    );
    refused(words(&[vec![0; 8]]), Code::ShapeMismatch, "tokens");
    refused(
        words(&[vec![1, 2], vec![3, 11]]),
        Code::UnknownOption,
        "tokens[1][1]",
    );
    let targets = |rows: &[Vec<Option<usize>>]| {
        let words = Words::new(&PLAIN, &[vec![1, 2], vec![3, 4]]).expect("words");
        Examples::new(&PLAIN, words, rows).map(|_| ())
    };
    let row = |target| vec![None, Some(target)];
    refused(targets(&[row(1)]), Code::ShapeMismatch, "targets");
    refused(
        targets(&[row(1), row(11)]),
        Code::UnknownOption,
        "targets[1][1]",
    );
    refused(
        targets(&[vec![None; 2], vec![None; 2]]),
        Code::MissingField,
        "targets",
    );
}

#[test]
fn options_of_optimizers() {
    let model = model(PLAIN, 1);
    let plain = OptimizerOptions::default();
    let refused = |options, code, field: &str| {
        let error = Optimizer::new(options, &model).expect_err(field);
        assert_eq!((error.code, error.field.as_str()), (code, field));
    };
    refused(
        OptimizerOptions {
            rate: -1.0,
            ..plain
        },
        Code::UnknownOption,
        "optimizer.rate",
    );
    refused(
        OptimizerOptions {
            rate: f64::NAN,
            ..plain
        },
        Code::NotFinite,
        "optimizer.rate",
    );
    refused(
        OptimizerOptions {
            betas: [0.9, 1.0],
            ..plain
        },
        Code::UnknownOption,
        "optimizer.betas",
    );
    refused(
        OptimizerOptions {
            clip: Some(0.0),
            ..plain
        },
        Code::UnknownOption,
        "optimizer.clip",
    );
    refused(
        OptimizerOptions {
            weight_decay: -0.1,
            ..plain
        },
        Code::UnknownOption,
        "optimizer.weight_decay",
    );
    let error = Model::random(PLAIN, Init::Normal { std: -1.0 }, 1).expect_err("std");
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::UnknownOption, "std")
    );
}

#[test]
fn additions_that_do_not_fit_are_refused_by_name() {
    let rotary = ModelConfig {
        positions: ModelPositions::Rotary { base: 1e4 },
        d_k: 6,
        ..PLAIN
    };
    let columns = |columns| ModelConfig {
        rotary_columns: Some(columns),
        ..rotary
    };
    for wrong in [0, 3, 8] {
        refused(columns(wrong), Code::ShapeMismatch, "rotary_columns");
    }
    assert_eq!(columns(6).check(), Ok(()));
    let local = |layers, rotary_base| {
        Some(Local {
            layers,
            window: 3,
            rotary_base,
        })
    };
    let (no, unknown, shape) = (
        Code::NotApplicable,
        Code::UnknownOption,
        Code::ShapeMismatch,
    );
    let cases = [
        (
            no,
            "rotary_columns",
            ModelConfig {
                rotary_columns: Some(2),
                ..PLAIN
            },
        ),
        (
            no,
            "rotary_divisors",
            ModelConfig {
                rotary_divisors: true,
                ..PLAIN
            },
        ),
        (
            no,
            "local.rotary_base",
            ModelConfig {
                local: local(LocalLayers::All, Some(9.0)),
                ..PLAIN
            },
        ),
        (
            unknown,
            "local.rotary_base",
            ModelConfig {
                local: local(LocalLayers::All, Some(0.0)),
                ..rotary
            },
        ),
        (
            shape,
            "local.layers",
            ModelConfig {
                local: local(LocalLayers::AllButEvery(0), None),
                ..PLAIN
            },
        ),
        (
            no,
            "parallel",
            ModelConfig {
                parallel: true,
                residual: false,
                ..PLAIN
            },
        ),
        (
            no,
            "parallel",
            ModelConfig {
                parallel: true,
                norm_place: NormPlace::Both,
                ..PLAIN
            },
        ),
        (
            no,
            "first_position",
            ModelConfig {
                first_position: 2,
                ..rotary
            },
        ),
        (
            no,
            "masked_head",
            ModelConfig {
                logits: false,
                masked_head: true,
                ..PLAIN
            },
        ),
        (
            no,
            "logit_cap",
            ModelConfig {
                logits: false,
                logit_cap: Some(1.0),
                ..PLAIN
            },
        ),
        (
            unknown,
            "logit_cap",
            ModelConfig {
                logit_cap: Some(-1.0),
                ..PLAIN
            },
        ),
        (
            unknown,
            "score_cap",
            ModelConfig {
                score_cap: Some(0.0),
                ..PLAIN
            },
        ),
        (
            Code::NotFinite,
            "score_scale",
            ModelConfig {
                score_scale: Some(f32::INFINITY),
                ..PLAIN
            },
        ),
        (
            unknown,
            "embedding_scale",
            ModelConfig {
                embedding_scale: 0.0,
                ..PLAIN
            },
        ),
    ];
    for (code, field, config) in cases {
        refused(config, code, field);
    }
}
