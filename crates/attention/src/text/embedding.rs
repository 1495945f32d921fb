//! Random embeddings: every word gets its own vector from the seed.

use ndarray::Array2;

use super::random::{StreamKind, Uniform, stable_hash};
use super::tokens::is_apostrophe;

/// Half the width of the uniform distribution with variance 1: √3, rounded to 32 bits.
const HALF_WIDTH: f32 = 1.732_050_8;

/// The form in which two spellings count as the same word: lower case, straight apostrophe.
pub fn fold(word: &str) -> String {
    let lower = word.to_lowercase();
    lower
        .chars()
        .map(|c| if is_apostrophe(c) { '\'' } else { c })
        .collect()
}

/// One row per word: `x[i, c]` is uniform in `-√3 ≤ x < √3`, mean 0 and variance 1.
///
/// - Returns `[words, d_model]`.
/// - Words that are equal after [`fold`] get equal rows. A row for a larger `d_model` begins with
///   the row for a smaller one, so that moving the slider adds columns and redraws none.
/// - Each value is one exactly representable number times one constant, hence one rounding and the
///   same bits on every platform.
pub fn embeddings<S: AsRef<str>>(words: &[S], d_model: usize, seed: u32) -> Array2<f32> {
    let mut rows = Array2::zeros((words.len(), d_model));
    for (mut row, word) in rows.outer_iter_mut().zip(words) {
        let stream = stable_hash(&fold(word.as_ref()));
        let numbers = Uniform::new(seed, StreamKind::Embedding, stream);
        row.iter_mut()
            .zip(numbers)
            .for_each(|(cell, x)| *cell = x * HALF_WIDTH);
    }
    rows
}
