//! Models on the device against the same on the processor, mechanism by mechanism.

#[path = "../models/config.rs"]
mod config;

use gpu::{DeviceModel, Gpu, Pass, Tier};
use model::{
    Examples, Model, ModelConfig, Optimizer, OptimizerKind, OptimizerOptions, Words,
};
use ndarray::{Array1, ArrayD};
use pollster::block_on;

use self::config::{all_mechanisms, examples, model};
use crate::common::compare::{assert_close, largest};
use crate::common::gpu::on_gpu;

/// Does something with the device in both tiers.
fn on_both(act: impl Fn(&Gpu) + Send + Clone + 'static) {
    for tier in [Tier::Software, Tier::Hardware] {
        let act = act.clone();
        on_gpu(move |gpu| act(&gpu.clone().with_tier(tier)));
    }
}

fn array(numbers: &[f32]) -> ArrayD<f32> {
    Array1::from(numbers.to_vec()).into_dyn()
}

fn wide(numbers: &[f32]) -> ArrayD<f64> {
    array(numbers).mapv(f64::from)
}

/// Everything that a pass can bring back.
fn all(config: &ModelConfig) -> Pass {
    Pass {
        weights: (0..config.layers).collect(),
        logits: true,
        hidden: true,
    }
}

fn uploaded(gpu: &Gpu, model: &Model) -> DeviceModel {
    block_on(DeviceModel::upload(gpu, model)).expect("room for a small model")
}

fn check_forward(what: &str, gpu: &Gpu, model: &Model, words: &Words) {
    let device = uploaded(gpu, model);
    let found = block_on(device.forward(model, words, &all(model.config())));
    let found = found.unwrap_or_else(|error| panic!("{what}: {error}"));
    let wanted = model.forward(words).expect("finite");
    let pairs = [
        ("logits", &found.logits, wanted.logits()),
        ("hidden", &found.hidden, wanted.hidden()),
    ];
    for (field, found, wanted) in pairs {
        let allowed = 1e-5 * largest(&wide(wanted)).max(1.0);
        let what = format!("{what}, {:?}: {field}", gpu.tier());
        assert_close(&what, &array(found), &wide(wanted), allowed);
    }
    assert_eq!(found.weights.len(), model.config().layers);
    for (found, wanted) in found.weights.iter().zip(wanted.weights()) {
        let wanted = wanted.as_slice().expect("in order");
        let what = format!("{what}, {:?}: weights", gpu.tier());
        assert_close(&what, &array(found), &wide(wanted), 1e-5);
    }
}

fn check_gradients(what: &str, gpu: &Gpu, model: &Model, examples: &Examples) {
    let device = uploaded(gpu, model);
    let wanted = model.gradients(examples).expect("finite");
    let found = block_on(device.gradients(model, examples));
    let found = found.unwrap_or_else(|error| panic!("{what}: {error}"));
    let what = format!("{what}, {:?}", gpu.tier());
    let score = block_on(device.score(model, examples)).expect("as its gradients");
    assert_eq!(score, found.score, "{what}");
    assert!((score.loss - wanted.score.loss).abs() < 1e-5, "{what}");
    assert_eq!(score.accuracy, wanted.score.accuracy, "{what}");
    let error = (found.norm - wanted.norm).abs();
    assert!(error <= 1e-5 * wanted.norm, "{what}: {error}");
    let numbers = block_on(device.read_gradients(&found)).expect("finite");
    for spec in model.tensors() {
        let wanted = wide(&wanted.numbers[spec.range.clone()]);
        let allowed = (1e-5 * largest(&wanted)).max(1e-6);
        let what = format!("{what}: gradient of {}", spec.name);
        assert_close(&what, &array(&numbers[spec.range.clone()]), &wanted, allowed);
    }
}

fn options() -> Vec<OptimizerOptions> {
    let adam = OptimizerOptions {
        rate: 0.01,
        weight_decay: 0.1,
        warmup: 2,
        // Gradients that are nothing but rounding, as those of biases of keys, would become steps of full length.
        epsilon: 1e-3,
        ..OptimizerOptions::default()
    };
    let clipped = OptimizerOptions {
        clip: Some(0.1),
        ..adam
    };
    let plain = OptimizerOptions {
        kind: OptimizerKind::Sgd,
        rate: 0.1,
        ..OptimizerOptions::default()
    };
    vec![adam, clipped, plain]
}

/// Three steps on either side, the last two from where the first has left the optimizer.
fn check_steps(what: &str, gpu: &Gpu, model: &Model, examples: &Examples, options: OptimizerOptions) {
    let (mut own, mut optimizer) = (model.clone(), Optimizer::new(options, model).expect("valid"));
    optimizer.step(&mut own, examples).expect("finite");
    let (start, mut on_device) = (own.clone(), optimizer.clone());
    let mut device = uploaded(gpu, &start);
    device.take_moments(&on_device);
    for step in 0..2 {
        let wanted = optimizer.step(&mut own, examples).expect("finite");
        let found = block_on(device.step(&start, &mut on_device, examples)).expect("finite");
        let what = format!("{what}, {:?}: step {step}", gpu.tier());
        assert!((found.score.loss - wanted.score.loss).abs() < 1e-5, "{what}");
        assert!((found.norm - wanted.norm).abs() <= 2e-5 * wanted.norm, "{what}");
        assert_eq!(found.rate, wanted.rate, "{what}");
    }
    let (numbers, moments) = block_on(device.learned()).expect("on the device");
    let what = format!("{what}, {:?}", gpu.tier());
    assert_close(&what, &array(&numbers), &wide(own.numbers()), 2e-5);
    for (found, wanted) in moments.iter().flatten().zip(optimizer.moments()) {
        let allowed = 1e-5 * largest(&wide(wanted)).max(1e-3);
        assert_close(&what, &array(found), &wide(wanted), allowed);
    }
    assert_eq!(moments.is_some(), options.kind == OptimizerKind::AdamW);
}

#[test]
fn every_mechanism_of_a_model_forward() {
    on_both(|gpu| {
        for (what, config) in all_mechanisms() {
            let model = model(config, 5);
            check_forward(what, gpu, &model, examples(&config).words());
        }
    });
}

#[test]
fn every_mechanism_of_a_model_backward() {
    on_both(|gpu| {
        for (what, config) in all_mechanisms() {
            let model = model(config, 5);
            check_gradients(what, gpu, &model, &examples(&config));
        }
    });
}

#[test]
fn steps_of_every_optimizer() {
    on_both(|gpu| {
        for (what, config) in all_mechanisms().into_iter().step_by(5) {
            for options in options() {
                check_steps(what, gpu, &model(config, 5), &examples(&config), options);
            }
        }
    });
}
