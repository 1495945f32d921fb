//! The matrix on the map as text: whole, by row or by cell.
//!
//! | module | holds |
//! |---|---|
//! | this one | what can be copied, in which form, and how much |
//! | `tsv_python` | numbers for a spreadsheet and for Python |
//! | `text_table` | a plain-text table |
//! | `formula` | the formula of a step in LaTeX |
//! | `latex` | a table in LaTeX |
//! | `on_map` | the matrix on the map, and what is said of its copy |

mod formula;
mod latex;
mod on_map;
mod text_table;
mod tsv_python;

pub use formula::formula;
pub use on_map::{MatrixOnMap, beginning};

use crate::state::setting_enums::named;

named! {
    /// Text formats.
    #[derive(Default)]
    Form {
        /// A spreadsheet: cells with tabs between them.
        #[default]
        Tabs = "tabs",
        /// Python: lists of numbers.
        Python = "python",
        /// Letters of one width.
        Plain = "plain",
        /// LaTeX.
        Latex = "latex",
    }
}

named! {
    /// How much of the matrix is copied.
    #[derive(Default)]
    Extent {
        /// The chosen cell.
        Cell = "cell",
        /// The row that is read.
        Row = "row",
        /// All of it.
        #[default]
        Matrix = "matrix",
    }
}

/// A matrix with names for its rows and columns.
pub struct TextMatrix<'a> {
    /// Titles of rows and columns, for the corner.
    pub titles: [&'a str; 2],
    /// The name of each row.
    pub rows: &'a [String],
    /// The name of each column.
    pub columns: &'a [String],
    /// `[rows, columns]`, row by row.
    pub values: &'a [f32],
    /// Whether a cell is hidden, which is written as nothing where it can be.
    pub is_hidden: &'a dyn Fn(usize, usize) -> bool,
    /// Description of the table, in one sentence.
    pub caption: &'a str,
    /// The same with formulas, for LaTeX.
    pub formula: &'a str,
}

/// Which rows and columns are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// One row; `None` takes them all.
    pub row: Option<usize>,
    /// One column; `None` takes them all.
    pub column: Option<usize>,
}

/// Why something cannot be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is nothing there.
    Nothing,
    /// More rows or columns than fit on a page.
    TooLarge {
        /// The most that do.
        most: usize,
    },
}

/// The most rows and columns of a table.
pub const MOST_IN_TABLE: usize = 32;

/// The most rows and columns of numbers: the longest text has as many tokens.
pub const MOST_NUMBERS: usize = 1024;

impl Form {
    /// Text of a hidden cell; empty in a spreadsheet.
    pub const fn hidden(self) -> &'static str {
        match self {
            Self::Tabs => "",
            Self::Python => tsv_python::HIDDEN,
            Self::Plain => text_table::HIDDEN,
            Self::Latex => latex::HIDDEN,
        }
    }

    /// The most rows, and columns, that are written in this form.
    pub const fn most(self) -> usize {
        match self {
            Self::Tabs | Self::Python => MOST_NUMBERS,
            Self::Plain | Self::Latex => MOST_IN_TABLE,
        }
    }
}

impl TextMatrix<'_> {
    /// The copied part as text of a form.
    ///
    /// # Errors
    /// [`Refusal`]; nothing is ever left out without saying so.
    pub fn written(&self, taken: Selection, form: Form) -> Result<String, Refusal> {
        let rows = places(taken.row, self.rows.len());
        let columns = places(taken.column, self.columns.len());
        if rows.is_empty()
            || columns.is_empty()
            || self.values.len() != self.rows.len() * self.columns.len()
        {
            return Err(Refusal::Nothing);
        }
        let most = form.most();
        if rows.len() > most || columns.len() > most {
            return Err(Refusal::TooLarge { most });
        }
        let part = CellRange {
            sheet: self,
            rows,
            columns,
        };
        Ok(match form {
            Form::Tabs => tsv_python::tabs(&part),
            Form::Python => tsv_python::python(&part),
            Form::Plain => text_table::table(&part),
            Form::Latex => latex::table(&part),
        })
    }
}

fn places(one: Option<usize>, length: usize) -> std::ops::Range<usize> {
    match one {
        None => 0..length,
        Some(at) if at < length => at..at + 1,
        Some(_) => 0..0,
    }
}

/// The rows and columns that are written.
struct CellRange<'a> {
    sheet: &'a TextMatrix<'a>,
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
}

impl CellRange<'_> {
    fn is_cell(&self) -> bool {
        self.rows.len() == 1 && self.columns.len() == 1
    }

    /// The number of a cell; `None` where it is hidden.
    fn value(&self, row: usize, column: usize) -> Option<f32> {
        let value = self.sheet.values[row * self.sheet.columns.len() + column];
        (!(self.sheet.is_hidden)(row, column)).then_some(value)
    }

    /// The number as a table says it, with as many decimals as all the others of what is written.
    fn short(&self, row: usize, column: usize, decimals: usize) -> Option<String> {
        let text = format!("{:.*}", decimals, self.value(row, column)?);
        let is_zero = text.chars().all(|c| "-0.".contains(c));
        Some(if is_zero { text.replace('-', "") } else { text })
    }

    /// Decimals for four digits of the largest number, three at most.
    fn decimals(&self) -> usize {
        let cells = self
            .rows
            .clone()
            .flat_map(|row| self.columns.clone().map(move |column| (row, column)));
        let largest = cells
            .filter_map(|(row, column)| self.value(row, column))
            .fold(0.0, |most: f32, value| most.max(value.abs()));
        [10.0, 100.0, 1000.0]
            .iter()
            .filter(|bound| largest < **bound)
            .count()
    }
}
