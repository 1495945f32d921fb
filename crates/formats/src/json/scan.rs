//! JSON tokenizer, without recursion, so that nesting depth costs nothing.

use crate::error::{ErrorLocation, FormatError, FormatRule};

/// Characters of the text that a refusal repeats.
const EXCERPT: usize = 24;

/// A place in a text that moves on as it is read.
pub struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    /// The beginning of a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The next character that is no space.
    pub fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(self.at) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    /// A place to come back to.
    pub fn mark(&self) -> usize {
        self.at
    }

    /// Goes back to a place of [`Scan::mark`].
    pub fn rewind(&mut self, mark: usize) {
        self.at = mark;
    }

    /// Passes over the object that comes next, whatever is in it.
    pub(crate) fn skip_object(&mut self) -> Result<&'a str, FormatError> {
        self.peek();
        let (start, mut depth) = (self.at, 0_usize);
        loop {
            match self.peek() {
                Some(b'"') => drop(self.string()?),
                Some(c) => {
                    depth += usize::from(matches!(c, b'{' | b'['));
                    depth -= usize::from(matches!(c, b'}' | b']') && depth > 0);
                    let rest = self.text[self.at..].chars().next();
                    self.at += rest.map_or(0, char::len_utf8);
                }
                None => return Err(self.malformed()),
            }
            if depth == 0 {
                return Ok(&self.text[start..self.at]);
            }
        }
    }

    /// Passes over `wanted` if it comes next.
    pub fn took(&mut self, wanted: u8) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.at += usize::from(is_next);
        is_next
    }

    /// Passes over `wanted`.
    ///
    /// # Errors
    /// [`FormatRule::Malformed`] at the line of what is there instead.
    pub fn consume(&mut self, wanted: u8) -> Result<(), FormatError> {
        if self.took(wanted) {
            Ok(())
        } else {
            Err(self.malformed())
        }
    }

    /// After an item of a list: whether another follows, or `end` came.
    ///
    /// # Errors
    /// [`FormatRule::Malformed`] at the line of what is there instead.
    pub fn goes_on(&mut self, end: u8) -> Result<bool, FormatError> {
        if self.took(b',') {
            return Ok(true);
        }
        self.consume(end).map(|()| false)
    }

    /// The end of the text.
    ///
    /// # Errors
    /// [`FormatRule::Trailing`] at the line of what follows.
    pub fn end(&mut self) -> Result<(), FormatError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.error(FormatRule::Trailing)),
        }
    }

    /// A key and its colon.
    ///
    /// # Errors
    /// [`FormatRule::Malformed`] at the line of what is there instead.
    pub fn key(&mut self) -> Result<String, FormatError> {
        let key = self.string()?;
        self.consume(b':').map(|()| key)
    }

    /// A text in quotation marks.
    ///
    /// # Errors
    /// [`FormatRule::Malformed`] at the line of what is there instead.
    pub fn string(&mut self) -> Result<String, FormatError> {
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

    /// Decodes an escape sequence.
    fn escape(&mut self) -> Result<char, FormatError> {
        let kind = self.text.as_bytes().get(self.at + 1).copied();
        let plain = match kind {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
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

    /// `\u` and four digits, twice for what lies beyond 16 bit.
    fn unicode(&mut self) -> Result<char, FormatError> {
        let first = self.unit()?;
        let is_pair = (0xd800..0xdc00).contains(&first);
        let code = if is_pair {
            let second = self.unit()?;
            if (0xdc00..0xe000).contains(&second) {
                0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
            } else {
                return Err(self.malformed());
            }
        } else {
            first
        };
        char::from_u32(code).ok_or_else(|| self.malformed())
    }

    fn unit(&mut self) -> Result<u32, FormatError> {
        let digits = self.text[self.at..]
            .strip_prefix("\\u")
            .and_then(|rest| rest.get(..4))
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at += 6 * usize::from(unit.is_some());
        unit.ok_or_else(|| self.malformed())
    }

    /// A number, or one of the words that stand where a number should, as it is written.
    ///
    /// # Errors
    /// [`FormatRule::Malformed`] at the line of what is there instead.
    pub fn word(&mut self) -> Result<&'a str, FormatError> {
        self.peek();
        let rest = &self.text[self.at..];
        let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let length = rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.malformed());
        }
        self.at += length;
        Ok(&rest[..length])
    }

    /// A whole number that is not negative.
    pub(crate) fn whole(&mut self) -> Result<u64, FormatError> {
        let start = self.at;
        let word = self.word()?;
        let is_plain = word.bytes().all(|byte| byte.is_ascii_digit());
        is_plain
            .then(|| word.parse().ok())
            .flatten()
            .ok_or_else(|| {
                self.at = start;
                self.malformed()
            })
    }

    /// The refusal of what comes next.
    pub fn malformed(&self) -> FormatError {
        self.error(FormatRule::Malformed)
    }

    fn error(&self, rule: FormatRule) -> FormatError {
        let line = 1 + self.text[..self.at].matches('\n').count();
        let excerpt: String = self.text[self.at..].chars().take(EXCERPT).collect();
        FormatError::new(ErrorLocation::Line(line), excerpt, rule)
    }
}
