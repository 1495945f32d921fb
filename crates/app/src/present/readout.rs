//! Readout of the hovered cell or row of the map.

use super::displayed_matrix::{DisplayedMatrix, Entry};
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::scene::layout::Side;
use crate::scene::scale::times;
use crate::state::ColourScale;

/// A cell, or a row alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Readout {
    /// Empty where none is pointed at.
    pub row: String,
    /// Empty where none is pointed at.
    pub column: String,
    /// `None` for a row alone.
    pub value: Option<String>,
    /// The same with as many digits as are easy to listen to.
    short_value: Option<String>,
    /// Meaning of row and column.
    pub sides: [Side; 2],
    is_pair: bool,
}

impl Readout {
    pub fn new(
        displayed: &DisplayedMatrix<'_>,
        [row, column]: [Option<usize>; 2],
        (scale, language): (ColourScale, Language),
    ) -> Self {
        let entry = row.zip(column);
        let entry = entry.and_then(|(row, column)| displayed.entry(row, column));
        let times = row.filter(|_| scale == ColourScale::Even);
        let times = times.and_then(|row| displayed.visible_keys(row));
        let written =
            |number: fn(f32) -> String| entry.map(|entry| written(entry, times, number, language));
        let column_name = |column| displayed.column_name(column, language);
        Self {
            row: row.map_or_else(String::new, |row| displayed.row_name(row, language)),
            column: column.map_or_else(String::new, column_name),
            value: written(number::exact),
            short_value: written(number::short),
            sides: displayed.sides(),
            is_pair: displayed.is_pairs(),
        }
    }

    /// Returns the separator between row and column.
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
        match (&self.short_value, self.is_pair) {
            (Some(value), true) => text::spoken_cell(language, row, column, value),
            (Some(value), false) => text::spoken_entry(language, row, column, value),
            (None, true) => text::spoken_row(language, row),
            (None, false) => text::spoken_entry_row(language, row),
        }
    }
}

/// A cell in words. If `visible` keys share the row, its weight is also given as a multiple of an
/// even row's.
fn written(
    entry: Entry,
    visible: Option<usize>,
    number: fn(f32) -> String,
    language: Language,
) -> String {
    match (entry, visible) {
        (Entry::Value(value), Some(visible)) => {
            let times = times(value * visible as f32);
            text::times_even(language, &number(value), &times)
        }
        (Entry::Value(value), None) => number(value),
        (Entry::Visible, _) => Key::VisibleCell.text(language).to_owned(),
        (Entry::Hidden, _) => Key::HiddenCells.text(language).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;
    use crate::state::StepKind;

    #[test]
    fn around_even_a_weight_is_also_a_multiple_of_an_even_rows() {
        let run =
            computed("text=a+b+c&mask=causal&weights=random&heads=1&temperature=10&open=steps");
        let read = |step, scale| {
            let displayed = DisplayedMatrix::new(&run, step, 0);
            let read = Readout::new(&displayed, [Some(1), Some(0)], (scale, Language::En));
            read.value.unwrap_or_default()
        };
        let weight = run.head(0)[3];
        let told = format!("{}, {} even", number::exact(weight), times(2.0 * weight));
        assert_eq!(read(StepKind::Weights, ColourScale::Even), told);
        assert_eq!(
            read(StepKind::Weights, ColourScale::Log),
            number::exact(weight)
        );
        assert!(
            !read(StepKind::Scores, ColourScale::Even).contains('×'),
            "a score is no weight"
        );
    }
}
