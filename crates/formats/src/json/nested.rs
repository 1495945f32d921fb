//! Reads nested arrays into one flat list of numbers, without recursion.

use super::scan::Scan;
use crate::dtype::parse;
use crate::error::{ErrorLocation, FormatError, FormatRule};
use crate::limits::Limits;

/// A rectangular array of numbers.
pub(super) struct Nested {
    pub shape: Vec<usize>,
    pub data: Vec<f32>,
}

/// An array that has been opened.
struct Level {
    /// Things in it so far.
    count: usize,
    /// Whether it holds arrays; `None` before there is anything in it.
    holds_arrays: Option<bool>,
}

/// What has been seen of an array.
struct Shape<'n> {
    name: &'n str,
    open: Vec<Level>,
    /// The length of each axis, once an array along it was closed.
    lengths: Vec<Option<usize>>,
}

/// The array that comes next, after `before` numbers of others.
pub(super) fn read(
    scan: &mut Scan<'_>,
    name: &str,
    limits: &Limits,
    before: usize,
) -> Result<Nested, FormatError> {
    let mut shape = Shape {
        name,
        open: Vec::new(),
        lengths: Vec::new(),
    };
    let mut data = Vec::new();
    loop {
        if scan.took(b'[') {
            shape.enter(limits)?;
            if !scan.took(b']') {
                continue;
            }
            shape.leave()?;
        } else {
            shape.item(false)?;
            limits.elements(name, before + data.len() + 1)?;
            let word = match scan.peek() {
                Some(b'{' | b'"') | None => return Err(scan.malformed()),
                // After a comma; an empty array has been closed above.
                Some(b']' | b'\'' | b'(') => return Err(scan.python()),
                Some(_) => scan.word()?,
            };
            data.push(number(word).map_err(|rule| shape.refuse(word, rule))?);
        }
        loop {
            if shape.open.is_empty() {
                let shape = shape.lengths.iter().map(|length| length.unwrap_or(0));
                let shape: Vec<_> = shape.collect();
                limits.count(name, &shape, before)?;
                return Ok(Nested { shape, data });
            }
            if scan.goes_on(b']')? {
                break;
            }
            shape.leave()?;
        }
    }
}

impl Shape<'_> {
    /// Something follows in the innermost array, which holds either arrays or numbers.
    fn item(&mut self, is_array: bool) -> Result<(), FormatError> {
        let Some(level) = self.open.last_mut() else {
            return Ok(());
        };
        level.count += 1;
        if *level.holds_arrays.get_or_insert(is_array) == is_array {
            Ok(())
        } else {
            Err(self.refuse("", FormatRule::Uneven))
        }
    }

    fn enter(&mut self, limits: &Limits) -> Result<(), FormatError> {
        self.item(true)?;
        let depth = self.open.len() + 1;
        limits.axes(self.name, depth)?;
        // Numbers stand only in the innermost arrays, and all of those are as deep as the first.
        let is_deeper = depth > self.lengths.len();
        if is_deeper && self.lengths.iter().any(Option::is_some) {
            return Err(self.refuse("", FormatRule::Uneven));
        }
        self.open.push(Level {
            count: 0,
            holds_arrays: None,
        });
        if is_deeper {
            self.lengths.push(None);
        }
        Ok(())
    }

    fn leave(&mut self) -> Result<(), FormatError> {
        let depth = self.open.len();
        let Some(level) = self.open.pop() else {
            return Ok(());
        };
        let is_innermost = depth == self.lengths.len();
        let holds_right = level
            .holds_arrays
            .is_none_or(|arrays| arrays != is_innermost);
        let Some(length) = self.lengths.get_mut(depth - 1) else {
            return Ok(());
        };
        let expected = *length.get_or_insert(level.count);
        match (holds_right, expected == level.count) {
            (false, _) => Err(self.refuse("", FormatRule::Uneven)),
            (true, false) => {
                Err(self.refuse(&level.count.to_string(), FormatRule::Ragged(expected)))
            }
            (true, true) => Ok(()),
        }
    }

    /// The refusal of what stands at the present place.
    fn refuse(&self, value: &str, rule: FormatRule) -> FormatError {
        let levels = self.open.iter();
        let index = levels.map(|level| level.count.saturating_sub(1)).collect();
        FormatError::new(ErrorLocation::element(self.name, index), value, rule)
    }
}

/// A number as JSON writes it, or a word that JavaScript's and Python's JSON have for what is none.
fn number(word: &str) -> Result<f32, FormatRule> {
    match word {
        "true" => return Ok(1.0),
        "false" => return Ok(0.0),
        "null" | "NaN" => return Ok(f32::NAN),
        "Infinity" | "-Infinity" => return Err(FormatRule::NotFinite),
        _ => (),
    }
    let begins = word.strip_prefix('-').unwrap_or(word);
    if !begins.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(no_number(word));
    }
    parse(word)
}

/// What is wrong with a word that is no number.
pub(super) fn no_number(word: &str) -> FormatRule {
    match word {
        "None" | "True" | "False" | "nan" | "inf" | "-inf" => FormatRule::PythonList,
        _ => FormatRule::NotNumber,
    }
}
