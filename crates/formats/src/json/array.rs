//! Reads nested arrays into one flat list of numbers or of texts, without recursion.

use super::scan::Scan;
use crate::dtype::parse;
use crate::error::{FormatError, FormatRule};
use crate::limits::Limits;
use crate::nested::Shape;

/// A rectangular array of numbers, or of texts.
pub(super) struct Nested {
    pub shape: Vec<usize>,
    pub data: Vec<f32>,
    pub texts: Vec<String>,
}

/// The array that comes next, after `before` numbers of others.
pub(super) fn read(
    scan: &mut Scan<'_>,
    name: &str,
    limits: &Limits,
    before: usize,
) -> Result<Nested, FormatError> {
    let mut shape = Shape::new(name);
    let (mut data, mut texts) = (Vec::new(), Vec::new());
    loop {
        if scan.took(b'[') {
            shape.enter(limits)?;
            if !scan.took(b']') {
                continue;
            }
            shape.leave()?;
        } else if scan.peek() == Some(b'"') {
            shape.item(false)?;
            limits.elements(name, before + texts.len() + 1)?;
            let text = scan.string()?;
            if !data.is_empty() {
                return Err(shape.refuse(&text, FormatRule::NotNumber));
            }
            texts.push(text);
        } else {
            shape.item(false)?;
            limits.elements(name, before + data.len() + 1)?;
            let word = match scan.peek() {
                Some(b'{' | b']') | None => return Err(scan.malformed()),
                Some(_) => scan.word()?,
            };
            if !texts.is_empty() {
                return Err(shape.refuse(word, FormatRule::Uneven));
            }
            data.push(number(word).map_err(|rule| shape.refuse(word, rule))?);
        }
        loop {
            if !shape.is_open() {
                let shape = shape.lengths();
                limits.count(name, &shape, before)?;
                return Ok(Nested { shape, data, texts });
            }
            if scan.goes_on(b']')? {
                break;
            }
            shape.leave()?;
        }
    }
}

/// A number in JSON syntax, or a word that JavaScript's and Python's JSON use for NaN and infinity.
pub(super) fn number(word: &str) -> Result<f32, FormatRule> {
    match word {
        "true" => return Ok(1.0),
        "false" => return Ok(0.0),
        "null" | "NaN" => return Ok(f32::NAN),
        "Infinity" | "-Infinity" => return Err(FormatRule::NotFinite),
        _ => (),
    }
    let begins = word.strip_prefix('-').unwrap_or(word);
    if !begins.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(FormatRule::NotNumber);
    }
    parse(word)
}
