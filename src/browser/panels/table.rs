//! The map as a table, for screen readers and copying; built only while it is open.

use std::fmt::Write as _;

use web_sys::{Element, HtmlDetailsElement};

use crate::browser::dom::{MissingPart, Root, escaped};
use crate::i18n::number::{self, CellStyle};
use crate::i18n::{Key, Language, text};
use crate::present::displayed_matrix::{DisplayedMatrix, Entry};

/// Tokens per side up to which a table is of use.
const MOST: usize = 64;
/// Numbers from which on digits after the point say nothing.
const LARGE: f32 = 1e5;
const STYLE: CellStyle = CellStyle {
    decimals: 3,
    leading_zero: true,
};

/// The table below the map.
pub(crate) struct Table {
    details: HtmlDetailsElement,
    place: Element,
    is_stale: bool,
}

impl Table {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        let (details, place) = (root.find("#as-table")?, root.find("#as-table .table")?);
        Ok(Self {
            details,
            place,
            is_stale: true,
        })
    }

    /// Another picture is on screen.
    pub(crate) fn outdate(&mut self) {
        self.is_stale = true;
    }

    /// Writes the table if it is open and out of date.
    pub(crate) fn update(&mut self, exhibit: &DisplayedMatrix<'_>, language: Language) {
        if self.is_stale && self.details.open() {
            self.is_stale = false;
            self.place.set_inner_html(&html(exhibit, language));
        }
    }
}

/// The table of a matrix, or why there is none. Every token is escaped.
fn html(exhibit: &DisplayedMatrix<'_>, language: Language) -> String {
    let (rows, columns) = exhibit.size();
    if rows > MOST || columns > MOST {
        return format!(
            "<p>{}</p>",
            escaped(&text::table_too_large(language, &MOST, &rows, &columns))
        );
    }
    let corner = exhibit.titles(language).join(" ");
    let mut out = format!(
        "<table><thead><tr><th scope=\"col\">{}</th>",
        escaped(&corner)
    );
    for column in exhibit.columns.iter() {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(column));
    }
    out.push_str("</tr></thead><tbody>");
    for (at, row) in exhibit.rows.iter().enumerate() {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escaped(row));
        for column in 0..columns {
            let _ = write!(
                out,
                "<td>{}</td>",
                cell(exhibit.entry(at, column), language)
            );
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table>");
    out
}

fn cell(entry: Option<Entry>, language: Language) -> String {
    match entry {
        Some(Entry::Value(value)) if value.abs() >= LARGE => number::short(value),
        Some(Entry::Value(value)) => STYLE.write(value),
        Some(Entry::Visible) => Key::VisibleCell.text(language).to_owned(),
        Some(Entry::Hidden) => Key::TableHidden.text(language).to_owned(),
        None => String::new(),
    }
}
