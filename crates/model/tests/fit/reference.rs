//! The distance in 64-bit plain loops.

use model::fit::{D_MODEL, Fit};

/// Mean weights of all heads, `[n][n]`, with these numbers in place of the fit's own.
pub(crate) fn weights(fit: &Fit, numbers: &[f64]) -> Vec<Vec<f64>> {
    let n = fit.target().length();
    let (heads, d_k) = (fit.options().heads, fit.options().d_k);
    let x = |row: usize, c: usize| f64::from(fit.rows()[row * D_MODEL + c]);
    let projected = |which: usize, row: usize, column: usize| {
        let mut sum = 0.0;
        for c in 0..D_MODEL {
            sum += x(row, c) * numbers[(which * D_MODEL + c) * d_k + column];
        }
        sum
    };
    let mut mean = vec![vec![0.0; n]; n];
    for head in 0..heads {
        for (i, mean) in mean.iter_mut().enumerate() {
            let mut scores = Vec::new();
            for j in 0..n {
                let mut score = 0.0;
                for c in 0..d_k {
                    score += projected(head, i, c) * projected(heads + head, j, c);
                }
                scores.push(score / (d_k as f64).sqrt());
            }
            let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let exponentials: Vec<f64> = scores.iter().map(|s| (s - largest).exp()).collect();
            let sum: f64 = exponentials.iter().sum();
            for (mean, e) in mean.iter_mut().zip(&exponentials) {
                *mean += e / sum / heads as f64;
            }
        }
    }
    mean
}

/// The mean of `KL(T_i‖A_i)` over the rows that take part.
pub(crate) fn distance(fit: &Fit, numbers: &[f64]) -> f64 {
    let n = fit.target().length();
    let weights = weights(fit, numbers);
    let (mut sum, mut rows) = (0.0, 0);
    for (wanted, found) in fit.target().weights().chunks(n).zip(&weights) {
        if wanted.iter().all(|weight| *weight == 0.0) {
            continue;
        }
        rows += 1;
        for (wanted, found) in wanted.iter().zip(found) {
            let wanted = f64::from(*wanted);
            if wanted > 0.0 {
                sum += wanted * (wanted / found).ln();
            }
        }
    }
    sum / f64::from(rows)
}
