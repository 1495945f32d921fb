//! JSON (RFC 8259) as `config.json` has it, with Python's `NaN`, `Infinity` and `-Infinity` among the numbers.

use attention::{Code, Error};

use crate::Value;
use crate::value::excerpt;

/// Lists and tables in each other: the configs of models have two or three.
const DEEPEST: usize = 32;

/// Reads a text that is one value.
///
/// # Errors
/// [`Code::UnknownOption`] naming the line of what is no JSON, or is nested deeper than 32 times.
pub(crate) fn parse(text: &str) -> Result<Value, Error> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.malformed()),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// The next byte that is no space.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(self.at) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn took(&mut self, wanted: u8) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.at += usize::from(is_next);
        is_next
    }

    fn consume(&mut self, wanted: u8) -> Result<(), Error> {
        match self.took(wanted) {
            true => Ok(()),
            false => Err(self.malformed()),
        }
    }

    fn malformed(&self) -> Error {
        let line = 1 + self.text[..self.at].matches('\n').count();
        let rest = self.text[self.at..].lines().next().unwrap_or_default();
        let field = format!("config.json, line {line}");
        Error::new(
            Code::UnknownOption,
            field,
            format!("{:?}", excerpt(rest)),
            "must be JSON",
        )
    }

    fn value(&mut self, depth: usize) -> Result<Value, Error> {
        match self.peek() {
            Some(b'{' | b'[') if depth == DEEPEST => Err(self.malformed()),
            Some(b'{') => self.table(depth + 1),
            Some(b'[') => self.list(depth + 1),
            Some(b'"') => self.string().map(Value::Text),
            _ => self.word(),
        }
    }

    fn table(&mut self, depth: usize) -> Result<Value, Error> {
        self.consume(b'{')?;
        let mut entries = Vec::new();
        if self.took(b'}') {
            return Ok(Value::Table(entries));
        }
        loop {
            self.peek();
            let key = self.string()?;
            self.consume(b':')?;
            entries.push((key, self.value(depth)?));
            if !self.took(b',') {
                return self.consume(b'}').map(|()| Value::Table(entries));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, Error> {
        self.consume(b'[')?;
        let mut items = Vec::new();
        if self.took(b']') {
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth)?);
            if !self.took(b',') {
                return self.consume(b']').map(|()| Value::List(items));
            }
        }
    }

    fn string(&mut self) -> Result<String, Error> {
        self.consume(b'"')?;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest
                .find(|c: char| c == '"' || c == '\\' || c < ' ')
                .unwrap_or(rest.len());
            out.push_str(&rest[..plain]);
            self.at += plain;
            match rest.as_bytes().get(plain) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                _ => return Err(self.malformed()),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Error> {
        let plain = match self.text.as_bytes().get(self.at + 1) {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(*c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(self.malformed()),
        };
        self.at += 2;
        Ok(plain)
    }

    /// `\u` and four digits, twice for what lies beyond 16 bits.
    fn unicode(&mut self) -> Result<char, Error> {
        let first = self.unit()?;
        let code = match first {
            0xd800..0xdc00 => match self.unit()? {
                second @ 0xdc00..0xe000 => 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00),
                _ => return Err(self.malformed()),
            },
            _ => first,
        };
        char::from_u32(code).ok_or_else(|| self.malformed())
    }

    fn unit(&mut self) -> Result<u32, Error> {
        let digits = self.text[self.at..]
            .strip_prefix("\\u")
            .and_then(|rest| rest.get(..4))
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at += 6 * usize::from(unit.is_some());
        unit.ok_or_else(|| self.malformed())
    }

    /// A number, or a word that stands for a value.
    fn word(&mut self) -> Result<Value, Error> {
        let rest = &self.text[self.at..];
        let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let length = rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
        let value = match &rest[..length] {
            "null" => Value::Null,
            "true" => Value::Flag(true),
            "false" => Value::Flag(false),
            "NaN" => Value::Number(f64::NAN),
            "Infinity" => Value::Number(f64::INFINITY),
            "-Infinity" => Value::Number(f64::NEG_INFINITY),
            word if word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
                Value::Number(word.parse().map_err(|_| self.malformed())?)
            }
            _ => return Err(self.malformed()),
        };
        self.at += length;
        Ok(value)
    }
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
