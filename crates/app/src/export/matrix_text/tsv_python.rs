//! Numbers without loss: each reads back as the same 32-bit number.

use super::CellRange;
use formats::guarded;

/// Value of a hidden cell in a Python list.
pub(super) const HIDDEN: &str = "None";

/// Cells with tabs between them, under the names of the columns; a single cell is its number alone. A hidden cell is empty.
pub(super) fn tabs(part: &CellRange<'_>) -> String {
    let value = |row, column| part.value(row, column).map(exact).unwrap_or_default();
    if part.is_cell() {
        return value(part.rows.start, part.columns.start);
    }
    let [down, along] = part.sheet.titles;
    let mut text = name(&format!("{down} \\ {along}"));
    for column in part.columns.clone() {
        text.push('\t');
        text.push_str(&name(&part.sheet.columns[column]));
    }
    for row in part.rows.clone() {
        text.push('\n');
        text.push_str(&name(&part.sheet.rows[row]));
        for column in part.columns.clone() {
            text.push('\t');
            text.push_str(&value(row, column));
        }
    }
    text + "\n"
}

/// A name as a cell. Tokens come out of links that anybody can write: what would be a formula gets an apostrophe.
fn name(text: &str) -> String {
    let kept = guarded(text).replace(|c: char| c.is_control(), " ");
    if kept.starts_with('"') {
        format!("\"{}\"", kept.replace('"', "\"\""))
    } else {
        kept
    }
}

/// A number, or a list of numbers, or a list of rows. A hidden cell is `None`; without one the text
/// is JSON as well.
pub(super) fn python(part: &CellRange<'_>) -> String {
    let value = |row, column| part.value(row, column).map_or(HIDDEN.to_owned(), exact);
    if part.is_cell() {
        return value(part.rows.start, part.columns.start);
    }
    let list = |row: usize| {
        let values: Vec<String> = part
            .columns
            .clone()
            .map(|column| value(row, column))
            .collect();
        format!("[{}]", values.join(", "))
    };
    if part.rows.len() == 1 {
        return list(part.rows.start);
    }
    let rows: Vec<String> = part
        .rows
        .clone()
        .map(|row| format!("    {}", list(row)))
        .collect();
    format!("[\n{}\n]", rows.join(",\n"))
}

/// The shortest digits that are read back as the same number.
fn exact(value: f32) -> String {
    format!("{value:?}")
}
