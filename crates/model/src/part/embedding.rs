//! `X[i] = scale·tokens[word i] + positions[place of i] + token_types[0]`; a word's gradient is the sum over the rows where it stands:
//!
//! ```text
//! dtokens[w]     = scale·Σ_(i: word i = w) dX[i]
//! dpositions[p]  = Σ_(i: place i = p) dX[i]
//! dtoken_types[0] = Σ_i dX[i]
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
    if config.embedding_scale != 1.0 {
        x.iter_mut().for_each(|x| *x *= config.embedding_scale);
    }
    add_places(&mut x, words, config, layout, numbers);
    if let Some(types) = layout.token_types {
        let first = &types.of(numbers)[..width];
        x.chunks_exact_mut(width).for_each(|row| add(row, first));
    }
    x
}

/// Adds the vectors of the places, where the model has any.
fn add_places(
    x: &mut [f32],
    words: &Words,
    config: &ModelConfig,
    layout: &Layout,
    numbers: &[f32],
) {
    let width = config.d_model;
    let encoding;
    let places = match (config.positions, layout.positions) {
        (ModelPositions::Sinusoidal, _) => {
            encoding = sinusoidal_encoding(words.length(), width);
            encoding.as_slice().unwrap_or_default()
        }
        (_, Some(positions)) => {
            &positions.of(numbers)[config.first_position * width..][..words.length() * width]
        }
        (_, None) => return,
    };
    if !places.is_empty() {
        x.chunks_exact_mut(places.len())
            .for_each(|sequence| add(sequence, places));
    }
}

/// Adds the gradients of words and places.
pub(crate) fn backward(
    words: &Words,
    dx: &[f32],
    config: &ModelConfig,
    layout: &Layout,
    gradients: &mut [f32],
) {
    let width = layout.tokens.columns;
    let tokens = layout.tokens.of_mut(gradients);
    for (word, dx) in words.all().iter().zip(dx.chunks_exact(width)) {
        let row = &mut tokens[word * width..][..width];
        for (row, dx) in row.iter_mut().zip(dx) {
            *row += config.embedding_scale * dx;
        }
    }
    if let Some(types) = layout.token_types {
        let first = &mut types.of_mut(gradients)[..width];
        dx.chunks_exact(width).for_each(|row| add(first, row));
    }
    let Some(positions) = layout.positions else {
        return;
    };
    let places = &mut positions.of_mut(gradients)[config.first_position * width..];
    let places = &mut places[..words.length() * width];
    if !places.is_empty() {
        dx.chunks_exact(places.len())
            .for_each(|sequence| add(places, sequence));
    }
}
