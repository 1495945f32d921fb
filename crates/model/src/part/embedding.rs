//! `X[i] = scale·tokens[word i] + positions[place of i] + token_types[0]`; a word's gradient is the sum over the rows where it stands:
//!
//! ```text
//! dtokens[w]     = scale·Σ_(i: word i = w) dX[i]
//! dpositions[p]  = Σ_(i: place i = p) dX[i]
//! dtoken_types[0] = Σ_i dX[i]
//! ```

use std::ops::Range;

use super::linear::add;
use crate::layout::Layout;
use crate::numbers::Numbers;
use crate::{ModelConfig, ModelPositions, Words};
use attention::sinusoidal_encoding;

/// `X`, `[batch·n, d_model]`, of words that come after `past` others.
pub(crate) fn forward(
    words: &Words,
    past: usize,
    config: &ModelConfig,
    layout: &Layout,
    numbers: &Numbers,
) -> Vec<f32> {
    let width = config.d_model;
    let mut x = vec![0.0; words.all().len() * width];
    for (word, row) in words.all().iter().zip(x.chunks_exact_mut(width)) {
        numbers.rows(layout.tokens, *word..word + 1, row);
    }
    if config.embedding_scale != 1.0 {
        x.iter_mut().for_each(|x| *x *= config.embedding_scale);
    }
    let places = places(past..past + words.length(), config, layout, numbers);
    if !places.is_empty() {
        x.chunks_exact_mut(places.len())
            .for_each(|sequence| add(sequence, &places));
    }
    if let Some(types) = layout.token_types {
        let mut first = vec![0.0; width];
        numbers.rows(types, 0..1, &mut first);
        x.chunks_exact_mut(width).for_each(|row| add(row, &first));
    }
    x
}

/// The vectors of places, where the model has any.
pub(crate) fn places(
    places: Range<usize>,
    config: &ModelConfig,
    layout: &Layout,
    numbers: &Numbers,
) -> Vec<f32> {
    let width = config.d_model;
    match (config.positions, layout.positions) {
        (ModelPositions::Sinusoidal, _) => {
            let all = sinusoidal_encoding(places.end, width);
            all.into_iter().skip(places.start * width).collect()
        }
        (_, Some(positions)) => {
            let mut rows = vec![0.0; places.len() * width];
            let first = config.first_position;
            numbers.rows(
                positions,
                first + places.start..first + places.end,
                &mut rows,
            );
            rows
        }
        (_, None) => Vec::new(),
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
