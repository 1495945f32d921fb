//! The embedding of a word: its class and meaning as a vector.

use ndarray::Array2;

use super::layout::{CONTENT_SCALE, Flag, Layout};
use super::sentence::Sentence;
use crate::text::lexicon::Class;
use crate::text::random::{StreamKind, Uniform, stable_hash};

/// One row per word: flags and the code of its meaning in the last columns, zeros elsewhere.
///
/// - Returns `[words, d_model]` with entries 0, 4 and −4. The columns, counted from the last: noun, pronoun that stands for a
///   noun, living being, modifier of a noun, noun after the last pronoun, then the code.
/// - A code is ±1 (times 4) per column, drawn from `seed` and the name of the meaning, so words of one meaning share
///   it whatever their language.
/// - Beside `other`, the text that asks this one or is asked by it, a word without a counterpart there has no code: it
///   has nothing to be compared with.
pub fn embeddings<S: AsRef<str>>(
    words: &[S],
    other: Option<&[S]>,
    d_model: usize,
    seed: u32,
) -> Array2<f32> {
    let layout = Layout::new(d_model, 1);
    let is_pair = other.is_some();
    let sentence = Sentence::new(words, is_pair);
    let other = other.map(|words| Sentence::new(words, is_pair));
    let mut rows = Array2::zeros((words.len(), d_model));
    for (at, mut row) in rows.outer_iter_mut().enumerate() {
        for column in flags(&sentence, at).filter_map(|flag| layout.flag(flag)) {
            row[column] = CONTENT_SCALE;
        }
        let concept = &sentence.entry(at).concept;
        let is_alone = other.as_ref().is_some_and(|other| !other.has(concept));
        if is_alone || !sentence.has_code(at) {
            continue;
        }
        let signs = Uniform::new(seed, StreamKind::Code, stable_hash(concept));
        for (column, sign) in layout.code(usize::MAX).zip(signs) {
            row[column] = CONTENT_SCALE.copysign(sign);
        }
    }
    rows
}

fn flags(sentence: &Sentence, at: usize) -> impl Iterator<Item = Flag> {
    let is_noun = sentence.is_noun(at);
    let all = [
        (Flag::Noun, is_noun),
        (Flag::Pronoun, sentence.points_back(at)),
        (Flag::Living, sentence.entry(at).class == Class::Living),
        (Flag::Modifier, sentence.noun_of(at).is_some()),
        (Flag::Later, is_noun && !sentence.is_antecedent(at)),
    ];
    all.into_iter()
        .filter_map(|(flag, has)| has.then_some(flag))
}
