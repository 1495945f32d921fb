//! Adam's rule, number by number (Kingma and Ba 2015, algorithm 1; decay apart from it: Loshchilov and Hutter 2019, algorithm 2).

/// `m ← β₁m + (1 − β₁)g`, `v ← β₂v + (1 − β₂)g²`, `w ← keep·w − rate·m̂/(√v̂ + ε)` with `m̂ = m/(1 − β₁ᵗ)`, `v̂ = v/(1 − β₂ᵗ)`.
#[derive(Debug, Clone)]
pub(crate) struct Adam {
    betas: [f64; 2],
    epsilon: f64,
    /// `β₁ᵗ` and `β₂ᵗ`.
    powers: [f64; 2],
    /// `m` and `v` of every number.
    moments: [Vec<f32>; 2],
}

impl Adam {
    /// `β₁`, `β₂` and `ε` of the paper.
    pub(crate) const BETAS: [f64; 2] = [0.9, 0.999];
    pub(crate) const EPSILON: f64 = 1e-8;

    /// Before its first step on `length` numbers.
    pub(crate) fn new(betas: [f64; 2], epsilon: f64, length: usize) -> Self {
        Self {
            betas,
            epsilon,
            powers: [1.0; 2],
            moments: [vec![0.0; length], vec![0.0; length]],
        }
    }

    /// Takes a step with numbers that were multiplied by `keep`: 1 without weight decay.
    pub(crate) fn step(&mut self, numbers: &mut [f32], gradients: &[f32], rate: f64, keep: f64) {
        let Factors {
            betas: [b1, b2],
            rests: [rest1, rest2],
            pace,
            root,
            epsilon,
        } = self.advance(rate);
        let keep = keep as f32;
        let [first, second] = &mut self.moments;
        let moments = first.iter_mut().zip(second);
        for ((w, g), (m, v)) in numbers.iter_mut().zip(gradients).zip(moments) {
            *m = b1 * *m + rest1 * g;
            *v = b2 * *v + rest2 * g * g;
            *w = keep * *w - pace * *m / (v.sqrt() / root + epsilon);
        }
    }

    /// The factors of the next step, which is then the last.
    pub(crate) fn advance(&mut self, rate: f64) -> Factors {
        let betas = self.betas;
        let powers = &mut self.powers;
        powers
            .iter_mut()
            .zip(betas)
            .for_each(|(power, beta)| *power *= beta);
        Factors {
            betas: betas.map(|beta| beta as f32),
            rests: betas.map(|beta| (1.0 - beta) as f32),
            pace: (rate / (1.0 - powers[0])) as f32,
            root: ((1.0 - powers[1]).sqrt()) as f32,
            epsilon: self.epsilon as f32,
        }
    }

    /// `m` and `v` of every number.
    pub(crate) fn moments(&self) -> &[Vec<f32>; 2] {
        &self.moments
    }

    pub(crate) fn set_moments(&mut self, moments: [Vec<f32>; 2]) {
        self.moments = moments;
    }
}

/// What a step multiplies by: `m ← keep·m + rest·g` and likewise `v`, then `w ← … − pace·m/(√v/root + epsilon)`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Factors {
    pub(crate) betas: [f32; 2],
    pub(crate) rests: [f32; 2],
    pub(crate) pace: f32,
    pub(crate) root: f32,
    pub(crate) epsilon: f32,
}
