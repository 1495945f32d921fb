//! Distance and gradients beside the 64-bit reference and differences of it.

use model::fit::{Fit, FitOptions, Target};
use ndarray::{Array1, Array2};

use crate::compare::{assert_close, largest};
use crate::reference;
use crate::targets::{Numbers, options};

/// Half the distance between the two values of a difference.
const STEP: f64 = 1e-5;

/// Uneven weights; the third row takes no part, and each row leaves a key out.
fn uneven(n: usize) -> Target {
    let mut numbers = Numbers(9);
    let mut weights = Vec::new();
    for row in 0..n {
        let mut own: Vec<f32> = (0..n).map(|_| (1 + numbers.below(9)) as f32).collect();
        own[row] = 0.0;
        let sum: f32 = own.iter().sum();
        let is_painted = f32::from(u8::from(row != 2));
        weights.extend(own.iter().map(|weight| is_painted * weight / sum));
    }
    Target::new(n, weights).expect("rows that sum to 1")
}

fn fit(n: usize, heads: usize, d_k: usize, steps: usize) -> Fit {
    let options = FitOptions {
        has_positions: true,
        ..options(heads, d_k, 3)
    };
    let words: Vec<usize> = (0..n).map(|place| place / 2).collect();
    let mut fit = Fit::new(&words, uneven(n), options).expect("within limits");
    (0..steps).for_each(|_| fit.step().expect("finite"));
    fit
}

#[test]
fn weights_and_distance_are_those_of_the_reference() {
    for (n, heads, d_k, steps) in [(7, 1, 3, 0), (5, 3, 2, 0), (7, 2, 5, 40), (3, 1, 1, 0)] {
        let fit = fit(n, heads, d_k, steps);
        let numbers: Vec<f64> = fit.numbers().iter().map(|x| f64::from(*x)).collect();
        let wanted = reference::weights(&fit, &numbers).concat();
        let wanted = Array2::from_shape_vec((n, n), wanted).expect("square");
        let found = Array2::from_shape_vec((n, n), fit.weights().to_vec()).expect("square");
        let name = format!("{n} words, {heads} heads of {d_k}");
        assert_close(&name, &found, &wanted, 1e-5);
        let exact = reference::distance(&fit, &numbers);
        assert!((fit.distance() - exact).abs() < 1e-5, "{name}: {exact}");
    }
}

#[test]
fn gradients_are_the_differences_of_the_reference() {
    for (n, heads, d_k, steps) in [(7, 1, 3, 0), (5, 3, 2, 0), (5, 2, 3, 20)] {
        let fit = fit(n, heads, d_k, steps);
        let mut numbers: Vec<f64> = fit.numbers().iter().map(|x| f64::from(*x)).collect();
        let mut distance_with = |at: usize, change: f64| {
            let before = numbers[at];
            numbers[at] += change;
            let distance = reference::distance(&fit, &numbers);
            numbers[at] = before;
            distance
        };
        let found = Array1::from(fit.gradients());
        let wanted: Array1<f64> = (0..found.len())
            .map(|at| (distance_with(at, STEP) - distance_with(at, -STEP)) / (2.0 * STEP))
            .collect();
        let allowed = (2e-5 * largest(&wanted)).max(1e-6);
        let name = format!("{n} words, {heads} heads of {d_k}, after {steps} steps");
        assert_close(&name, &found, &wanted, allowed);
    }
}
