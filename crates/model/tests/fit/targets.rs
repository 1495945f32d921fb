//! Targets that tests aim at.

use model::fit::{Fit, FitOptions, STEPS, Target};

/// A source of whole numbers for tests (Numerical Recipes' linear congruence).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % count
    }
}

/// Rows that look evenly at the keys that `keys` says.
pub(crate) fn looking_at(n: usize, keys: impl Fn(usize) -> Vec<usize>) -> Target {
    let mut cells = vec![false; n * n];
    for row in 0..n {
        for key in keys(row) {
            cells[row * n + key] = true;
        }
    }
    Target::from_cells(n, &cells).expect("square")
}

pub(crate) fn previous(n: usize) -> Target {
    looking_at(n, |row| row.checked_sub(1).into_iter().collect())
}

pub(crate) fn reverse(n: usize) -> Target {
    looking_at(n, |row| vec![n - 1 - row])
}

/// Each row looks at one key, in a random order.
pub(crate) fn any_order(n: usize, seed: u64) -> Target {
    let mut numbers = Numbers(seed);
    let mut order: Vec<usize> = (0..n).collect();
    for last in (1..n).rev() {
        order.swap(last, numbers.below(last + 1));
    }
    looking_at(n, |row| vec![order[row]])
}

/// Each row looks at `count` arbitrary keys.
pub(crate) fn any_keys(n: usize, count: usize, seed: u64) -> Target {
    let mut numbers = Numbers(seed);
    let rows: Vec<Vec<usize>> = (0..n)
        .map(|_| {
            let mut keys = Vec::new();
            while keys.len() < count {
                let key = numbers.below(n);
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
            keys
        })
        .collect();
    looking_at(n, |row| rows[row].clone())
}

/// Different words.
pub(crate) fn different(n: usize) -> Vec<usize> {
    (0..n).collect()
}

pub(crate) fn options(heads: usize, d_k: usize, seed: u32) -> FitOptions {
    FitOptions {
        heads,
        d_k,
        has_positions: false,
        seed,
    }
}

/// Distance after all steps.
pub(crate) fn remaining(words: &[usize], target: Target, options: FitOptions) -> f64 {
    let mut fit = Fit::new(words, target, options).expect("within limits");
    for _ in 0..STEPS {
        fit.step().expect("finite");
        assert!(fit.distance() >= 0.0, "{}", fit.distance());
    }
    fit.distance()
}
