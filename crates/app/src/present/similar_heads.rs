//! How alike every two heads are.

use super::names;
use crate::i18n::{Language, text};
use crate::scene::colour::{Ink, Lut};
use attention::analysis::Similarity;

/// Most heads for which the cells contain values.
const MOST_WRITTEN: usize = 8;

/// A cell for each pair of heads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimilarHeads {
    pub heads: usize,
    pub chosen: usize,
    /// Row by row.
    pub cells: Vec<HeadPair>,
    /// The chosen head and the one most like it.
    pub nearest: String,
    /// Says that only every n-th row was compared; empty where all were.
    pub step: String,
}

/// Two heads.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadPair {
    pub value: String,
    pub label: String,
    /// The colour of the value, and one that can be read on it; empty where there is no value.
    pub colours: [String; 2],
}

impl SimilarHeads {
    pub fn new(
        similarity: &Similarity,
        (heads, chosen): (usize, usize),
        lut: &Lut,
        language: Language,
    ) -> Self {
        let pair = |one: usize, other: usize| {
            let alike = similarity.between(one, other);
            HeadPair {
                value: written(alike),
                label: label([one, other], alike, language),
                colours: alike.map_or_else(Default::default, |alike| colours(alike, lut)),
            }
        };
        let nearest = similarity.nearest(chosen);
        Self {
            heads,
            chosen,
            cells: (0..heads * heads)
                .map(|at| pair(at / heads, at % heads))
                .collect(),
            nearest: nearest.map_or_else(String::new, |(other, alike)| {
                label([chosen, other], Some(alike), language)
            }),
            step: match similarity.step {
                0 | 1 => String::new(),
                step => text::analysis_similar_step(language, &step),
            },
        }
    }

    /// Whether there is no room for the values.
    pub fn is_dense(&self) -> bool {
        self.heads > MOST_WRITTEN
    }
}

fn written(alike: Option<f64>) -> String {
    alike.map_or_else(|| "–".to_owned(), |alike| format!("{alike:.2}"))
}

fn label(pair: [usize; 2], alike: Option<f64>, language: Language) -> String {
    let [one, other] = pair.map(|head| names::number(head, language));
    text::analysis_pair(language, &one, &other, &written(alike))
}

fn colours(alike: f64, lut: &Lut) -> [String; 2] {
    let index = (255.0 * alike) as u8;
    let [r, g, b, _] = lut.colour(index);
    let ink = match lut.ink(index) {
        Ink::Black => "#000",
        Ink::White => "#fff",
    };
    [format!("rgb({r} {g} {b})"), ink.to_owned()]
}
