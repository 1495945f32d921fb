//! The embedding of a word: its class and meaning as a vector.

use ndarray::Array2;

use super::layout::{CONTENT_SCALE, Flag, Layout};
use crate::text::lexicon::{Class, Entry, look_up};
use crate::text::random::{Kind, Uniform, stable_hash};

/// One row per word: flags and the code of its meaning in the last columns, zeros elsewhere.
///
/// - Returns `[words, d_model]` with entries 0, 4 and −4. The columns, counted from the last: noun, pronoun, living
///   being, modifier, then the code.
/// - A code is ±1 (times 4) per column, drawn from `seed` and the name of the meaning, so words of one meaning share
///   it whatever their language.
pub fn embeddings<S: AsRef<str>>(words: &[S], d_model: usize, seed: u32) -> Array2<f32> {
    let layout = Layout::new(d_model, 1);
    let mut rows = Array2::zeros((words.len(), d_model));
    for (mut row, word) in rows.outer_iter_mut().zip(words) {
        let Entry { class, concept } = look_up(word.as_ref());
        for column in flags(class).iter().filter_map(|flag| layout.flag(*flag)) {
            row[column] = CONTENT_SCALE;
        }
        if class == Class::Other && !concept.chars().any(char::is_numeric) {
            continue;
        }
        let signs = Uniform::new(seed, Kind::Code, stable_hash(&concept));
        for (column, sign) in layout.code(usize::MAX).zip(signs) {
            row[column] = if sign < 0.0 {
                -CONTENT_SCALE
            } else {
                CONTENT_SCALE
            };
        }
    }
    rows
}

fn flags(class: Class) -> &'static [Flag] {
    match class {
        Class::Noun => &[Flag::Noun],
        Class::Living => &[Flag::Noun, Flag::Living],
        Class::Pronoun => &[Flag::Pronoun],
        Class::Modifier => &[Flag::Modifier],
        Class::Verb | Class::Function | Class::Other => &[],
    }
}
