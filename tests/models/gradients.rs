//! Gradients beside differences of the 64-bit reference's loss.

use model::{Examples, Gradients, LayerGradients, Model, ModelConfig, NormPlace, reference};
use ndarray::{Array1, Array2, Axis};

use crate::compare::{assert_close, largest};
use crate::config::{all_mechanisms, examples, model};

/// Half the distance between the two losses of a difference.
const STEP: f64 = 1e-5;

/// The bias of W_O is added to every row that a layer returns, and the shift of a norm to every row that enters one: their gradients are
/// the sums of those of the rows.
#[test]
fn gradients_around_a_layer_add_up_to_those_of_what_is_added_to_its_rows() {
    let mut has_shift = false;
    for (name, config) in all_mechanisms() {
        let config = ModelConfig {
            biases: true,
            ..config
        };
        let (model, examples) = (model(config, 4), examples(&config));
        let all = model.gradients(&examples).expect("finite");
        for layer in 0..config.layers {
            let around = model.layer_gradients(&examples, layer).expect("finite");
            assert_eq!(around.score, all.score, "{name}");
            let added = |part: &str| sum_of(&model, &all, &format!("layers.{layer}.{part}"));
            let bias = added("b_o").expect("a bias");
            assert_sums(name, &around.output, &bias, &examples);
            let shift = added("norm_1.shift").filter(|_| config.norm_place == NormPlace::Before);
            if let Some(shift) = shift {
                assert_sums(name, &around.input, &shift, &examples);
                has_shift = true;
            }
            assert_logits(name, &around, &examples);
        }
        let beyond = model.layer_gradients(&examples, config.layers);
        assert_eq!(beyond.expect_err("no such layer").field, "layer");
    }
    assert!(has_shift, "no config has a norm before its layers");
}

/// The gradient of a tensor; `None` where the model has no such tensor.
fn sum_of(model: &Model, all: &Gradients, name: &str) -> Option<Array1<f64>> {
    let spec = model.tensors().iter().find(|spec| spec.name == name)?;
    let numbers = all.numbers[spec.range.clone()].iter();
    Some(numbers.map(|x| f64::from(*x)).collect())
}

fn assert_sums(name: &str, rows: &[f32], wanted: &Array1<f64>, examples: &Examples) {
    let shape = (rows.len() / wanted.len(), wanted.len());
    let rows = Array2::from_shape_vec(shape, rows.to_vec()).expect("rows of d_model");
    assert_eq!(rows.nrows(), examples.words().all().len(), "{name}");
    let found = rows.mapv(f64::from).sum_axis(Axis(0));
    let allowed = (1e-5 * largest(wanted)).max(1e-7);
    assert_close(name, &found, wanted, allowed);
}

/// Logits may all grow alike, and rows without a target change nothing.
fn assert_logits(name: &str, around: &LayerGradients, examples: &Examples) {
    let rows = examples.words().all().len();
    let rows = around.logits.chunks_exact(around.logits.len() / rows);
    for (row, target) in rows.zip(examples.targets()) {
        let sum: f64 = row.iter().map(|x| f64::from(*x)).sum();
        assert!(sum.abs() < 1e-6, "{name}: {sum}");
        let least = row.iter().copied().fold(0.0, f32::min);
        assert_eq!(target.map_or(0.0, |target| row[target]), least, "{name}");
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
