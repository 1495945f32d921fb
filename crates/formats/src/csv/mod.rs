//! A tensor as a table: one row for each index of all its axes but the last.

mod cells;
mod layout;
mod write;

use std::borrow::Cow;

use crate::contents::{Contents, Source};
use crate::dtype::parse;
use crate::error::{FormatError, FormatRule};
use crate::limits::Limits;
use crate::tensor::{Labels, Tensor};
use cells::{Cell, Cells};
use layout::{Layout, digits, has_decimal_comma, layout, refuse};
pub(crate) use write::pieces;

/// Prefix of the comment with the shape of a tensor that is no matrix.
const SHAPE: &str = "# shape: (";
/// Between the titles of rows and columns, in the corner.
const CORNER: &str = " \\ ";
/// Most labels kept per axis; more are never shown.
const MOST_NAMES: usize = 4096;
/// Before a text that a spreadsheet would take for a formula.
const GUARD: char = '\'';

pub(crate) fn read(name: &str, text: &str, limits: &Limits) -> Result<Contents, FormatError> {
    let told = shape(name, text, limits)?;
    let width = told.as_ref().and_then(|shape| shape.last().copied());
    let layout = layout(text, width)?;
    let rows = layout.rows - usize::from(layout.has_header);
    let columns = layout.columns - layout.names;
    let is_guessed = told.is_none();
    let shape = told.unwrap_or_else(|| vec![rows, columns]);
    if rows == 0 && is_guessed {
        return Err(FormatError::new(name, "", FormatRule::NoTensors));
    }
    let count = limits.count(name, &shape, 0)?;
    let held = rows.saturating_mul(columns);
    if held != count {
        return Err(FormatError::new(
            name,
            format!("{shape:?}"),
            FormatRule::Length(held),
        ));
    }
    let mut table = Table {
        name,
        shape: &shape,
        titles: Vec::new(),
        columns: Vec::new(),
        rows: Vec::new(),
        data: Vec::with_capacity(count),
    };
    let mut cells = Cells::new(text);
    while let Some(mut cell) = cells.next()? {
        cell.column += usize::from(layout.is_short && cell.row == 0);
        table.take(&layout, cell)?;
    }
    let (labels, data) = (table.labels(), table.data);
    let tensor = Tensor {
        labels,
        ..Tensor::new(name, shape, data)
    };
    let source = match layout.has_commas {
        true => Source::DecimalCommas,
        false => Source::Table,
    };
    Ok(Contents::new(source, vec![tensor]))
}

/// The shape in a comment before the table.
fn shape(name: &str, text: &str, limits: &Limits) -> Result<Option<Vec<usize>>, FormatError> {
    let comments = text.lines().take_while(|line| line.starts_with('#'));
    let Some(told) = comments.filter_map(|line| line.strip_prefix(SHAPE)).next() else {
        return Ok(None);
    };
    let refused = || FormatError::new(name, told, FormatRule::Malformed);
    let lengths = told.trim_end().strip_suffix(')').ok_or_else(refused)?;
    let lengths = lengths
        .split(',')
        .map(str::trim)
        .filter(|length| !length.is_empty());
    let mut shape = Vec::new();
    for length in lengths {
        shape.push(length.parse().map_err(|_| refused())?);
        limits.axes(name, shape.len())?;
    }
    Ok(Some(shape))
}

/// Parsed parts of a table.
struct Table<'t> {
    name: &'t str,
    shape: &'t [usize],
    titles: Vec<String>,
    columns: Vec<String>,
    /// Of each column of names, those of its rows.
    rows: Vec<Vec<String>>,
    data: Vec<f32>,
}

