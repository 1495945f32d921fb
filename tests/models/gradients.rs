//! Gradients beside differences of the 64-bit reference's loss.

use attention::model::reference;
use ndarray::Array1;

use crate::compare::{assert_close, largest};
use crate::config::{all_mechanisms, examples, model};

/// Half the distance between the two losses of a difference.
const STEP: f64 = 1e-5;

#[test]
fn gradients_are_the_differences_of_the_reference() {
    for (name, config) in all_mechanisms() {
        let model = model(config, 3);
        let examples = examples(&config);
        let found = model.gradients(&examples).expect("finite");
        let numbers: Vec<f64> = model.numbers().iter().map(|x| f64::from(*x)).collect();
        let loss_with = |at: usize, change: f64| {
            let mut numbers = numbers.clone();
            numbers[at] += change;
            reference::loss(&model, &numbers, &examples)
        };
        let exact = reference::loss(&model, &numbers, &examples);
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
}
