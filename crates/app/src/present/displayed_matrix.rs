//! The matrix that the large map shows, with labels for its rows and columns.

use std::borrow::Cow;
use std::fmt::Display;

use super::run::Run;
use super::steps::{Matrix, MatrixKind};
use crate::i18n::number::{self, CellStyle};
use crate::i18n::{Key, Language, text};
use crate::scene::heatmap::{Grid, Hidden};
use crate::scene::layout::{CellFormat, Request, Room, Side, Viewport};
use crate::state::StepKind;
use crate::state::steps::Axis;

/// Magnitude from which decimals are left out.
const LARGE: f32 = 1e5;
const STYLE: CellStyle = CellStyle::THREE_DECIMALS;
/// Width of *full screen* in the upper right corner of a map; where one may zoom, there are more buttons than leave room for labels.
const FULL_SCREEN: f64 = 72.0;

/// A matrix ready to be shown.
pub struct DisplayedMatrix<'a> {
    /// Its step.
    pub step: StepKind,
    /// Its numbers.
    pub matrix: Matrix<'a>,
    /// The cells that are hatched.
    pub hidden: Cow<'a, Hidden>,
    /// Names of the rows.
    pub rows: Cow<'a, [String]>,
    /// Names of the columns.
    pub columns: Cow<'a, [String]>,
    run: &'a Run,
}

/// Content of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Entry {
    /// A number.
    Value(f32),
    /// A key that the mask shows.
    Visible,
    /// One that it hides.
    Hidden,
}

impl<'a> DisplayedMatrix<'a> {
    /// The matrix of `step` for `head`, or the weights where that is not there.
    pub fn new(run: &'a Run, step: StepKind, head: usize) -> Self {
        let found = run.matrix(step, head);
        let step = if found.is_some() {
            step
        } else {
            StepKind::Weights
        };
        let matrix = found.unwrap_or_else(|| run.weights(head));
        Self {
            hidden: hidden(run, &matrix),
            rows: names(run, matrix.row_axis, matrix.rows),
            columns: names(run, matrix.column_axis, matrix.columns),
            step,
            matrix,
            run,
        }
    }

    /// Rows and columns.
    pub fn size(&self) -> (usize, usize) {
        (self.matrix.rows, self.matrix.columns)
    }

    /// The numbers as they are painted.
    pub fn grid(&self) -> Option<Grid<'_>> {
        Grid::new(&self.matrix.values, &self.hidden).ok()
    }

    /// The number of a cell; `None` outside.
    pub fn entry(&self, row: usize, column: usize) -> Option<Entry> {
        let value = self.matrix.at(row, column)?;
        Some(if self.hidden.is_hidden(row, column) {
            Entry::Hidden
        } else if self.matrix.kind == MatrixKind::Mask {
            Entry::Visible
        } else {
            Entry::Value(value)
        })
    }

    /// How many keys share the weights of a row; `None` where the numbers are no weights.
    pub fn visible_keys(&self, row: usize) -> Option<usize> {
        let is_of_weights = self.matrix.kind == MatrixKind::Weights && row < self.matrix.rows;
        is_of_weights.then(|| self.hidden.visible_in(row))
    }

    /// A cell in a table; empty outside.
    pub fn entry_text(&self, row: usize, column: usize, language: Language) -> String {
        match self.entry(row, column) {
            Some(Entry::Value(value)) if value.abs() >= LARGE => number::short(value),
            Some(Entry::Value(value)) => STYLE.write(value),
            Some(Entry::Visible) => Key::VisibleCell.text(language).to_owned(),
            Some(Entry::Hidden) => Key::TableHidden.text(language).to_owned(),
            None => String::new(),
        }
    }

    /// Returns what rows and columns stand for.
    pub fn sides(&self) -> [Side; 2] {
        [self.matrix.row_axis, self.matrix.column_axis].map(|axis| side(axis, self.run))
    }

    /// Whether rows are queries and columns the keys that they look at.
    pub fn is_pairs(&self) -> bool {
        (self.matrix.row_axis, self.matrix.column_axis) == (Axis::N, Axis::Keys)
    }

    /// Titles of rows and columns.
    pub fn titles(&self, language: Language) -> [&'static str; 2] {
        let is_short = self.run.state.linformer;
        let rows = match self.matrix.row_axis {
            Axis::M => Key::AxisKeysDown,
            Axis::Keys => Key::AxisMixturesDown,
            Axis::Positions if has_two_texts(self.run) => Key::AxisPositions,
            Axis::DModel | Axis::DV => Key::AxisWeightsDown,
            _ => Key::AxisQueries,
        };
        let columns = match self.matrix.column_axis {
            // Names of components would be wider than a narrow matrix.
            _ if rows == Key::AxisWeightsDown => Key::AxisWeights,
            Axis::DModel => Key::AxisModel,
            Axis::DK => Key::AxisDk,
            Axis::DV => Key::AxisDv,
            Axis::Merged => Key::AxisMerged,
            Axis::DOut => Key::AxisOutput,
            Axis::Vocabulary => Key::AxisVocabulary,
            _ if is_short => Key::AxisProjected,
            _ => Key::AxisKeys,
        };
        [rows, columns].map(|key| key.text(language))
    }

    /// What is laid out, without a way to measure texts.
    pub fn request(&self, form: CellFormat, room: Room, language: Language) -> Request<'_> {
        let [query_title, key_title] = self.titles(language);
        Request {
            width: room.width,
            plot_height: room.plot_height,
            dpr: room.dpr,
            queries: &self.rows,
            keys: &self.columns,
            query_title,
            key_title,
            sides: self.sides(),
            form,
            corner: match Viewport::whole(self.rows.len(), self.columns.len()) {
                Some(_) => f64::INFINITY,
                None => FULL_SCREEN,
            },
            measure: &|_, _| 0.0,
        }
    }

    /// Name of a row in a sentence; empty out of range.
    pub fn row_name(&self, row: usize, language: Language) -> String {
        let numbered = self.numbered(self.matrix.row_axis);
        named(&self.rows, row, numbered, language)
    }

    /// Name of a column in a sentence; empty out of range.
    pub fn column_name(&self, column: usize, language: Language) -> String {
        let numbered = self.numbered(self.matrix.column_axis);
        named(&self.columns, column, numbered, language)
    }

    /// Text around the numbers of an axis; `None` for an axis with tokens.
    fn numbered(&self, axis: Axis) -> Option<Numbered> {
        match axis {
            Axis::Keys if self.run.state.linformer => Some(text::entry_mixture),
            Axis::N | Axis::M | Axis::Positions | Axis::Keys | Axis::Vocabulary => None,
            _ => Some(text::entry_component),
        }
    }
}

