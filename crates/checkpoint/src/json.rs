//! JSON (RFC 8259) as `config.json` has it, with Python's `NaN`, `Infinity` and `-Infinity` among the numbers.

use attention::{Code, Error};
use formats::json::Scan;
use formats::{ErrorLocation, FormatError};

use crate::Value;

/// Lists and tables in each other: the configs of models have two or three.
const DEEPEST: usize = 32;

/// Reads a text that is one value.
///
/// # Errors
/// [`Code::UnknownOption`] naming the line of what is no JSON, or is nested deeper than 32 times.
pub(crate) fn parse(text: &str) -> Result<Value, Error> {
    let mut scan = Scan::new(text);
    let read = value(&mut scan, 0).and_then(|value| scan.end().map(|()| value));
    read.map_err(refused)
}

fn refused(error: FormatError) -> Error {
    let field = match error.place {
        ErrorLocation::Line(line) => format!("config.json, line {line}"),
        _ => "config.json".to_owned(),
    };
    let rest = error.value.lines().next().unwrap_or_default();
    let (value, rule) = (format!("{rest:?}"), "must be JSON");
    Error::new(Code::UnknownOption, field, value, rule)
}

fn value(scan: &mut Scan<'_>, depth: usize) -> Result<Value, FormatError> {
    match scan.peek() {
        Some(b'{' | b'[') if depth == DEEPEST => Err(scan.malformed()),
        Some(b'{') => table(scan, depth + 1),
        Some(b'[') => list(scan, depth + 1),
        Some(b'"') => scan.string().map(Value::Text),
        _ => word(scan),
    }
}

fn table(scan: &mut Scan<'_>, depth: usize) -> Result<Value, FormatError> {
    scan.consume(b'{')?;
    let mut entries = Vec::new();
    if scan.took(b'}') {
        return Ok(Value::Table(entries));
    }
    loop {
        let key = scan.key()?;
        entries.push((key, value(scan, depth)?));
        if !scan.goes_on(b'}')? {
            return Ok(Value::Table(entries));
        }
    }
}

fn list(scan: &mut Scan<'_>, depth: usize) -> Result<Value, FormatError> {
    scan.consume(b'[')?;
    let mut items = Vec::new();
    if scan.took(b']') {
        return Ok(Value::List(items));
    }
    loop {
        items.push(value(scan, depth)?);
        if !scan.goes_on(b']')? {
            return Ok(Value::List(items));
        }
    }
}

/// A number, or a word that stands for a value.
fn word(scan: &mut Scan<'_>) -> Result<Value, FormatError> {
    let start = scan.mark();
    let word = scan.word()?;
    let number = match word {
        "null" => return Ok(Value::Null),
        "true" => return Ok(Value::Flag(true)),
        "false" => return Ok(Value::Flag(false)),
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        word if word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => word.parse().ok(),
        _ => None,
    };
    number.map(Value::Number).ok_or_else(|| {
        scan.rewind(start);
        scan.malformed()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lookup;

    #[test]
    fn values_of_every_kind_are_read() {
        let text = r#" { "a" : [1, -2.5e3, null, true], "b\u00e9\ud83d\ude00": {"c": "x\n\"y"}, "a": [] } "#;
        let value = parse(text).expect("JSON");
        assert_eq!(value.value("a"), Some(Value::List(Vec::new())));
        let inner = value.value("bé😀").expect("it is there");
        assert_eq!(inner.value("c"), Some(Value::Text("x\n\"y".to_owned())));
        let Value::Table(entries) = value else {
            panic!("a table")
        };
        let wanted = [
            Value::Number(1.0),
            Value::Number(-2500.0),
            Value::Null,
            Value::Flag(true),
        ];
        assert_eq!(entries[0].1, Value::List(wanted.to_vec()));
        assert_eq!(parse("Infinity"), Ok(Value::Number(f64::INFINITY)));
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_line() {
        let deep = "[".repeat(40) + &"]".repeat(40);
        let cases = [
            "",
            "{",
            "[1,]",
            "{\"a\" 1}",
            "{1: 2}",
            "tru",
            "1 2",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"a",
            "--1",
            "1.2.3",
            "{\"a\":\"\u{1}\"}",
            &deep,
        ];
        for text in cases {
            let error = parse(text).expect_err(text);
            assert_eq!(error.field, "config.json, line 1", "{text}");
        }
        let error = parse("{\n\"a\": 1,\n\"é\": ?}").expect_err("no value");
        assert_eq!(
            (error.field.as_str(), error.value.as_str()),
            ("config.json, line 3", "\"?}\"")
        );
        parse(&("[".repeat(32) + &"]".repeat(32))).expect("as deep as is taken");
    }
}
