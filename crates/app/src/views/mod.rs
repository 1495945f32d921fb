//! Panels as functions from view models to markup.
//!
//! A view takes a view model of [`present`](crate::present) and returns [`Markup`], a string that a native test reads as it is. The
//! browser patches the page with what has changed ([`patch`]) and listens for what is done by the `data-` attributes that a view
//! writes. The page's policy allows no `style` in markup: attributes of [`STYLED`] become properties for the style sheet.

wasm_chunks::chunk!("input": lesson_missing, missing);

pub mod analysis;
pub mod backend_comparison;
pub mod coach;
pub mod code;
pub mod comparison;
pub mod cost;
pub mod curves;
pub mod data;
pub mod draw;
pub mod head_table;
pub mod head_thumbnails;
pub mod import_dialog;
pub mod inspector;
pub mod learned;
pub mod lesson;
mod mask_programs;
pub mod math;
pub mod model;
pub mod notices;
pub mod opening;
pub mod painted_cell;
pub mod patch;
pub mod print_caption;
pub mod program;
pub mod reading;
pub mod save;
pub mod share;
pub mod share_parts;
pub mod similar_heads;
pub mod steps;
pub mod streaming;
pub mod table;
pub mod tensor_table;
pub mod tiles;
pub mod token_spans;
pub mod training;

pub use maud::{Markup, html};

use std::fmt::Display;

use maud::PreEscaped;

use crate::i18n::{Key, Language};
use crate::present::memo::Memo;
use crate::present::small_chart::NamedChart;
use crate::scene::layout::Side;
use crate::scene::math_symbols::{Piece, pieces};
use crate::scene::shape::Shape;
use crate::scene::svg;
use crate::state::{Part, State};

/// Attributes with the properties that the style sheet reads their values as.
pub const STYLED: [(&str, &str); 9] = [
    ("data-fill", "--fill"),
    ("data-share", "--share"),
    ("data-weight", "--weight"),
    ("data-ground", "background"),
    ("data-ink", "color"),
    ("data-rows", "--rows"),
    ("data-columns", "--columns"),
    ("data-token-height", "--row"),
    ("data-letters", "--letters"),
];

/// Attribute with the value of a field: that of a tag is only the first one.
pub const VALUE: &str = "data-value";

/// Attribute of a canvas with the key of its heatmap.
pub const HEATMAP: &str = "data-heatmap";

/// Attribute of a button that retries loading.
pub const AGAIN: &str = "data-again";

/// Placeholder for a part that could not be loaded.
pub fn missing(language: Language) -> Markup {
    html! {
        p { (Key::PartMissing.text(language)) }
        p { button type="button" class="plain" data-again { (Key::PartAgain.text(language)) } }
    }
}

/// Placeholder for a lesson that could not be loaded.
pub fn lesson_missing(language: Language) -> Markup {
    html! {
        p { (Key::LessonMissing.text(language)) }
        p { button type="button" class="plain" data-again { (Key::LessonRetry.text(language)) } }
        p { button type="button" class="bare" data-lesson-do="close" { (Key::LessonClose.text(language)) } }
    }
}

/// A sentence in which files and tensors are named without quotation marks, and no symbol stands.
pub fn sentence(text: &str) -> Markup {
    html! { (text) }
}

/// A text with its symbols as MathML. It is read aloud and copied as the same text.
pub fn symbols(text: &str) -> Markup {
    html! {
        @for piece in pieces(text) {
            @match piece {
                Piece::Words(words) => (words),
                Piece::Symbol(letter, below) => {
                    var { (letter) span class="unseen" { "_" } sub { (below) } }
                }
            }
        }
    }
}

/// Button that opens the Save panel for a picture.
pub(crate) fn save_button(picture: &str, state: &State, language: Language) -> Markup {
    const ARROW: &str = r#"<svg viewBox="0 0 12 12" aria-hidden="true"><path d="M6 1v7M2.8 5 6 8.2 9.2 5M1.5 11h9"></path></svg>"#;
    let name = Key::SaveChart.text(language);
    html! {
        button type="button" class="save-small" popovertarget="save-panel" data-picture=(picture) data-absent[!state.is_shown(Part::Save)]
            aria-label=(name) title=(name) { (raw(ARROW)) }
    }
}

