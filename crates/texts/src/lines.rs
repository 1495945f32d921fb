//! The texts of a language as one file: a line for each, those of the keys before the templates.

use super::functions::numbered;
use super::tables::{Table, placeholders};

/// The file of `table`, whose templates take their values in the order of `first`.
pub fn file(table: &Table, first: &Table) -> String {
    let constant = table.constant().map(|(_, text)| text.to_owned());
    let templates = table
        .templates()
        .map(|(key, text)| numbered(text, &placeholders(&first.texts[key])));
    let lines: Vec<_> = constant.chain(templates).collect();
    lines.join("\n")
}
