//! `tests/golden/models`: what PyTorch in 64 bit made of the same numbers.

use model::{Examples, Model, Optimizer, OptimizerKind, OptimizerOptions, reference};
use ndarray::{Array1, ArrayD, IxDyn};
use serde_json::Value;

use crate::compare::{assert_close, largest};
use crate::golden_file::{array, examples, file, model, number};

/// A tensor of `numbers`, as the model has it.
fn tensor(model: &Model, numbers: &[f32], name: &str) -> ArrayD<f32> {
    let spec = model
        .tensors()
        .iter()
        .find(|spec| spec.name == name)
        .expect(name);
    let numbers = numbers[spec.range.clone()].to_vec();
    ArrayD::from_shape_vec(IxDyn(&spec.shape), numbers).expect("its own shape")
}

fn check_forward(name: &str, file: &Value, model: &Model, examples: &Examples) {
    let wanted = array(&file["logits"]);
    let flat = Array1::from_iter(wanted.iter().copied());
    let numbers: Vec<f64> = model.numbers().iter().map(|x| f64::from(*x)).collect();
    let exact = reference::logits(model, &numbers, examples.words());
    let exact = Array1::from_iter(exact.into_iter().flatten().flatten());
    assert_close(&format!("{name}: reference"), &exact, &flat, 1e-6);
    let forward = model.forward(examples.words()).expect("finite");
    let logits = Array1::from(forward.logits().to_vec());
    assert_close(&format!("{name}: logits"), &logits, &flat, 1e-5);
    let wanted = file["weights"].as_array().expect("layers");
    assert_eq!(forward.weights().count(), wanted.len());
    for (layer, (found, wanted)) in forward.weights().zip(wanted).enumerate() {
        let what = format!("{name}: weights of layer {layer}");
        assert_close(&what, &found.clone().into_dyn(), &array(wanted), 1e-5);
    }
}

fn check_gradients(name: &str, file: &Value, model: &Model, examples: &Examples) {
    let found = model.gradients(examples).expect("finite");
    let loss = number(&file["loss"]);
    assert!(
        (found.score.loss - loss).abs() <= 1e-5,
        "{name}: loss {}",
        found.score.loss
    );
    let norm = number(&file["gradient_norm"]);
    assert!(
        (found.norm - norm).abs() <= 1e-5 * norm,
        "{name}: norm {}",
        found.norm
    );
    let wanted = file["gradients"].as_object().expect("tensors");
    assert_eq!(wanted.len(), model.tensors().len());
    for (tensor_name, wanted) in wanted {
        let wanted = array(wanted);
        let found = tensor(model, &found.numbers, tensor_name);
        let allowed = (1e-5 * largest(&wanted)).max(1e-6);
        assert_close(
            &format!("{name}: gradient of {tensor_name}"),
            &found,
            &wanted,
            allowed,
        );
    }
}

fn options(file: &Value) -> OptimizerOptions {
    let optimizer = &file["optimizer"];
    OptimizerOptions {
        kind: match optimizer["kind"].as_str() {
            Some("adamw") => OptimizerKind::AdamW,
            Some("sgd") => OptimizerKind::Sgd,
            other => panic!("optimizer {other:?}"),
        },
        rate: number(&optimizer["rate"]),
        betas: [
            number(&optimizer["betas"][0]),
            number(&optimizer["betas"][1]),
        ],
        epsilon: number(&optimizer["epsilon"]),
        weight_decay: number(&optimizer["weight_decay"]),
        warmup: number(&optimizer["warmup"]) as u32,
        clip: optimizer["clip"].as_f64(),
    }
}

fn check_steps(name: &str, file: &Value, model: &mut Model, examples: &Examples) {
    let mut optimizer = Optimizer::new(options(file), model).expect("valid options");
    for (at, wanted) in file["steps"].as_array().expect("steps").iter().enumerate() {
        let report = optimizer.step(model, examples).expect("finite");
        let (loss, norm) = (number(&wanted["loss"]), number(&wanted["gradient_norm"]));
        assert!(
            (report.score.loss - loss).abs() <= 1e-5,
            "{name}: loss of step {at}: {} for {loss}",
            report.score.loss
        );
        assert!(
            (report.norm - norm).abs() <= 2e-5 * norm,
            "{name}: norm of step {at}"
        );
    }
    for (tensor_name, wanted) in file["after"].as_object().expect("tensors") {
        let found = tensor(model, model.numbers(), tensor_name);
        assert_close(
            &format!("{name}: {tensor_name} afterwards"),
            &found,
            &array(wanted),
            1e-5,
        );
    }
}

fn check(name: &str) {
    let file = file(name);
    let mut model = model(&file);
    let examples = examples(&file, &model);
    check_forward(name, &file, &model, &examples);
    check_gradients(name, &file, &model, &examples);
    check_steps(name, &file, &mut model, &examples);
}

#[test]
fn attention_only() {
    check("attention_only");
}

#[test]
fn bert() {
    check("bert");
}

#[test]
fn gpt() {
    check("gpt");
}

#[test]
fn llama() {
    check("llama");
}

#[test]
fn one_layer_sinusoidal() {
    check("one_layer_sinusoidal");
}