/// Names of columns.
fn columns(names: impl IntoIterator<Item = &'static str>) -> Markup {
    html! { @for name in names { th scope="col" { (name) } } }
}

/// A table that can be scrolled, and is reached for that.
fn scrolled(name: &str, table: Markup) -> Markup {
    html! { div class="table" tabindex="0" role="region" aria-label=(name) { (table) } }
}

/// Markup that is kept for a key.
fn kept<K: PartialEq>(memo: &Memo<K, String>, key: K, make: impl FnOnce() -> Markup) -> Markup {
    PreEscaped(memo.get(key, || make().into_string()).to_string())
}

/// Shapes that the scene has written as SVG.
fn shapes(svg: &str) -> Markup {
    PreEscaped(svg.to_owned())
}

/// Markup written in the source code.
pub(crate) fn raw(markup: &'static str) -> Markup {
    PreEscaped(markup.to_owned())
}

/// Formats a text around a piece that is already HTML.
pub(crate) fn said_around(said: impl Fn(&dyn Display) -> String, piece: &str) -> Markup {
    const PLACE: char = '\u{fffc}';
    let said = said(&PLACE);
    let (before, after) = said.split_once(PLACE).unwrap_or((&said, ""));
    html! { (before) (PreEscaped(piece)) (after) }
}

/// A drawing of this size on the page; the text beside it describes it.
pub(crate) fn drawing(size: (f64, f64), shapes: &[Shape]) -> Markup {
    PreEscaped(svg::element(size, &svg::on_page(shapes)))
}

/// A drawing with marks above it, in a group of a class.
pub(crate) fn marked_drawing(
    size: (f64, f64),
    shapes: &[Shape],
    (class, marks): (&str, &[Shape]),
) -> Markup {
    let [shapes, marks] = [shapes, marks].map(svg::on_page);
    let content = format!("{shapes}<g class=\"{class}\">{marks}</g>");
    PreEscaped(svg::element(size, &content))
}

/// Charts, each under its name.
pub(crate) fn named_charts(charts: &[NamedChart]) -> Markup {
    html! {
        @for chart in charts {
            figure {
                figcaption { (symbols(&chart.name)) }
                (drawing(chart.size, &chart.shapes))
            }
        }
    }
}

/// Cell as text: its row, an arrow, its column and its value.
pub(crate) fn cell([row, column]: [Side; 2], parts: [&str; 4]) -> Markup {
    html! {
        span class=(class_of_side(row)) { (parts[0]) }
        span class="arrow" { (parts[1]) }
        span class=(class_of_side(column)) { (parts[2]) }
        span class="value" { (parts[3]) }
    }
}

/// A share for `data-share`, from 0 to 1.
fn share(share: f64) -> String {
    format!("{share:.3}")
}

/// A share for `data-weight`, as a length that the style sheet takes.
fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// The class that gives the hue of one side.
fn class_of_side(side: Side) -> &'static str {
    match side {
        Side::Queries => "is-query-text",
        Side::Keys => "is-key-text",
        Side::Neither => "",
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::said_around;

    /// Parts of `markup` between each `from` and the next `to`.
    pub(crate) fn between<'a>(markup: &'a str, from: &str, to: &str) -> Vec<&'a str> {
        let parts = markup.split(from).skip(1);
        parts.filter_map(|part| part.split(to).next()).collect()
    }

    #[test]
    fn what_the_page_says_is_escaped_and_what_a_lesson_says_is_not() {
        let said = said_around(
            |piece| format!("<img src=x onerror=y> {piece} &"),
            "<b>1</b>",
        );
        let expected = "&lt;img src=x onerror=y&gt; <b>1</b> &amp;";
        assert_eq!(said.into_string(), expected);
    }
}
