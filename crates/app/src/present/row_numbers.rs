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
    /// Those furthest from zero, from the largest to the smallest.
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
    /// Its bar.
    pub bar: SignedBar,
}

/// A bar from zero to a number, in shares of the room for all bars of the row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedBar {
    /// Where it begins.
    pub from: f64,
    /// How long it is.
    pub length: f64,
    /// Whether it ends at zero: the number is below.
    pub is_below: bool,
}

impl SignedBar {
    /// Bar of `x` where the row goes from `least` to `most`. Zero is always in sight.
    fn new(x: f32, [least, most]: [f32; 2]) -> Self {
        let [x, least, most] = [x, least.min(0.0), most.max(0.0)].map(f64::from);
        let room = most - least;
        let share = |length: f64| if room > 0.0 { length / room } else { 0.0 };
        Self {
            from: share(x.min(0.0) - least),
            length: share(x.abs()),
            is_below: x < 0.0,
        }
    }
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
        let lines = lines(displayed, &numbers, language);
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
    numbers: &[(usize, f32)],
    language: Language,
) -> Vec<NumberLine> {
    let mut sorted = numbers.to_vec();
    sort::sort(&mut sorted, |one, other| {
        other.1.abs().total_cmp(&one.1.abs())
    });
    sorted.truncate(MOST);
    sort::sort(&mut sorted, |one, other| other.1.total_cmp(&one.1));
    let ends = [sorted.last(), sorted.first()].map(|end| end.map_or(0.0, |(_, x)| *x));
    let line = |(column, x): (usize, f32)| NumberLine {
        column,
        name: displayed.column_name(column, language),
        value: number::four_digits(x),
        bar: SignedBar::new(x, ends),
    };
    sorted.into_iter().map(line).collect()
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
        assert!(found.lines[0].name.starts_with("component"));
    }

    #[test]
    fn numbers_stand_from_the_largest_to_the_smallest_with_bars_on_either_side_of_zero() {
        let found = read("text=a+b+c+d+e+f+g&d_k=16&seed=11", StepKind::Scores, 1).expect("a row");
        let place = |line: &NumberLine| match line.bar.is_below {
            true => line.bar.from,
            false => line.bar.from + line.bar.length,
        };
        assert!(
            found
                .lines
                .is_sorted_by(|one, next| place(one) >= place(next))
        );
        let is_below: Vec<bool> = found.lines.iter().map(|line| line.bar.is_below).collect();
        assert!(
            is_below.contains(&true) && is_below.contains(&false),
            "{found:?}"
        );
        for line in &found.lines {
            assert_eq!(line.value.starts_with('−'), line.bar.is_below, "{line:?}");
            let digits = line.value.chars().filter(char::is_ascii_digit);
            let digits: String = digits.collect();
            assert_eq!(digits.trim_start_matches('0').len(), 4, "{}", line.value);
        }
        // Zero is one place for all.
        let zero = |line: &NumberLine| match line.bar.is_below {
            true => line.bar.from + line.bar.length,
            false => line.bar.from,
        };
        let first = zero(&found.lines[0]);
        assert!(
            found
                .lines
                .iter()
                .all(|line| (zero(line) - first).abs() < 1e-9)
        );
    }

    #[test]
    fn a_bar_has_room_for_zero() {
        let bar = |x, ends| SignedBar::new(x, ends);
        let [below, above] = [bar(-3.0, [-3.0, 1.0]), bar(1.0, [-3.0, 1.0])];
        assert_eq!(
            (below.from, below.length, below.is_below),
            (0.0, 0.75, true)
        );
        assert_eq!(
            (above.from, above.length, above.is_below),
            (0.75, 0.25, false)
        );
        assert_eq!(bar(2.0, [2.0, 4.0]).length, 0.5);
        assert_eq!(bar(0.0, [0.0, 0.0]).length, 0.0);
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
