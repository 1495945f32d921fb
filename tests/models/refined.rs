//! What opened checkpoints have besides: beside the 64-bit reference, and where they change nothing.

use attention::Code;
use model::{
    Forward, Init, Local, LocalLayers, Model, ModelConfig, ModelOperation, ModelPositions, Norm,
    reference,
};
use ndarray::{Array1, Array4};

use crate::compare::{assert_close, largest};
use crate::config::{all_mechanisms, examples, model};

const ROTARY: ModelConfig = ModelConfig {
    positions: ModelPositions::Rotary { base: 50.0 },
    d_k: 6,
    ..ModelConfig::new(11, 7, 5, 3, 3)
};

fn forward(model: &Model) -> Forward {
    let examples = examples(model.config());
    model.forward(examples.words()).expect("finite")
}

fn weights(forward: &Forward) -> Vec<Array4<f32>> {
    forward.weights().cloned().collect()
}

#[test]
fn weights_and_logits_are_those_of_the_reference() {
    let divided = ModelConfig {
        rotary_divisors: true,
        local: Some(Local {
            layers: LocalLayers::From(2),
            window: 1,
            rotary_base: Some(9.0),
        }),
        ..ROTARY
    };
    let open = ModelConfig {
        logits: false,
        norm: Norm::Layer,
        final_norm: true,
        ..ROTARY
    };
    let others = [("divided angles", divided), ("no logits", open)];
    for (name, config) in all_mechanisms().into_iter().chain(others) {
        let (model, examples) = (model(config, 5), examples(&config));
        let numbers: Vec<f64> = model.numbers().iter().map(|x| f64::from(*x)).collect();
        let found = model.forward(examples.words()).expect("finite");
        let exact = reference::weights(&model, &numbers, examples.words());
        for (found, wanted) in found.weights().zip(exact) {
            let found: Array1<f32> = found.iter().copied().collect();
            assert_close(name, &found, &Array1::from(wanted), 1e-5);
        }
        let exact = reference::logits(&model, &numbers, examples.words());
        let exact: Array1<f64> = exact.into_iter().flatten().flatten().collect();
        let last = match config.logits {
            true => found.logits(),
            false => found.hidden(),
        };
        let allowed = 1e-5 * largest(&exact).max(1.0);
        assert_close(name, &Array1::from(last.to_vec()), &exact, allowed);
    }
}

/// `model(…)` moves them away from 1, so that they do change something there.
#[test]
fn divisors_of_1_change_nothing_and_others_do() {
    let config = ModelConfig {
        rotary_divisors: true,
        ..ROTARY
    };
    let divided = Model::random(config, Init::Xavier, 3).expect("valid");
    let plain = Model::from_tensors(ROTARY, |name| {
        let spec = divided.tensors().iter().find(|spec| spec.name == name)?;
        let numbers = divided.numbers()[spec.range.clone()].to_vec();
        ndarray::ArrayD::from_shape_vec(spec.shape.clone(), numbers).ok()
    });
    let plain = plain.expect("all tensors but one");
    assert_eq!(weights(&forward(&plain)), weights(&forward(&divided)));
    let mut numbers = divided.numbers().to_vec();
    let mut specs = divided.tensors().iter();
    let spec = specs.find(|spec| spec.name == "rotary_divisors");
    let spec = spec.expect("the model has them");
    assert_eq!(spec.shape, [3]);
    numbers[spec.range.start + 1] = 4.0;
    let other = divided.with_numbers(&numbers).expect("finite");
    assert_ne!(weights(&forward(&other)), weights(&forward(&divided)));
}

#[test]
fn a_window_as_wide_as_the_text_hides_nothing_and_a_narrow_one_all_that_is_far() {
    let windowed = |window| ModelConfig {
        causal: true,
        local: Some(Local {
            layers: LocalLayers::AllButEvery(3),
            window,
            rotary_base: None,
        }),
        ..ROTARY
    };
    let open = ModelConfig {
        local: None,
        ..windowed(0)
    };
    let weights_of = |config| weights(&forward(&model(config, 2)));
    assert_eq!(weights_of(windowed(4)), weights_of(open));
    for (layer, weights) in weights_of(windowed(1)).iter().enumerate() {
        for ((_, _, i, j), weight) in weights.indexed_iter() {
            let is_seen = j <= i && (layer == 2 || i - j <= 1);
            assert_eq!(*weight > 0.0, is_seen, "layer {layer}, {i}, {j}");
        }
    }
}

#[test]
fn places_begin_where_the_config_says() {
    let shifted = ModelConfig {
        first_position: 2,
        ..ModelConfig::new(11, 5, 5, 1, 1)
    };
    let shifted = model(shifted, 8);
    assert_eq!(shifted.tensors()[1].shape, [7, 5]);
    let plain = Model::from_tensors(ModelConfig::new(11, 5, 5, 1, 1), |name| {
        let spec = shifted.tensors().iter().find(|spec| spec.name == name)?;
        let mut numbers = shifted.numbers()[spec.range.clone()].to_vec();
        let mut shape = spec.shape.clone();
        if name == "positions" {
            numbers.drain(..10);
            shape[0] = 5;
        }
        ndarray::ArrayD::from_shape_vec(shape, numbers).ok()
    });
    let plain = plain.expect("its tensors");
    assert_eq!(forward(&plain).logits(), forward(&shifted).logits());
}

#[test]
fn hidden_rows_are_what_logits_are_made_of() {
    let config = ModelConfig {
        norm: Norm::Rms,
        final_norm: true,
        tied: true,
        ..ROTARY
    };
    let with = model(config, 4);
    let without = ModelConfig {
        logits: false,
        ..config
    };
    let without = Model::from_tensors(without, |name| {
        let spec = with.tensors().iter().find(|spec| spec.name == name)?;
        let numbers = with.numbers()[spec.range.clone()].to_vec();
        ndarray::ArrayD::from_shape_vec(spec.shape.clone(), numbers).ok()
    });
    let without = without.expect("the same tensors");
    let (with, without) = (forward(&with), forward(&without));
    assert_eq!(with.hidden(), without.hidden());
    assert!(without.logits().is_empty() && !with.logits().is_empty());
}

#[test]
fn the_steps_of_parallel_parts_read_the_same_rows() {
    let config = ModelConfig {
        parallel: true,
        mlp: 9,
        logit_cap: Some(3.0),
        layers: 1,
        ..ROTARY
    };
    use ModelOperation::{
        AddBranch, AddHeld, Attention, Branch, CapLogits, Embed, Hold, Mlp, Unembed,
    };
    let steps: Vec<_> = model(config, 1).operations().collect();
    let wanted = [
        Embed,
        Branch,
        Attention(0),
        Hold,
        Branch,
        Mlp(0),
        AddHeld,
        AddBranch,
        Unembed,
        CapLogits,
    ];
    assert_eq!(steps, wanted);
}

#[test]
fn what_has_no_gradients_is_refused_by_name() {
    let cases = [
        (
            "rotary_divisors",
            ModelConfig {
                rotary_divisors: true,
                ..ROTARY
            },
        ),
        (
            "logits",
            ModelConfig {
                logits: false,
                ..ROTARY
            },
        ),
    ];
    for (field, config) in cases {
        let (model, examples) = (model(config, 1), examples(&config));
        let error = model.gradients(&examples).expect_err(field);
        assert_eq!(
            (error.code, error.field.as_str()),
            (Code::NotApplicable, field)
        );
        let error = model.layer_gradients(&examples, 0).expect_err(field);
        assert_eq!(error.field, field);
        assert_eq!(model.score(&examples).is_err(), field == "logits");
    }
}
