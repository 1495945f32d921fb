//! Tables as R and pandas print them: columns below their names, in blocks where the line is too short, in slices where there are
//! more than two axes.

use std::collections::BTreeSet;

use super::lines::{
    SLICE, cut, ends, ends_in_number, index, is_number, is_rule, parts, value, vector, words,
};
use crate::dtype::parse;
use crate::error::{ErrorLocation, FormatError, FormatRule};
use crate::limits::Limits;
use crate::tensor::{Labels, Tensor};

/// The table; `name` is the tensor's.
pub(crate) fn read(name: &str, text: &str, limits: &Limits) -> Result<Tensor, FormatError> {
    let mut reader = Reader {
        name,
        limits,
        line: 0,
        count: 0,
        slices: vec![Slice::default()],
        names: Vec::new(),
        is_ruled: false,
        is_done: false,
    };
    for line in text.lines() {
        reader.line += 1;
        reader.take(line.trim_end())?;
    }
    reader.finish()
}

/// A matrix, or one of an array of more axes.
#[derive(Default)]
struct Slice<'a> {
    columns: Vec<String>,
    /// The title of rows, and that of columns.
    titles: [String; 2],
    labels: Vec<String>,
    rows: Vec<Vec<f32>>,
    /// The line with the names of the block that is being read, until a blank line or the next of them.
    header: Option<&'a str>,
    /// Rows of that block.
    at: usize,
    /// Numbers in each of them, and in what columns of the text they end.
    ends: Vec<usize>,
}

struct Reader<'a> {
    name: &'a str,
    limits: &'a Limits,
    line: usize,
    count: usize,
    slices: Vec<Slice<'a>>,
    /// Names of the slices.
    names: Vec<&'a str>,
    /// Whether a line was drawn below the names, as this page does, and the table has ended.
    is_ruled: bool,
    is_done: bool,
}

impl<'a> Reader<'a> {
    fn take(&mut self, line: &'a str) -> Result<(), FormatError> {
        let trimmed = line.trim_start();
        if let Some(slice) = line.strip_prefix(SLICE) {
            return self.slice(slice);
        }
        let says_size = trimmed.starts_with('[') && trimmed.ends_with(" columns]");
        let is_cut = trimmed.starts_with("[ reached") || trimmed.starts_with("[ omitted");
        let mut words = line.split_whitespace();
        if is_cut || words.nth(1).is_some() && words.any(|word| matches!(word, "..." | "..")) {
            return Err(self.refuse("...", FormatRule::Elided));
        }
        if self.is_ruled && (trimmed.is_empty() || self.is_done) {
            // This page writes a caption behind its table.
            self.is_done = !self.current().rows.is_empty();
        } else if is_rule(trimmed) && self.current().rows.is_empty() {
            self.is_ruled = true;
        } else if trimmed.is_empty() {
            self.end_block()?;
        } else if let Some(numbers) = vector(trimmed) {
            let slice = self.slices.len() - 1;
            if self.slices[slice].rows.is_empty() {
                self.slices[slice].rows.push(Vec::new());
            }
            for word in numbers.split_whitespace() {
                let number = self.number(word)?;
                self.slices[slice].rows[0].push(number);
            }
        } else if !says_size {
            return self.line(line);
        }
        Ok(())
    }

    fn slice(&mut self, name: &'a str) -> Result<(), FormatError> {
        self.end_block()?;
        self.names.push(name);
        if self.names.len() > 1 {
            self.slices.push(Slice::default());
        }
        Ok(())
    }

    fn end_block(&mut self) -> Result<(), FormatError> {
        let slice = self.current();
        let (at, rows) = (slice.at, slice.rows.len());
        let has_header = slice.header.take().is_some();
        if has_header && at != rows {
            return Err(self.refuse(&at.to_string(), FormatRule::Ragged(rows)));
        }
        Ok(())
    }

