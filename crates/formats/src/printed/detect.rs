//! Distinguishes Python's prints from JSON and from tables.

use super::lexer::word;

/// Kind of a text that begins with a bracket, or contains one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Print {
    /// JSON, or nothing that Python prints.
    Json,
    /// Python's print of an array or list.
    Python,
    /// Words and numbers, such as a table whose first name is `[CLS]`.
    Table,
}

/// The longest text before the first bracket of a print.
const LEAD: usize = 400;

/// Looks through the text once.
pub(crate) fn detect(text: &str) -> Print {
    let text = text.trim_start();
    let next = |from: usize| text[from..].trim_start().chars().next();
    match text.chars().next() {
        Some('{') if next(1) == Some('\'') => Print::Python,
        Some('{') => Print::Json,
        Some('[') => brackets(text),
        _ if is_led(text) => Print::Python,
        _ => Print::Table,
    }
}

/// Whether brackets with a value in them follow a name, an assignment or a call.
fn is_led(text: &str) -> bool {
    let is_prompt = [">>> ", "In [", "Out["]
        .iter()
        .any(|mark| text.starts_with(mark));
    let is_tuple = |rest: &str| {
        let rest = rest.trim_start();
        rest.starts_with(|c: char| c.is_ascii_digit() || "-([".contains(c))
    };
    if is_prompt || text.strip_prefix('(').is_some_and(is_tuple) {
        return true;
    }
    let Some(at) = text.find(['[', '{']).filter(|at| *at <= LEAD) else {
        return false;
    };
    let (lead, rest) = text.split_at(at);
    let is_alone = lead.lines().count() == 1 && lead.ends_with('\n') && !lead.contains([',', '\t']);
    if !is_alone && !lead.trim_end().ends_with(['(', '=', ':', '*']) {
        return false;
    }
    let inside = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || "[({".contains(c));
    let word = &inside[..word(inside)];
    inside.starts_with([']', '}', '\'', '"', '<'])
        || word.parse::<f64>().is_ok()
        || inside[word.len()..].starts_with('(')
        || is_keyword(word)
}

/// Classifies a text that begins with a bracket. JSON has a comma between any two
/// values.
fn brackets(text: &str) -> Print {
    let (mut rest, mut after_value, mut after_comma) = (text, false, false);
    let mut is_first = true;
    loop {
        rest = rest.trim_ascii_start();
        let Some(first) = rest.bytes().next() else {
            return Print::Json;
        };
        let length = match first {
            b'[' if after_value => return Print::Python,
            b']' if after_comma => return Print::Python,
            b'\'' | b'(' | b'<' => return Print::Python,
            b'[' | b']' | b',' => 1,
            b'"' => match string(rest) {
                Some(length) => length,
                None => return Print::Json,
            },
            _ => {
                let word = &rest[..word(rest)];
                let is_call = rest[word.len()..].starts_with('(');
                let is_value = matches!(word, "true" | "false" | "null" | "Infinity" | "-Infinity");
                let is_value = is_value || word.parse::<f64>().is_ok();
                // Complex numbers among them, which are refused as what they are.
                let is_other = word.starts_with(|c: char| c.is_ascii_digit()) && !is_value;
                if after_value || is_call || is_keyword(word) || is_other {
                    return Print::Python;
                }
                match is_value {
                    true => word.len(),
                    // Braces, and whatever JSON refuses in its own words.
                    false if is_first && (!word.is_empty() || !first.is_ascii()) => {
                        return Print::Table;
                    }
                    false => return Print::Json,
                }
            }
        };
        after_comma = first == b',';
        after_value = !matches!(first, b'[' | b',');
        is_first &= first == b'[';
        rest = &rest[length..];
    }
}

/// Bytes of the string that a text begins with.
fn string(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map(|end| end + 2)
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word.strip_prefix("np.").unwrap_or(word),
        "True_" | "False_" | "True" | "False" | "None" | "nan" | "inf" | "-inf" | "..." | "--"
    )
}
