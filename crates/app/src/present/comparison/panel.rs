//! State of the comparison panel.

use super::{Notes, Numbers, Pair, ReadCell};
use crate::i18n::{Key, text};
use crate::present::names;
use crate::scene::hit::Pointed;

/// Texts about the latest pair, which stay while B is computed for another A, and the pointer on the maps.
#[derive(Default)]
pub struct ComparisonPanel {
    pub numbers: Numbers,
    /// How the comparison that was chosen last has changed A; empty where it has not, or something else was done since.
    pub changed: String,
    /// Names of both heads.
    pub heads: [String; 2],
    /// Why there is no difference, where there is none.
    pub instead: String,
    pub notes: Notes,
    /// The cell that is pointed out, and what to do where none is.
    pub read: ReadCell,
    pub hint: &'static str,
    /// What a screen reader announces.
    pub spoken: String,
    /// All cells of A and B are equal.
    pub is_same: bool,
    /// B could not be computed, so the maps are those of an older one.
    pub is_outdated: bool,
    pub hover: Option<Pointed>,
    /// How often the maps have changed.
    pub pictures: u32,
}

impl ComparisonPanel {
    /// Shows another pair.
    pub fn show(&mut self, pair: &Pair<'_>) {
        let runs = [(pair.a, pair.head), (pair.b, pair.head_b())];
        self.heads =
            runs.map(|(run, head)| names::unparted(&names::head(run, head, pair.language)));
        self.numbers = Numbers::new(pair);
        self.instead = pair.instead();
        self.notes = pair.notes();
        let (a, b) = pair.heads();
        self.is_same = !pair.is_alike() || a == b;
        self.is_outdated = false;
        self.pictures = self.pictures.wrapping_add(1);
    }

    /// Reads the cell that is pointed out.
    pub fn point(&mut self, pair: &Pair<'_>, pointed: Pointed) {
        self.read = pair.read(pointed.query, pointed.key);
        self.hint = match pointed.key {
            Some(_) => "",
            None => Key::MapHint.text(pair.language),
        };
    }

    /// Announces a cell.
    pub fn speak(&mut self, pair: &Pair<'_>, pointed: Pointed) {
        let [query, _, key, value] = &pair.read(pointed.query, pointed.key);
        self.spoken = text::spoken_cell(pair.language, query, key, value);
    }

    /// Says why B could not be computed.
    pub fn refuse(&mut self, sentence: &str) {
        self.numbers = Numbers::refused(sentence);
        self.is_outdated = true;
    }
}
