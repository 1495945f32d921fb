//! `X[i] = tokens[word i] + positions[place of i]`; a word's gradient is the sum over the rows where it stands:
//!
//! ```text
//! dtokens[w]    = Σ_(i: word i = w)  dX[i]
//! dpositions[p] = Σ_(i: place i = p) dX[i]
//! ```

use super::linear::add;
use crate::layout::Layout;
use crate::{ModelConfig, ModelPositions, Words};
use attention::sinusoidal_encoding;

/// `X`, `[batch·n, d_model]`.
pub(crate) fn forward(
    words: &Words,
    config: &ModelConfig,
    layout: &Layout,
    numbers: &[f32],
) -> Vec<f32> {
    let width = config.d_model;
    let tokens = layout.tokens.of(numbers);
    let mut x: Vec<f32> = words
        .all()
        .iter()
        .flat_map(|word| &tokens[word * width..][..width])
        .copied()
        .collect();
    let encoding;
    let places = match (config.positions, layout.positions) {
        (ModelPositions::Sinusoidal, _) => {
            encoding = sinusoidal_encoding(words.length(), width);
            encoding.as_slice().unwrap_or_default()
        }
        (_, Some(positions)) => &positions.of(numbers)[..words.length() * width],
        (_, None) => return x,
    };
    if !places.is_empty() {
        x.chunks_exact_mut(places.len())
            .for_each(|sequence| add(sequence, places));
    }
    x
}

/// Adds the gradients of words and places.
pub(crate) fn backward(words: &Words, dx: &[f32], layout: &Layout, gradients: &mut [f32]) {
    let width = layout.tokens.columns;
    let tokens = layout.tokens.of_mut(gradients);
    for (word, dx) in words.all().iter().zip(dx.chunks_exact(width)) {
        add(&mut tokens[word * width..][..width], dx);
    }
    let Some(positions) = layout.positions else {
        return;
    };
    let places = &mut positions.of_mut(gradients)[..words.length() * width];
    if !places.is_empty() {
        dx.chunks_exact(places.len())
            .for_each(|sequence| add(places, sequence));
    }
}
