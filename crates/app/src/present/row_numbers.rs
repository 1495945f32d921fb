//! Reading pane for a row of a step other than the weights: its length or its largest score, and
//! its largest numbers.

use super::displayed_matrix::DisplayedMatrix;
use super::steps::MatrixKind;
use crate::i18n::{Language, number, text};
use crate::scene::layout::Side;
use attention::sort;

/// Most numbers in the list.
const MOST: usize = 14;

/// A row of signed numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct RowNumbers {
    /// Name and meaning of the row.
    pub row: (String, Side),
    /// Where a column is a key, the one with the largest score.
    pub key: Option<String>,
    /// That score, or the length of the row.
    pub value: String,
    /// Meaning of the columns.
    pub axis: &'static str,
    /// Those furthest from zero first.
    pub lines: Vec<NumberLine>,
    /// Describes the omitted numbers.
    pub rest: String,
}

/// A number of the row.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberLine {
    /// Its column.
    pub column: usize,
    /// Name of the column.
    pub name: String,
    /// The number.
    pub value: String,
    /// Its distance from zero over the largest of the row.
    pub share: f64,
}

impl RowNumbers {
    /// `None` for matrices of weights and masks, and for a row that there is not.
    pub fn new(displayed: &DisplayedMatrix<'_>, row: usize, language: Language) -> Option<Self> {
        if displayed.matrix.kind != MatrixKind::Signed || row >= displayed.size().0 {
            return None;
        }
        let numbers = visible(displayed, row);
        let is_pairs = displayed.is_pairs();
        let largest = numbers
            .iter()
            .copied()
            .reduce(|most, next| if next.1 > most.1 { next } else { most });
        let value = match largest.filter(|_| is_pairs) {
            Some((_, score)) => number::short(score),
            None => text::row_length(language, &number::short(length(&numbers))),
        };
        let key = largest.filter(|_| is_pairs);
        let lines = lines(displayed, row, &numbers, language);
        let left = numbers.len() - lines.len();
        Some(Self {
            row: (displayed.row_name(row, language), displayed.sides()[0]),
            key: key.map(|(column, _)| displayed.column_name(column, language)),
            value,
            axis: displayed.titles(language)[1],
            lines,
            rest: match left {
                0 => String::new(),
                left => text::row_rest(language, &left),
            },
        })
    }
}

/// Columns and numbers of the cells that are not hidden.
fn visible(displayed: &DisplayedMatrix<'_>, row: usize) -> Vec<(usize, f32)> {
    let columns =
        (0..displayed.size().1).filter(|column| !displayed.hidden.is_hidden(row, *column));
    columns
        .filter_map(|column| Some((column, displayed.matrix.at(row, column)?)))
        .collect()
}

/// The Euclidean length of the row.
fn length(numbers: &[(usize, f32)]) -> f32 {
    let squares = numbers.iter().map(|(_, x)| f64::from(*x) * f64::from(*x));
    libm::sqrt(squares.sum()) as f32
}

fn lines(
    displayed: &DisplayedMatrix<'_>,
    row: usize,
    numbers: &[(usize, f32)],
    language: Language,
) -> Vec<NumberLine> {
    let mut sorted = numbers.to_vec();
    sort::sort(&mut sorted, |one, other| {
        other.1.abs().total_cmp(&one.1.abs())
    });
    let most = sorted.first().map_or(0.0, |(_, x)| f64::from(x.abs()));
    let line = |(column, x): (usize, f32)| NumberLine {
        column,
        name: displayed.column_name(column, language),
        value: displayed.entry_text(row, column, language),
        share: if most > 0.0 {
            f64::from(x.abs()) / most
        } else {
            0.0
        },
    };
    sorted.into_iter().take(MOST).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;
    use crate::state::StepKind;

    fn read(link: &str, step: StepKind, row: usize) -> Option<RowNumbers> {
        let run = computed(&format!("{link}&open=steps&weights=random&heads=1"));
        RowNumbers::new(&DisplayedMatrix::new(&run, step, 0), row, Language::En)
    }

    #[test]
    fn a_vector_has_its_length_and_its_largest_components() {
        let found = read("text=a+b&d_k=16", StepKind::Queries, 1).expect("a row");
        assert_eq!(
            (found.row, found.key),
            (("b".to_owned(), Side::Queries), None)
        );
        assert!(found.value.contains("‖"), "{}", found.value);
        assert_eq!(found.lines.len(), 14);
        assert!(found.rest.contains('2'), "{}", found.rest);
        assert_eq!(found.lines[0].share, 1.0);
        assert!(
            found
                .lines
                .is_sorted_by(|one, next| one.share >= next.share)
        );
        assert!(found.lines[0].name.starts_with("component"));
    }

    #[test]
    fn a_row_of_scores_has_the_key_with_the_largest_that_is_not_hidden() {
        let run = computed("text=a+b+c&mask=causal&open=steps&weights=random&heads=1");
        let displayed = DisplayedMatrix::new(&run, StepKind::Masked, 0);
        let found = RowNumbers::new(&displayed, 1, Language::En).expect("a row");
        assert_eq!((found.lines.len(), found.rest.as_str()), (2, ""));
        let [a, b] = [0, 1].map(|key| displayed.matrix.at(1, key).expect("a score"));
        assert_eq!(found.key.as_deref(), Some(if b > a { "b" } else { "a" }));
        assert_eq!(found.value, number::short(a.max(b)));
    }

    #[test]
    fn weights_and_rows_that_are_not_there_are_not_read_so() {
        assert_eq!(read("text=a+b", StepKind::Weights, 0), None);
        assert_eq!(read("text=a+b", StepKind::Queries, 2), None);
        assert!(read("text=a+b", StepKind::Queries, 1).is_some());
    }
}
