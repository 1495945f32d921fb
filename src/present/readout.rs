//! What is said of a cell or a row of the map that is pointed at.

use super::displayed_matrix::{DisplayedMatrix, Entry};
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::scene::layout::Side;

/// A cell, or a row alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Readout {
    /// Empty where none is pointed at.
    pub row: String,
    /// Empty where none is pointed at.
    pub column: String,
    /// `None` for a row alone.
    pub value: Option<String>,
    /// The same with as many digits as one can listen to.
    heard: Option<String>,
    /// What row and column stand for.
    pub sides: [Side; 2],
    is_pair: bool,
}

impl Readout {
    pub fn new(
        exhibit: &DisplayedMatrix<'_>,
        [row, column]: [Option<usize>; 2],
        language: Language,
    ) -> Self {
        let entry = row.zip(column);
        let entry = entry.and_then(|(row, column)| exhibit.entry(row, column));
        let column_name = |column| exhibit.column_name(column, language);
        Self {
            row: row.map_or_else(String::new, |row| exhibit.row_name(row, language)),
            column: column.map_or_else(String::new, column_name),
            value: entry.map(|entry| written(entry, number::exact, language)),
            heard: entry.map(|entry| written(entry, number::short, language)),
            sides: exhibit.sides(),
            is_pair: exhibit.is_pairs(),
        }
    }

    /// What stands between row and column.
    pub fn arrow(&self) -> &'static str {
        match (&self.value, self.is_pair) {
            (None, _) => "",
            (Some(_), true) => "→",
            (Some(_), false) => "·",
        }
    }

    /// The same in words.
    pub fn spoken(&self, language: Language) -> String {
        let (row, column) = (&self.row, &self.column);
        match (&self.heard, self.is_pair) {
            (Some(value), true) => text::spoken_cell(language, row, column, value),
            (Some(value), false) => text::spoken_entry(language, row, column, value),
            (None, true) => text::spoken_row(language, row),
            (None, false) => text::spoken_entry_row(language, row),
        }
    }
}

fn written(entry: Entry, number: fn(f32) -> String, language: Language) -> String {
    match entry {
        Entry::Value(value) => number(value),
        Entry::Visible => Key::VisibleCell.text(language).to_owned(),
        Entry::Hidden => Key::HiddenCells.text(language).to_owned(),
    }
}
