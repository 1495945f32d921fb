//! Tokens of what Python prints: brackets, words, strings and the marks between them.

use crate::error::{ErrorLocation, FormatError, FormatRule};

/// Characters of the text that a refusal repeats.
const EXCERPT: usize = 24;

/// A token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'a> {
    /// A bracket, comma, or any other character that stands alone.
    Mark(u8),
    /// A parenthesis and the name directly before it, which may be empty.
    Call(&'a str),
    /// A number, a name or a keyword, as it is written.
    Word(&'a str),
    /// A string, without its quotes and with its escapes.
    Text(&'a str),
    End,
}

/// A place in a text that moves on as it is read.
#[derive(Clone, Copy)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Moves on by `bytes`, which end between characters of the text.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.text.len());
    }

    pub(super) fn skip_space(&mut self) {
        self.skip(self.rest().len() - self.rest().trim_ascii_start().len());
    }

    /// The token that comes next, without passing it.
    pub(super) fn peek(&self) -> Result<Token<'a>, FormatError> {
        let mut ahead = *self;
        ahead.next()
    }

    pub(super) fn next(&mut self) -> Result<Token<'a>, FormatError> {
        self.skip_space();
        let rest = self.rest();
        let Some(first) = rest.bytes().next() else {
            return Ok(Token::End);
        };
        if matches!(first, b'"' | b'\'') {
            return self.string(first);
        }
        let length = word(rest);
        let (word, after) = rest.split_at(length);
        if after.starts_with('(') {
            self.skip(length + 1);
            return Ok(Token::Call(word));
        }
        if length > 0 {
            self.skip(length);
            return Ok(Token::Word(word));
        }
        if !first.is_ascii() {
            return Err(self.refuse(FormatRule::Malformed));
        }
        self.skip(1);
        Ok(Token::Mark(first))
    }

    fn string(&mut self, quote: u8) -> Result<Token<'a>, FormatError> {
        let inside = &self.rest()[1..];
        let mut is_escaped = false;
        for (at, byte) in inside.bytes().enumerate() {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                byte if byte == quote => {
                    self.skip(at + 2);
                    return Ok(Token::Text(&inside[..at]));
                }
                _ => (),
            }
        }
        Err(self.refuse(FormatRule::Truncated))
    }

    /// Passes over everything up to the parenthesis that closes the innermost call.
    pub(super) fn skip_options(&mut self) -> Result<(), FormatError> {
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                Token::Call(_) => depth += 1,
                Token::Mark(b')') if depth == 0 => return Ok(()),
                Token::Mark(b')') => depth -= 1,
                Token::End => return Err(self.refuse(FormatRule::Truncated)),
                _ => (),
            }
        }
    }

    /// The refusal of what comes next.
    pub(super) fn refuse(&self, rule: FormatRule) -> FormatError {
        let line = 1 + self.text[..self.at].matches('\n').count();
        let excerpt: String = self.rest().chars().take(EXCERPT).collect();
        FormatError::new(ErrorLocation::Line(line), excerpt, rule)
    }
}

/// Bytes of the word that a text begins with.
pub(super) fn word(text: &str) -> usize {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | '_');
    text.find(|c| !is_inside(c)).unwrap_or(text.len())
}