/// The text around the number of a row or column without a token.
type Numbered = fn(Language, &dyn Display) -> String;

fn named(names: &[String], at: usize, numbered: Option<Numbered>, language: Language) -> String {
    match (names.get(at), numbered) {
        (None, _) => String::new(),
        (Some(token), None) => token.clone(),
        (Some(number), Some(numbered)) => numbered(language, number),
    }
}

/// Maps an axis to queries, keys or neither.
fn side(axis: Axis, run: &Run) -> Side {
    match axis {
        Axis::N => Side::Queries,
        Axis::Positions if !has_two_texts(run) => Side::Queries,
        Axis::M | Axis::Keys => Side::Keys,
        _ => Side::Neither,
    }
}

fn has_two_texts(run: &Run) -> bool {
    run.state.second.is_some()
}

/// The labels of an axis: its tokens, or numbers from 1.
fn names(run: &Run, axis: Axis, length: usize) -> Cow<'_, [String]> {
    let numbers = || (1..=length).map(|at| at.to_string()).collect();
    run.tokens(axis).unwrap_or_else(numbers)
}

/// The cells that are hatched: those that the mask hides, in the mask itself and in what it leaves.
pub fn hidden<'a>(run: &'a Run, matrix: &Matrix<'_>) -> Cow<'a, Hidden> {
    let (rows, columns) = (matrix.rows, matrix.columns);
    if matrix.kind == MatrixKind::Mask {
        let is_hidden = |row, column| matrix.at(row, column) == Some(0.0);
        Cow::Owned(Hidden::new(rows, columns, is_hidden))
    } else if matrix.is_masked {
        Cow::Borrowed(run.hidden())
    } else {
        Cow::Owned(Hidden::none(rows, columns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;

    fn shown(run: &Run, step: StepKind) -> DisplayedMatrix<'_> {
        DisplayedMatrix::new(run, step, run.state.head)
    }

    #[test]
    fn weights_stand_in_for_a_matrix_that_has_not_come() {
        let without = computed("text=a+b&open=none");
        let instead = shown(&without, StepKind::Scores);
        assert_eq!(
            (instead.step, instead.matrix.kind),
            (StepKind::Weights, MatrixKind::Weights)
        );
        let with = computed("text=a+b&open=steps");
        assert_eq!(shown(&with, StepKind::Scores).step, StepKind::Scores);
    }

    /// Rows and columns of every matrix have as many names as numbers, and no cell lies outside.
    #[test]
    fn every_matrix_has_a_name_for_each_row_and_column() {
        for link in [
            "text=&open=steps",
            "text=one&open=steps",
            "text=a+b+c&source=x+y&open=steps&mask=padding&valid=0",
            "text=a+b+c&linformer=1&projected=2&open=steps",
            "weights=learned&trained=1&d_model=8&text=the+fox+it+ill&open=steps",
        ] {
            let run = computed(link);
            for &step in &run.steps {
                let displayed = shown(&run, step);
                let (rows, columns) = displayed.size();
                assert_eq!(
                    (displayed.rows.len(), displayed.columns.len()),
                    (rows, columns),
                    "{link} {step:?}"
                );
                assert!(displayed.grid().is_some(), "{link} {step:?}");
                assert_eq!(displayed.entry(rows, 0), None);
                assert_eq!(displayed.entry(0, columns), None);
                for language in Language::ALL {
                    let names = |at| {
                        [
                            displayed.row_name(at, language),
                            displayed.column_name(at, language),
                        ]
                    };
                    assert_eq!(names(rows.max(columns)), ["", ""]);
                    assert_eq!(displayed.row_name(0, language).is_empty(), rows == 0);
                }
            }
        }
    }

    #[test]
    fn hidden_cells_have_no_number() {
        let run = computed("text=a+b&mask=causal&open=steps");
        let weights = shown(&run, StepKind::Weights);
        assert_eq!(weights.entry(0, 0), Some(Entry::Value(1.0)));
        assert_eq!(weights.entry(0, 1), Some(Entry::Hidden));
        let mask = shown(&run, StepKind::Mask);
        assert_eq!(
            [mask.entry(0, 0), mask.entry(0, 1)],
            [Some(Entry::Visible), Some(Entry::Hidden)]
        );
        // The mask comes after the scores: these have all their numbers.
        assert!(matches!(
            shown(&run, StepKind::Scores).entry(0, 1),
            Some(Entry::Value(_))
        ));
        let written = computed("text=a+b&mask=causal&hiding=written");
        assert_eq!(
            shown(&written, StepKind::Weights).entry(0, 1),
            Some(Entry::Value(0.0))
        );
    }

    #[test]
    fn sides_follow_what_stands_along_them() {
        let one = computed("text=a+b&open=steps");
        assert_eq!(
            shown(&one, StepKind::Weights).sides(),
            [Side::Queries, Side::Keys]
        );
        assert!(shown(&one, StepKind::Weights).is_pairs());
        assert_eq!(
            shown(&one, StepKind::Keys).sides(),
            [Side::Keys, Side::Neither]
        );
        assert!(!shown(&one, StepKind::Keys).is_pairs());
        assert_eq!(shown(&one, StepKind::Positions).sides()[0], Side::Queries);
        let two = computed("text=a+b&source=c&open=steps");
        assert_eq!(shown(&two, StepKind::Positions).sides()[0], Side::Neither);
    }

    #[test]
    fn rows_of_weight_matrices_are_components_and_columns_of_logits_words() {
        let run = computed("weights=learned&trained=1&d_model=8&text=the+fox+it+ill&open=steps");
        let weights = shown(&run, StepKind::ValueWeightsGradient);
        assert_eq!(weights.sides(), [Side::Neither; 2]);
        let component = text::entry_component(Language::En, &"6");
        assert_eq!(weights.row_name(5, Language::En), component);
        assert_eq!(weights.column_name(5, Language::En), component);
        let titles = [Key::AxisWeightsDown, Key::AxisWeights].map(|key| key.text(Language::En));
        assert_eq!(weights.titles(Language::En), titles);
        let logits = shown(&run, StepKind::LogitsGradient);
        let words = run.tokens(Axis::Vocabulary).expect("a vocabulary");
        assert_eq!(logits.size(), (4, words.len()));
        assert_eq!(
            logits.column_name(words.len() - 1, Language::En),
            words[words.len() - 1]
        );
        assert_eq!(
            (run.word(3), run.word(words.len())),
            (words[3].as_str(), "")
        );
        assert_eq!(logits.sides(), [Side::Queries, Side::Neither]);
    }

    #[test]
    fn components_and_mixtures_are_called_by_number() {
        let run = computed("text=a+b&linformer=1&projected=1&open=steps");
        let queries = shown(&run, StepKind::Queries);
        assert_eq!(queries.row_name(1, Language::En), "b");
        assert_eq!(
            queries.column_name(0, Language::En),
            text::entry_component(Language::En, &"1")
        );
        let weights = shown(&run, StepKind::Weights);
        assert_eq!(
            weights.column_name(0, Language::En),
            text::entry_mixture(Language::En, &"1")
        );
        assert_eq!(
            weights.titles(Language::En)[1],
            Key::AxisProjected.text(Language::En)
        );
    }
}
