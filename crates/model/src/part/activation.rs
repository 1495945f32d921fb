//! Activation functions and their derivatives.

use kernels::{exp, tanh};

use crate::Activation;

/// `√(2/π)`.
const GELU_SLOPE: f32 = 0.797_884_6;
const GELU_CUBE: f32 = 0.044_715;

/// `f(x)`.
pub(crate) fn value(activation: Activation, x: f32) -> f32 {
    match activation {
        Activation::Relu => x.max(0.0),
        Activation::Gelu => x * normal(x),
        Activation::GeluTanh => 0.5 * x * (1.0 + tanh(gelu_argument(x))),
        Activation::Silu => x * logistic(x),
    }
}

/// `f′(x)`; 0 for ReLU at 0.
pub(crate) fn derivative(activation: Activation, x: f32) -> f32 {
    match activation {
        Activation::Relu => f32::from(u8::from(x > 0.0)),
        // Φ + x·φ
        Activation::Gelu => {
            let density = exp(-0.5 * x * x) * 0.398_942_3;
            normal(x) + x * density
        }
        Activation::GeluTanh => {
            let t = tanh(gelu_argument(x));
            let inner = GELU_SLOPE * (1.0 + 3.0 * GELU_CUBE * x * x);
            0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * inner
        }
        // σ + x·σ·(1 − σ)
        Activation::Silu => {
            let s = logistic(x);
            s * (1.0 + x * (1.0 - s))
        }
    }
}

fn gelu_argument(x: f32) -> f32 {
    GELU_SLOPE * (x + GELU_CUBE * x * x * x)
}

/// `Φ(x)`, the share of a normal distribution below `x`. The library's `erf` is the same on every machine.
fn normal(x: f32) -> f32 {
    (0.5 * libm::erfc(-f64::from(x) * std::f64::consts::FRAC_1_SQRT_2)) as f32
}

/// `1/(1 + e^(−x))`, for `x` of either sign without overflow.
fn logistic(x: f32) -> f32 {
    let t = exp(-x.abs());
    if x < 0.0 {
        t / (1.0 + t)
    } else {
        1.0 / (1.0 + t)
    }
}
