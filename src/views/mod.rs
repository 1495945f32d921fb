//! Panels as functions from what they show to markup.
//!
//! A view takes a view model of [`present`](crate::present) and returns [`Markup`], a string that a native test reads as it is. The
//! browser patches the page with what has changed ([`patch`]) and listens for what is done by the `data-` attributes that a view
//! writes. The page's policy allows no `style` in markup: attributes of [`STYLED`] become properties for the style sheet.

pub mod head_table;
pub mod import_dialog;
pub mod inspector;
pub mod patch;
pub mod program;
pub mod share_parts;
pub mod tensor_table;

pub use maud::{Markup, html};

use maud::PreEscaped;

use crate::scene::layout::Side;
use crate::scene::math_symbols::{Piece, pieces};

/// Attributes with the properties that the style sheet reads their values as.
pub const STYLED: [(&str, &str); 1] = [("data-share", "--share")];

/// A text with its symbols as mathematics. What is read aloud or copied stays the same text.
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

/// Markup that stands in the sources as it is.
pub(crate) fn raw(markup: &'static str) -> Markup {
    PreEscaped(markup.to_owned())
}

/// The class that gives the hue of one side.
pub fn class_of_side(side: Side) -> &'static str {
    match side {
        Side::Queries => "is-query-text",
        Side::Keys => "is-key-text",
        Side::Neither => "",
    }
}
