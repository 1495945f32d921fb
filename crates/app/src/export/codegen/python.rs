//! Strings and numbers as Python literals.

use super::ProgramInputs;
use formats::encoding::base64;

/// A text in quotes. Everything that is not to be seen as itself is escaped: control characters, line breaks of any kind,
/// marks that turn the direction of writing, spaces without width. So nothing in a text can end it, or look like what it is not.
pub(super) fn text(text: &str) -> String {
    let mut written = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => written.extend(['\\', c]),
            '\n' => written.push_str("\\n"),
            '\t' => written.push_str("\\t"),
            '\r' => written.push_str("\\r"),
            c if is_shown(c) => written.push(c),
            c if u32::from(c) > 0xffff => written.push_str(&format!("\\U{:08x}", u32::from(c))),
            c => written.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
    }
    written.push('"');
    written
}

/// Whether a character is seen where it stands. Rust's own rule for what need not be escaped, for a character after another
/// one: marks that join the one before them stay.
fn is_shown(c: char) -> bool {
    let pair: String = ['a', c].iter().collect();
    c == '\'' || pair.escape_debug().nth(1) == Some(c) && pair.escape_debug().count() == 2
}

/// Texts as a list.
pub(super) fn list(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| text(word)).collect();
    format!("[{}]", words.join(", "))
}

/// A number, exact in 64 bit.
fn number(value: f32) -> String {
    format!("{:?}", f64::from(value))
}

fn numbers(values: &[f32]) -> String {
    let values: Vec<String> = values.iter().map(|value| number(*value)).collect();
    format!("[{}]", values.join(", "))
}

/// Few numbers, made an array by `function`: a vector on one line, a matrix with a line for each of its rows.
pub(super) fn array(function: &str, given: &ProgramInputs) -> String {
    let width = given.shape.last().map_or(1, |(_, length)| (*length).max(1));
    if given.shape.len() < 2 {
        return format!("{function}({})", numbers(&given.values));
    }
    let rows: Vec<String> = given
        .values
        .chunks(width)
        .map(|row| format!("    {},\n", numbers(row)))
        .collect();
    format!("{function}([\n{}])", rows.concat())
}

/// Numbers as 32-bit little-endian ones in base64.
pub(super) fn base64(values: &[f32]) -> String {
    let bytes: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    base64::standard(&bytes)
}
