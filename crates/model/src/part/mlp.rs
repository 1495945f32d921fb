//! `Y = H·W_down + b_down` with `H = f(U)`, `U = X·W_up + b_up`, or gated (Shazeer 2020, eq. 5): `H = f(G) ∘ U`, `G = X·W_gate + b_gate`.
//!
//! ```text
//! dH = dY·W_downᵀ
//! dU = dH ∘ f′(U)             gated: dU = dH ∘ f(G)
//!                                    dG = dH ∘ U ∘ f′(G)
//! dX = dU·W_upᵀ (+ dG·W_gateᵀ)
//! ```

use super::activation::{derivative, value};
use super::linear;
use crate::Activation;
use crate::layout::MlpSlots;

/// Values saved for the backward pass.
pub(crate) struct Saved {
    x: Vec<f32>,
    up: Vec<f32>,
    gate: Option<Vec<f32>>,
    hidden: Vec<f32>,
}

/// `Y`, `[rows, d_model]`.
pub(crate) fn forward(
    x: Vec<f32>,
    activation: Activation,
    slots: MlpSlots,
    numbers: &[f32],
) -> (Vec<f32>, Saved) {
    let up = linear::forward(&x, slots.up, numbers);
    let gate = slots.gate.map(|gate| linear::forward(&x, gate, numbers));
    let hidden = hidden(&up, gate.as_deref(), activation);
    let y = linear::forward(&hidden, slots.down, numbers);
    let saved = Saved {
        x,
        up,
        gate,
        hidden,
    };
    (y, saved)
}

/// `H`, `[rows, mlp]`, of `U` and, where there is one, `G`.
pub(crate) fn hidden(up: &[f32], gate: Option<&[f32]>, activation: Activation) -> Vec<f32> {
    match gate {
        None => up.iter().map(|u| value(activation, *u)).collect(),
        Some(gate) => {
            let pairs = gate.iter().zip(up);
            pairs.map(|(g, u)| value(activation, *g) * u).collect()
        }
    }
}

/// Returns `dX` and adds the gradients of the projections.
pub(crate) fn backward(
    saved: &Saved,
    dy: &[f32],
    activation: Activation,
    slots: MlpSlots,
    numbers: &[f32],
    gradients: &mut [f32],
) -> Vec<f32> {
    let dh = linear::backward(&saved.hidden, dy, slots.down, numbers, gradients);
    let (Some(gate), Some(gate_slots)) = (&saved.gate, slots.gate) else {
        let du: Vec<f32> = dh
            .iter()
            .zip(&saved.up)
            .map(|(dh, u)| dh * derivative(activation, *u))
            .collect();
        return linear::backward(&saved.x, &du, slots.up, numbers, gradients);
    };
    let (du, dg): (Vec<f32>, Vec<f32>) = dh
        .iter()
        .zip(gate.iter().zip(&saved.up))
        .map(|(dh, (g, u))| {
            (
                dh * value(activation, *g),
                dh * u * derivative(activation, *g),
            )
        })
        .unzip();
    let mut dx = linear::backward(&saved.x, &du, slots.up, numbers, gradients);
    let through_gate = linear::backward(&saved.x, &dg, gate_slots, numbers, gradients);
    linear::add(&mut dx, &through_gate);
    dx
}
