//! The picture as a table, for reading by ear or by copy and paste; made only while it is open.

use std::fmt::Write as _;

use web_sys::{Element, HtmlDetailsElement};

use crate::ui::dom::{MissingPart, Root};
use crate::ui::run::Run;
use crate::view::format::CellStyle;
use crate::words::{Key, Language, fill, say};

/// Tokens per side up to which a table is of use.
const MOST: usize = 64;
const STYLE: CellStyle = CellStyle {
    decimals: 3,
    leading_zero: true,
};

/// The table below the map.
pub struct Table {
    details: HtmlDetailsElement,
    place: Element,
    is_stale: bool,
}

impl Table {
    pub fn new(root: &Root) -> Result<Self, MissingPart> {
        let (details, place) = (root.find("#as-table")?, root.find("#as-table .table")?);
        Ok(Self {
            details,
            place,
            is_stale: true,
        })
    }

    /// Another picture is on screen.
    pub fn outdate(&mut self) {
        self.is_stale = true;
    }

    /// Writes the table if it is open and out of date.
    pub fn show(&mut self, run: &Run, head: usize, language: Language) {
        if self.is_stale && self.details.open() {
            self.is_stale = false;
            self.place.set_inner_html(&html(run, head, language));
        }
    }
}

/// The table of one head, or why there is none. Every token is escaped.
fn html(run: &Run, head: usize, language: Language) -> String {
    let (rows, columns) = (run.queries.len(), run.keys.len());
    if rows > MOST || columns > MOST {
        let (most, rows, columns) = (MOST.to_string(), rows.to_string(), columns.to_string());
        let sizes = [
            ("most", most.as_str()),
            ("rows", &rows),
            ("columns", &columns),
        ];
        return format!(
            "<p>{}</p>",
            escaped(&fill(language, Key::TableTooLarge, &sizes))
        );
    }
    let corner = format!(
        "{} {}",
        say(language, Key::AxisQueries),
        say(language, Key::AxisKeys)
    );
    let mut out = format!(
        "<table><thead><tr><th scope=\"col\">{}</th>",
        escaped(&corner)
    );
    for key in &run.keys {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(key));
    }
    out.push_str("</tr></thead><tbody>");
    for (at, query) in run.queries.iter().enumerate() {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escaped(query));
        for (key, weight) in run.row(head, at).iter().enumerate() {
            let is_hidden = run.hidden().is_hidden(at, key);
            let cell = if is_hidden {
                say(language, Key::TableHidden).to_owned()
            } else {
                STYLE.write(*weight)
            };
            let _ = write!(out, "<td>{cell}</td>");
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table>");
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
