//! The map of a head in the lab, cell by cell.

use super::TrainingView;
use crate::i18n::number::CellStyle;
use crate::i18n::text;
use crate::present::painted_grid::PaintedCell;
use crate::scene::colour::{Ink, Lut};

/// Words up to which the cells of the map have numbers.
pub const MOST_WRITTEN: usize = 13;

/// A cell of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapCell {
    /// The weight, where there is room for numbers.
    pub value: String,
    /// Its colour and one that can be read on it.
    pub colours: [String; 2],
}

impl TrainingView<'_> {
    /// The map of the chosen head, row by row; what is hidden from it is painted, and nothing is written there.
    pub fn cells(&self) -> Vec<PaintedCell> {
        let (words, n) = (self.words(), self.reading.words.len());
        let grid = self.masks.of(self.head);
        let weights = self.reading.weights(self.head).iter().enumerate();
        let cell = |(at, weight): (usize, &f32)| {
            let cell = (at / n, at % n);
            let is_painted = grid.is_some_and(|grid| grid.is_painted(cell));
            let mut map = map_cell(*weight, n, self.lut);
            let [query, key] = [words[cell.0], words[cell.1]];
            let name = if is_painted {
                map.value.clear();
                text::training_cell_hidden(self.language, &query, &key)
            } else {
                let weight = CellStyle::WEIGHT.write(*weight);
                text::training_looks(self.language, &query, &key, &weight)
            };
            PaintedCell {
                name,
                is_painted,
                is_stop: grid.is_some_and(|grid| grid.cell() == cell),
                map,
            }
        };
        weights.map(cell).collect()
    }
}

/// A weight of a map of `n` words.
pub fn map_cell(weight: f32, n: usize, lut: &Lut) -> MapCell {
    let index = colour_index(weight);
    let [r, g, b, _] = lut.colour(index);
    let ink = match lut.ink(index) {
        Ink::Black => "#000",
        Ink::White => "#fff",
    };
    let value = (n <= MOST_WRITTEN).then(|| CellStyle::WEIGHT.write(weight));
    MapCell {
        value: value.unwrap_or_default(),
        colours: [format!("rgb({r} {g} {b})"), ink.to_owned()],
    }
}

/// The place of a weight among the colours.
pub fn colour_index(weight: f32) -> u8 {
    (255.0 * weight.clamp(0.0, 1.0)) as u8
}
