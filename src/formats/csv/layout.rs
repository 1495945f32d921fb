//! What of a table is numbers, and what names them.

use std::borrow::Cow;

use super::cells::{Cell, Cells, Separator, place};
use crate::formats::error::{FormatError, Rule};

/// Where the numbers stand.
#[derive(Debug, PartialEq)]
pub struct Layout {
    /// Rows and columns, names included.
    pub rows: usize,
    pub columns: usize,
    /// Whether the first row names columns.
    pub has_header: bool,
    /// Columns in front that name rows.
    pub names: usize,
}

/// What has been seen of some cells.
#[derive(Clone, Copy, Default)]
struct Seen {
    words: usize,
    quoted: usize,
    plain: usize,
}

impl Seen {
    fn see(&mut self, cell: &Cell<'_>, separator: Separator) {
        self.words += usize::from(!is_number(cell, separator));
        self.quoted += usize::from(cell.is_quoted);
        self.plain += usize::from(!cell.is_quoted);
    }

    /// Words, or quoted where numbers are not: names of either kind.
    fn is_named(&self, numbers: &Self) -> bool {
        self.words > 0 || (self.quoted > 0 && self.plain == 0 && numbers.quoted == 0)
    }
}

/// Reads the whole table once, without keeping it. `width` is how many numbers stand in a row, where that is known.
pub fn layout(text: &str, width: Option<usize>) -> Result<Layout, FormatError> {
    let mut cells = Cells::new(text);
    let separator = cells.separator;
    let (mut rows, mut columns) = (0, 0);
    let (mut corner, mut corner_seen) = (false, Seen::default());
    let [mut top, mut left, mut inner] = [Seen::default(); 3];
    while let Some(cell) = cells.next()? {
        match (cell.row, cell.column) {
            (0, 0) => {
                corner = cell.text.is_empty();
                corner_seen.see(&cell, separator);
            }
            (0, _) => top.see(&cell, separator),
            (_, 0) => left.see(&cell, separator),
            _ => inner.see(&cell, separator),
        }
        if cell.is_last {
            columns = if cell.row == 0 {
                cell.column + 1
            } else {
                columns
            };
            rows = cell.row + 1;
            if cell.column + 1 != columns {
                let row = format!("row {rows}");
                return Err(FormatError::new(
                    &row,
                    cell.column + 1,
                    Rule::Ragged(columns),
                ));
            }
        }
    }
    let is_column = columns == 1;
    let has_word_alone = corner_seen.words > 0 && left.words == 0 && rows > 1;
    let has_header = corner && !is_column
        || if is_column {
            has_word_alone
        } else {
            top.is_named(&inner) || has_word_alone
        };
    let has_names =
        !is_column && (corner || left.is_named(&inner) || !has_header && corner_seen.words > 0);
    let names = match width {
        Some(width) => columns.saturating_sub(width),
        None => usize::from(has_names),
    };
    Ok(Layout {
        rows,
        columns,
        has_header,
        names,
    })
}

/// The digits of a cell with a point, where it may hold a comma.
pub fn digits<'a>(cell: &'a Cell<'_>, separator: Separator) -> Cow<'a, str> {
    let text = cell.text.trim();
    let takes_comma = cell.is_quoted || separator != Separator::Character(',');
    let has_comma = takes_comma && text.contains(',') && !text.contains('.');
    if !has_comma && !text.contains('−') {
        return Cow::Borrowed(text);
    }
    let change = |c| match c {
        ',' if has_comma => '.',
        '−' => '-',
        c => c,
    };
    Cow::Owned(text.chars().map(change).collect())
}

/// Whether a cell holds a number, or a word for what is none.
fn is_number(cell: &Cell<'_>, separator: Separator) -> bool {
    digits(cell, separator).parse::<f32>().is_ok()
}

/// The refusal of a cell.
pub fn refuse(cell: &Cell<'_>, rule: Rule) -> FormatError {
    FormatError::new(&place(cell.row, cell.column), &cell.text, rule)
}
