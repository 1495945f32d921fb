//! Gradients beside differences of the 64-bit reference's loss.

use attention::model::{Examples, Model, ModelConfig, reference};
use ndarray::{Array1, Array2, Axis};

use crate::compare::{assert_close, largest};
use crate::config::{all_mechanisms, examples, model};

/// Half the distance between the two losses of a difference.
const STEP: f64 = 1e-5;

/// The bias of W_O is added to every row, so its gradient is the sum of theirs.
#[test]
fn the_gradient_of_what_a_layer_returns_adds_up_to_that_of_its_bias() {
    for (name, config) in all_mechanisms() {
        let config = ModelConfig {
            biases: true,
            ..config
        };
        let (model, examples) = (model(config, 4), examples(&config));
        let all = model.gradients(&examples).expect("finite");
        for layer in 0..config.layers {
            let (score, rows) = model.output_gradient(&examples, layer).expect("finite");
            assert_eq!(score, all.score, "{name}");
            let shape = (rows.len() / config.d_model, config.d_model);
            let rows = Array2::from_shape_vec(shape, rows).expect("rows of d_model");
            assert_eq!(rows.nrows(), examples.words().all().len(), "{name}");
            let bias = format!("layers.{layer}.b_o");
            let spec = model.tensors().iter().find(|spec| spec.name == bias);
            let spec = spec.expect("a bias");
            let wanted: Array1<f64> = spec
                .range
                .clone()
                .map(|at| all.numbers[at].into())
                .collect();
            let found = rows.sum_axis(Axis(0));
            let allowed = (1e-5 * largest(&wanted)).max(1e-7);
            assert_close(&format!("{name}: layer {layer}"), &found, &wanted, allowed);
        }
        let beyond = model.output_gradient(&examples, config.layers);
        assert_eq!(beyond.expect_err("no such layer").field, "layer");
    }
}

#[test]
fn gradients_are_the_differences_of_the_reference() {
    for (name, config) in all_mechanisms() {
        let model = model(config, 3);
        assert_gradients(name, &model, &examples(&config));
    }
}

/// A query with some of its keys hidden, and one that sees nothing: what is hidden learns nothing.
#[test]
fn gradients_with_hidden_cells_are_the_differences_of_the_reference() {
    for (name, config) in all_mechanisms() {
        let (model, examples) = (model(config, 6), examples(&config));
        let n = examples.words().length();
        let blind: Vec<_> = (0..n).map(|key| (n - 1, key)).collect();
        let model = model.with_hidden(0, config.heads - 1, &[(2, 0), (2, 2)]);
        let model = model.and_then(|model| model.with_hidden(config.layers - 1, 0, &blind));
        assert_gradients(name, &model.expect("cells of its heads"), &examples);
    }
}

fn assert_gradients(name: &str, model: &Model, examples: &Examples) {
    let found = model.gradients(examples).expect("finite");
    let numbers: Vec<f64> = model.numbers().iter().map(|x| f64::from(*x)).collect();
    let loss_with = |at: usize, change: f64| {
        let mut numbers = numbers.clone();
        numbers[at] += change;
        reference::loss(model, &numbers, examples)
    };
    let exact = reference::loss(model, &numbers, examples);
    assert!((found.score.loss - exact).abs() < 1e-5, "{name}: loss");
    for spec in model.tensors() {
        let wanted: Array1<f64> = spec
            .range
            .clone()
            .map(|at| (loss_with(at, STEP) - loss_with(at, -STEP)) / (2.0 * STEP))
            .collect();
        let found = Array1::from(found.numbers[spec.range.clone()].to_vec());
        let allowed = (1e-5 * largest(&wanted)).max(1e-6);
        assert_close(&format!("{name}: {}", spec.name), &found, &wanted, allowed);
    }
}
