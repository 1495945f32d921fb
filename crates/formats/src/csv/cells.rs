//! Splits the text of a table into cells.

use std::borrow::Cow;

use crate::error::{ErrorLocation, FormatError, FormatRule};

/// Characters of the text that a refusal repeats.
const EXCERPT: usize = 24;

/// A cell of the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cell<'a> {
    /// Its text, without surrounding quotes and spaces.
    pub text: Cow<'a, str>,
    /// Whether it stood in quotes.
    pub is_quoted: bool,
    /// Its row, not counting lines that hold nothing.
    pub row: usize,
    pub column: usize,
    /// Whether its row ends with it.
    pub is_last: bool,
}

/// The separator of cells.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Separator {
    Character(char),
    /// Any number of spaces, as `np.savetxt` writes them.
    Spaces,
}

impl Separator {
    /// The separator of a line: a tab or a semicolon outside quotes is never anything else.
    fn detect(line: &str) -> Self {
        let (mut is_inside, mut has) = (false, [false; 3]);
        for c in line.chars() {
            is_inside ^= c == '"';
            for (mark, has) in MARKS.iter().zip(&mut has) {
                *has |= !is_inside && c == *mark;
            }
        }
        if has == [false, false, true] && has_commas_in_words(line) {
            return Self::Spaces;
        }
        let found = MARKS.iter().zip(has).find(|(_, has)| *has);
        found.map_or(Self::Spaces, |(mark, _)| Self::Character(*mark))
    }
}

/// Whether spaces stand between numbers with commas, as in `0,7 0,3`, and none beside a comma.
fn has_commas_in_words(line: &str) -> bool {
    let is_number = |word: &str| {
        let is_inside = !word.starts_with(',') && !word.ends_with(',');
        is_inside && word.replace(',', ".").parse::<f32>().is_ok()
    };
    line.split_whitespace().count() > 1 && line.split_whitespace().all(is_number)
}

const MARKS: [char; 3] = ['\t', ';', ','];

/// The cells of a table, row by row.
pub(super) struct Cells<'a> {
    rest: &'a str,
    separator: Separator,
    row: usize,
    column: usize,
}

impl<'a> Cells<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut cells = Self {
            rest: text,
            separator: Separator::Spaces,
            row: 0,
            column: 0,
        };
        cells.skip_lines();
        cells.separator = Separator::detect(line(cells.rest));
        cells
    }

    pub(super) fn next(&mut self) -> Result<Option<Cell<'a>>, FormatError> {
        if self.column == 0 {
            self.skip_lines();
            if self.rest.is_empty() {
                return Ok(None);
            }
        }
        let start = self.rest.trim_start_matches(' ');
        let (text, is_quoted) = match start.strip_prefix('"') {
            Some(inside) => (self.quoted(inside)?, true),
            None => (self.plain(), false),
        };
        let (row, column) = (self.row, self.column);
        let is_last = !self.passed_separator();
        if is_last {
            if !self.rest.is_empty() && !self.passed_line_end() {
                return Err(self.malformed());
            }
            (self.row, self.column) = (row + 1, 0);
        } else {
            self.column += 1;
        }
        Ok(Some(Cell {
            text,
            is_quoted,
            row,
            column,
            is_last,
        }))
    }

    /// Passes over lines that hold nothing, and comments.
    fn skip_lines(&mut self) {
        while !self.rest.is_empty() {
            let line = line(self.rest);
            if !line.trim_matches(' ').is_empty() && !line.starts_with('#') {
                return;
            }
            self.rest = &self.rest[line.len()..];
            self.passed_line_end();
        }
    }

    fn passed_line_end(&mut self) -> bool {
        let ends = ["\r\n", "\n", "\r"];
        let after = ends.iter().find_map(|end| self.rest.strip_prefix(end));
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Spaces at the end of a line separate nothing.
    fn passed_separator(&mut self) -> bool {
        let after = match self.separator {
            Separator::Character(mark) => self.rest.strip_prefix(mark),
            Separator::Spaces => {
                let after = self.rest.trim_start_matches(' ');
                let is_cell = !after.is_empty() && !after.starts_with(['\n', '\r']);
                let is_apart = after.len() < self.rest.len();
                self.rest = if is_cell { self.rest } else { after };
                (is_cell && is_apart).then_some(after)
            }
        };
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn plain(&mut self) -> Cow<'a, str> {
        let mark = match self.separator {
            Separator::Character(mark) => mark,
            Separator::Spaces => {
                self.rest = self.rest.trim_start_matches(' ');
                ' '
            }
        };
        let end = self.rest.find([mark, '\n', '\r']);
        let (text, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        Cow::Borrowed(text.trim_matches([' ', '\t']))
    }

    /// The text before the closing quote; two quotes stand for one.
    fn quoted(&mut self, inside: &'a str) -> Result<Cow<'a, str>, FormatError> {
        let (mut text, mut inside) = (Cow::Borrowed(""), inside);
        loop {
            let Some((part, rest)) = inside.split_once('"') else {
                return Err(self.malformed());
            };
            text += part;
            let Some(more) = rest.strip_prefix('"') else {
                self.rest = match self.separator {
                    Separator::Character(_) => rest.trim_start_matches(' '),
                    Separator::Spaces => rest,
                };
                return Ok(text);
            };
            text += "\"";
            inside = more;
        }
    }

    fn malformed(&self) -> FormatError {
        let excerpt: String = self.rest.chars().take(EXCERPT).collect();
        FormatError::new(place(self.row, self.column), excerpt, FormatRule::Malformed)
    }
}

/// A text as far as its first line goes.
fn line(text: &str) -> &str {
    &text[..text.find(['\n', '\r']).unwrap_or(text.len())]
}

/// Location of a cell in an error, counted from 1.
pub(super) fn place(row: usize, column: usize) -> ErrorLocation {
    ErrorLocation::Cell {
        row: row + 1,
        column: column + 1,
    }
}
