//! Which cells of a table are numbers and which are labels.

use std::borrow::Cow;

use super::cells::{Cell, Cells, place};
use crate::error::{ErrorLocation, FormatError, FormatRule};

/// Where the numbers stand.
#[derive(Debug, PartialEq)]
pub(super) struct Layout {
    /// Rows and columns, names included.
    pub rows: usize,
    pub columns: usize,
    /// Whether the first row names columns.
    pub has_header: bool,
    /// Columns in front that name rows.
    pub names: usize,
    /// Whether the first row lacks the corner, as R writes it.
    pub is_short: bool,
    /// Whether numbers have decimal commas, and none a point.
    pub has_commas: bool,
}

/// Statistics of some cells.
#[derive(Clone, Copy, Default)]
struct Seen {
    words: usize,
    quoted: usize,
    plain: usize,
}

impl Seen {
    fn see(&mut self, cell: &Cell<'_>) {
        self.words += usize::from(!is_number(cell));
        self.quoted += usize::from(cell.is_quoted);
        self.plain += usize::from(!cell.is_quoted);
    }

    /// Words, or quoted where numbers are not: names of either kind.
    fn is_named(&self, numbers: &Self) -> bool {
        self.words > 0 || (self.quoted > 0 && self.plain == 0 && numbers.quoted == 0)
    }
}

/// Reads the whole table once, without keeping it. `width` is how many numbers stand in a row, where that is known.
pub(super) fn layout(text: &str, width: Option<usize>) -> Result<Layout, FormatError> {
    let mut cells = Cells::new(text);
    let mut table = Table::default();
    while let Some(cell) = cells.next()? {
        table.see(&cell)?;
    }
    let (rows, columns) = (table.rows, table.columns);
    let has_header = table.has_header();
    Ok(Layout {
        rows,
        columns,
        has_header,
        names: match width {
            Some(width) => columns.saturating_sub(width),
            None => usize::from(table.has_names(has_header)),
        },
        is_short: table.is_short,
        has_commas: table.commas > 0 && table.points == 0,
    })
}

/// Statistics of a table.
#[derive(Default)]
struct Table {
    rows: usize,
    columns: usize,
    /// Whether the first cell is empty.
    has_corner: bool,
    /// The first cell, the others of its row, the others of its column, and the rest.
    corner: Seen,
    top: Seen,
    left: Seen,
    inner: Seen,
    is_short: bool,
    /// Numbers with a decimal comma, and with a point.
    commas: usize,
    points: usize,
}

impl Table {
    fn see(&mut self, cell: &Cell<'_>) -> Result<(), FormatError> {
        if is_number(cell) {
            self.commas += usize::from(cell.text.contains(','));
            self.points += usize::from(cell.text.contains('.'));
        }
        let part = match (cell.row, cell.column) {
            (0, 0) => {
                self.has_corner = cell.text.is_empty();
                &mut self.corner
            }
            (0, _) => &mut self.top,
            (_, 0) => &mut self.left,
            _ => &mut self.inner,
        };
        part.see(cell);
        if !cell.is_last {
            return Ok(());
        }
        let columns = cell.column + 1;
        if cell.row == 0 {
            self.columns = columns;
        }
        self.rows = cell.row + 1;
        if cell.row == 1 && columns == self.columns + 1 && self.names_columns() {
            self.is_short = true;
            self.has_corner = true;
            self.columns = columns;
        }
        if columns != self.columns {
            let row = ErrorLocation::Row(self.rows);
            return Err(FormatError::new(
                row,
                columns,
                FormatRule::Ragged(self.columns),
            ));
        }
        Ok(())
    }

    /// Whether the first row holds names alone.
    fn names_columns(&self) -> bool {
        let [words, quoted] = [self.corner, self.top]
            .iter()
            .fold([0, 0], |[words, quoted], seen| {
                [words + seen.words, quoted + seen.quoted]
            });
        words == self.columns || quoted == self.columns
    }

    /// Whether the first row names columns.
    fn has_header(&self) -> bool {
        let has_word_alone = self.corner.words > 0 && self.left.words == 0 && self.rows > 1;
        let is_named = self.has_corner || self.top.is_named(&self.inner);
        has_word_alone || self.columns > 1 && is_named
    }

    /// Whether the first column names rows.
    fn has_names(&self, has_header: bool) -> bool {
        let is_named = self.has_corner || self.left.is_named(&self.inner);
        self.columns > 1 && (is_named || !has_header && self.corner.words > 0)
    }
}

/// The digits of a cell, with the minus sign of a keyboard.
pub(super) fn digits<'a>(cell: &'a Cell<'_>) -> Cow<'a, str> {
    let text = cell.text.trim();
    if text.contains('−') {
        Cow::Owned(text.replace('−', "-"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether it would be a number with points for its commas; points before those separate thousands.
pub(super) fn has_decimal_comma(digits: &str) -> bool {
    digits.contains(',')
        && digits
            .replace('.', "")
            .replace(',', ".")
            .parse::<f32>()
            .is_ok()
}

/// Whether a cell contains a number, or a word for NaN or infinity. One with a decimal comma is no
/// name either.
fn is_number(cell: &Cell<'_>) -> bool {
    let digits = digits(cell);
    digits.parse::<f32>().is_ok() || has_decimal_comma(&digits)
}

/// The refusal of a cell.
pub(super) fn refuse(cell: &Cell<'_>, rule: FormatRule) -> FormatError {
    FormatError::new(place(cell.row, cell.column), &cell.text, rule)
}
