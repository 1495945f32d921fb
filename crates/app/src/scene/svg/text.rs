//! Escapes text for SVG.

use std::fmt::{self, Display, Formatter, Write as _};

use super::{Hex, Number, Writer};
use crate::scene::figure::palette::{Inks, SERIF};
use crate::scene::role::Face;
use crate::scene::shape::{Anchor, TextRun};

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

impl Writer {
    pub(super) fn words(&mut self, words: &TextRun) {
        let [x, y, size] = [words.x, words.y, words.size].map(Number);
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\""
        ));
        match words.anchor {
            Anchor::Start => {}
            Anchor::Middle => self.out.push_str(" text-anchor=\"middle\""),
            Anchor::End => self.out.push_str(" text-anchor=\"end\""),
        }
        match self.inks {
            None => self.put(format_args!(" class=\"{}\"", words.role.class())),
            Some(inks) => self.face(words, &inks),
        }
        if words.degrees != 0.0 {
            let degrees = Number(words.degrees);
            self.put(format_args!(" transform=\"rotate({degrees} {x} {y})\""));
        }
        self.put(format_args!(">{}</text>\n", Tidy(&words.text)));
    }

    fn face(&mut self, words: &TextRun, inks: &Inks) {
        if let Some(fill) = inks.fill(words.role) {
            self.put(format_args!(" fill=\"{}\"", Hex(fill)));
        }
        match words.face() {
            Face::Sans => {}
            Face::Strong => self.out.push_str(" font-weight=\"600\""),
            Face::Serif => self.put(format_args!(" font-family=\"{}\"", Tidy(SERIF))),
            Face::Italic => self.put(format_args!(
                " font-family=\"{}\" font-style=\"italic\"",
                Tidy(SERIF)
            )),
        }
    }
}
