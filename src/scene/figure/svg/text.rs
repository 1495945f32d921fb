//! Escapes text for SVG.

use std::fmt::{self, Display, Formatter, Write as _};

use super::{Hex, Number, put};
use crate::scene::figure::TextRun;
use crate::scene::figure::palette::{Face, SERIF};
use crate::scene::marks::Anchor;

/// Text that can stand between tags and in attributes: markup is escaped, and what XML cannot hold is replaced.
pub(super) struct Tidy<'a>(pub &'a str);

impl Display for Tidy<'_> {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => to.write_str("&amp;")?,
                '<' => to.write_str("&lt;")?,
                '>' => to.write_str("&gt;")?,
                '"' => to.write_str("&quot;")?,
                '\'' => to.write_str("&#39;")?,
                '\t' | '\n' | '\r' => to.write_char(' ')?,
                c if is_allowed(c) => to.write_char(c)?,
                _ => to.write_char(char::REPLACEMENT_CHARACTER)?,
            }
        }
        Ok(())
    }
}

/// Whether a character may stand in XML 1.0 and is no control character.
fn is_allowed(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// `text` as it stands in a file.
pub fn escaped(text: &str) -> String {
    Tidy(text).to_string()
}

pub(super) fn words(out: &mut String, words: &TextRun) {
    let TextRun {
        x,
        y,
        text,
        anchor,
        degrees,
        size,
        face,
        colour,
    } = words;
    let [x, y, size] = [*x, *y, *size].map(Number);
    put(
        out,
        format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{}\"",
            Hex(*colour)
        ),
    );
    match anchor {
        Anchor::Start => {}
        Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
        Anchor::End => out.push_str(" text-anchor=\"end\""),
    }
    match face {
        Face::Sans => {}
        Face::Strong => out.push_str(" font-weight=\"600\""),
        Face::Serif => put(
            out,
            format_args!(" font-family=\"{}\" font-style=\"italic\"", Tidy(SERIF)),
        ),
    }
    if *degrees != 0.0 {
        put(
            out,
            format_args!(" transform=\"rotate({} {x} {y})\"", Number(*degrees)),
        );
    }
    put(out, format_args!(">{}</text>\n", Tidy(text)));
}