    fn current(&mut self) -> &mut Slice<'a> {
        let last = self.slices.len() - 1;
        &mut self.slices[last]
    }

    /// A line of names or a row.
    fn line(&mut self, line: &'a str) -> Result<(), FormatError> {
        let is_row = index(line).is_some() || ends_in_number(line);
        let slice = self.current();
        let is_next = slice.at > 0 && line.starts_with(' ') && index(line).is_none();
        let is_next = is_next && slice.titles[1].is_empty();
        if let Some(header) = slice.header
            && slice.at == 0
            && !is_row
            && line.split_whitespace().count() == 1
        {
            // pandas: the first name of the line above is that of the columns.
            let title = header.split_whitespace().next().unwrap_or_default();
            slice.titles = [line.trim().to_owned(), title.to_owned()];
            return Ok(());
        }
        if slice.header.is_some() && is_row && !is_next {
            return self.row(line);
        }
        if slice.at == 0
            && let Some(title) = slice.header.take()
        {
            // R: the line above names the columns together.
            slice.titles[1] = title.trim().to_owned();
        }
        self.end_block()?;
        let slice = self.current();
        (slice.header, slice.at) = (Some(line.trim_end_matches(['\\', ' '])), 0);
        Ok(())
    }

    fn row(&mut self, line: &'a str) -> Result<(), FormatError> {
        let count = line.split_whitespace().count();
        if self.current().at == 0 {
            self.begin_block(line, count)?;
        }
        let width = self.current().ends.len();
        let from = count.checked_sub(width);
        let from = from.ok_or_else(|| self.refuse(line, FormatRule::Ragged(width)))?;
        let label = match index(line) {
            Some(_) if from == 1 => "",
            Some(_) => return Err(self.refuse(line, FormatRule::Ragged(width))),
            None => words(line)
                .nth(from)
                .map_or("", |(at, _)| line[..at].trim()),
        };
        let slice = self.current();
        let at = slice.at;
        slice.at += 1;
        if at == slice.rows.len() {
            slice.rows.push(Vec::new());
            slice.labels.push(label.to_owned());
        } else if slice.labels[at] != label {
            return Err(self.refuse(label, FormatRule::Malformed));
        }
        for (_, word) in words(line).skip(from) {
            let number = self.number(word)?;
            self.current().rows[at].push(number);
        }
        Ok(())
    }

    /// Finds out what columns there are, by the names and the first row, which has `count` words.
    fn begin_block(&mut self, line: &str, count: usize) -> Result<(), FormatError> {
        self.limits.elements(self.name, count)?;
        let header = self.current().header.unwrap_or_default();
        let names = header.split_whitespace().count();
        self.limits.elements(self.name, names)?;
        let numbers = line.split_whitespace().rev();
        let numbers = numbers.take_while(|word| is_number(word)).count();
        let width = match index(line) {
            Some(_) => count - 1,
            None if numbers == count && names == count => count,
            None if numbers >= names && count > names => names,
            None => numbers.min(count - 1),
        };
        if width == 0 {
            let word = line.split_whitespace().next_back().unwrap_or_default();
            return Err(self.refuse(word, FormatRule::NotNumber));
        }
        self.current().ends = ends(line, count - width);
        self.name_columns(header, names, width);
        Ok(())
    }

    /// Takes the names of `width` columns out of a line of so many words.
    fn name_columns(&mut self, header: &str, words: usize, width: usize) {
        let is_ruled = self.is_ruled;
        let slice = self.current();
        if header.trim_start().starts_with("[,") {
            return;
        }
        let owned = |names: &mut dyn Iterator<Item = &str>| names.map(str::to_owned).collect();
        let columns: Vec<String> = if is_ruled && parts(header).count() == width + 1 {
            owned(&mut parts(header).skip(1))
        } else if words == width + 1 && !header.starts_with(' ') {
            let title = header.split_whitespace().next().unwrap_or_default();
            slice.titles[usize::from(!slice.titles[0].is_empty())] = title.to_owned();
            owned(&mut header.split_whitespace().skip(1))
        } else if words == width {
            owned(&mut header.split_whitespace())
        } else {
            cut(header, &slice.ends)
        };
        slice.columns.extend(columns);
    }

    fn number(&mut self, word: &str) -> Result<f32, FormatError> {
        self.count += 1;
        self.limits.elements(self.name, self.count)?;
        if let Some(value) = value(word) {
            return Ok(value);
        }
        let value = match word {
            word if !is_number(word) => Err(FormatRule::NotNumber),
            word if !word.contains(|c: char| c.is_ascii_digit()) => Err(FormatRule::NotFinite),
            word => parse(&word.replace(',', ".")),
        };
        value.map_err(|rule| self.refuse(word, rule))
    }

    fn refuse(&self, value: &str, rule: FormatRule) -> FormatError {
        FormatError::new(ErrorLocation::Line(self.line), value, rule)
    }

    fn finish(mut self) -> Result<Tensor, FormatError> {
        self.end_block()?;
        let rows = self.slices[0].rows.len();
        let columns = self.slices[0].rows.first().map_or(0, Vec::len);
        if columns == 0 {
            return Err(FormatError::new(self.name, "", FormatRule::NoTensors));
        }
        let ragged = |row: &&Vec<f32>| row.len() != columns;
        for slice in &self.slices {
            if let Some(row) = slice.rows.iter().find(ragged) {
                return Err(self.refuse(&row.len().to_string(), FormatRule::Ragged(columns)));
            }
            if slice.rows.len() != rows {
                let found = slice.rows.len().to_string();
                return Err(self.refuse(&found, FormatRule::Ragged(rows)));
            }
        }
        let mut outer = outer(&self.names, self.slices.len());
        let first = &mut self.slices[0];
        let [rows_title, columns_title] = std::mem::take(&mut first.titles);
        let named = |title: String, mut names: Vec<String>, length: usize| {
            if names.len() != length || names.iter().all(String::is_empty) {
                names = Vec::new();
            }
            Labels { title, names }
        };
        outer.push((
            rows,
            named(rows_title, std::mem::take(&mut first.labels), rows),
        ));
        let names = std::mem::take(&mut first.columns);
        outer.push((columns, named(columns_title, names, columns)));
        let (mut shape, mut labels): (Vec<usize>, Vec<Labels>) = outer.into_iter().unzip();
        // A vector is no matrix of one row.
        if self.slices[0].header.is_none() && self.slices[0].ends.is_empty() {
            (shape, labels) = (vec![columns], Vec::new());
        }
        if labels.iter().all(|own| *own == Labels::default()) {
            labels = Vec::new();
        }
        self.limits.count(self.name, &shape, 0)?;
        let rows = self.slices.iter().flat_map(|slice| slice.rows.iter());
        let data = rows.flatten().copied().collect();
        Ok(Tensor {
            labels,
            ..Tensor::new(self.name, shape, data)
        })
    }
}

/// The axes that slices stand along. R counts the first of them fastest, so it comes last.
fn outer(names: &[&str], slices: usize) -> Vec<(usize, Labels)> {
    let Some(first) = names.first() else {
        return Vec::new();
    };
    let axes = first.split(", ").count();
    let along = |axis: usize| {
        let mut seen = BTreeSet::new();
        let parts = names.iter().filter_map(|name| name.split(", ").nth(axis));
        let parts = parts.filter(|part| seen.insert(*part));
        parts.map(str::to_owned).collect::<Vec<String>>()
    };
    let mut found: Vec<Vec<String>> = (0..axes).rev().map(along).collect();
    if found.iter().map(Vec::len).product::<usize>() != slices {
        found = vec![names.iter().map(|name| (*name).to_owned()).collect()];
    }
    let axis = |names: Vec<String>| {
        let is_count = names.iter().enumerate();
        let is_count = is_count
            .into_iter()
            .all(|(at, name)| *name == (at + 1).to_string());
        let length = names.len();
        let names = if is_count { Vec::new() } else { names };
        let title = String::new();
        (length, Labels { title, names })
    };
    found.into_iter().map(axis).collect()
}