impl Table<'_> {
    fn take(&mut self, layout: &Layout, cell: Cell<'_>) -> Result<(), FormatError> {
        let is_header = layout.has_header && cell.row == 0;
        match (is_header, cell.column < layout.names) {
            (true, true) => keep(&mut self.titles, cell),
            (true, false) => keep(&mut self.columns, cell),
            (false, true) => {
                if cell.column >= self.rows.len() {
                    self.rows.push(Vec::new());
                }
                keep(&mut self.rows[cell.column], cell);
            }
            (false, false) => return self.number(layout, &cell),
        }
        Ok(())
    }

    fn number(&mut self, layout: &Layout, cell: &Cell<'_>) -> Result<(), FormatError> {
        if cell.text.is_empty() {
            // A cell that was hidden on this page, which titles both sides.
            if !self.titles.iter().any(|title| title.contains(CORNER)) {
                return Err(refuse(cell, FormatRule::EmptyCell));
            }
            self.data.push(0.0);
            return Ok(());
        }
        let mut digits = digits(cell);
        if has_decimal_comma(&digits) {
            if !layout.has_commas {
                return Err(refuse(cell, FormatRule::DecimalComma));
            }
            digits = Cow::Owned(digits.replace(',', "."));
        }
        let is_word = !digits.contains(|c: char| c.is_ascii_digit());
        let value = match digits.parse::<f32>() {
            Ok(value) if value.is_nan() => Ok(value),
            Ok(_) if is_word => Err(FormatRule::NotFinite),
            _ if digits == "..." => Err(FormatRule::Elided),
            _ => parse(&digits),
        };
        let value = value.map_err(|rule| self.refuse(cell, rule))?;
        self.data.push(value);
        Ok(())
    }

    /// Error about a cell: a number that is not finite is located in the tensor, any other in the
    /// file.
    fn refuse(&self, cell: &Cell<'_>, rule: FormatRule) -> FormatError {
        match rule {
            FormatRule::NotFinite | FormatRule::BeyondRange => {
                FormatError::of_element(self.name, self.shape, self.data.len(), &cell.text, rule)
            }
            _ => refuse(cell, rule),
        }
    }

    /// The labels along each axis, as far as the table has them.
    fn labels(&mut self) -> Vec<Labels> {
        let is_told = !self.columns.is_empty() || !self.rows.is_empty();
        let axes = self.shape.len();
        if !is_told || axes == 0 {
            return Vec::new();
        }
        let mut labels = vec![Labels::default(); axes];
        labels[axes - 1].names = full(std::mem::take(&mut self.columns), self.shape[axes - 1]);
        for (axis, mut names) in std::mem::take(&mut self.rows).into_iter().enumerate() {
            let Some(label) = labels[..axes - 1].get_mut(axis) else {
                break;
            };
            // Names are told again for every place along the axes before.
            let period: usize = self.shape[axis + 1..axes - 1].iter().product();
            names = names.into_iter().step_by(period.max(1)).collect();
            names.truncate(self.shape[axis]);
            label.names = full(names, self.shape[axis]);
        }
        for (axis, title) in std::mem::take(&mut self.titles).into_iter().enumerate() {
            match title.split_once(CORNER) {
                Some((row, column)) if axis + 2 == axes => {
                    labels[axis].title = row.to_owned();
                    labels[axes - 1].title = column.to_owned();
                }
                _ if axis < axes => labels[axis].title = title,
                _ => (),
            }
        }
        labels
    }
}

/// The names where every place has one.
fn full(names: Vec<String>, length: usize) -> Vec<String> {
    if names.len() == length {
        names
    } else {
        Vec::new()
    }
}

fn keep(names: &mut Vec<String>, cell: Cell<'_>) {
    if names.len() < MOST_NAMES {
        let text = cell.text.as_ref();
        let bare = text.strip_prefix(GUARD).filter(|bare| wants_guard(bare));
        names.push(bare.unwrap_or(text).to_owned());
    }
}

/// Whether a spreadsheet would take `text` for a formula, or an apostrophe before it for the one that keeps it from that.
fn wants_guard(text: &str) -> bool {
    text.trim_start_matches(GUARD)
        .starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// A text that no spreadsheet takes for a formula.
pub fn guarded(text: &str) -> Cow<'_, str> {
    if wants_guard(text) {
        format!("{GUARD}{text}").into()
    } else {
        text.into()
    }
}
