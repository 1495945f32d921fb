//! Numbers behind a word: `2`, `2, 0`, `=(2, 0)`, `[3, 2, 4]`, `6×6`.

use super::parse::{Parser, Result};
use super::{Expected, Problem};
use crate::scanner::Kind;

impl Parser {
    /// A whole number from `least` to `most`.
    pub(super) fn number(&mut self, least: u32, most: u32) -> Result<u32> {
        let found = match self.token().map(|token| &token.kind) {
            Some(Kind::Whole(found)) => *found,
            _ => return Err(self.expected(Expected::Number)),
        };
        let problem = match u32::try_from(found) {
            Ok(number) if number < least => Problem::NumberTooSmall { least },
            Ok(number) if number <= most => {
                self.advance();
                return Ok(number);
            }
            _ => Problem::NumberTooLarge { most },
        };
        Err(self.problem_here(problem))
    }

    /// One number, perhaps in brackets.
    pub(super) fn one_number(&mut self, least: u32) -> Result<u32> {
        self.bracketed(|parser| parser.number(least, u32::MAX))
    }

    /// One or more numbers with or without commas, at most `most` of them.
    pub(super) fn numbers(&mut self, most: usize) -> Result<Vec<u32>> {
        self.bracketed(|parser| {
            parser.count()?;
            let mut numbers = vec![parser.number(0, u32::MAX)?];
            while numbers.len() < most && parser.has_another() {
                parser.take_symbol(",");
                parser.count()?;
                numbers.push(parser.number(0, u32::MAX)?);
            }
            Ok(numbers)
        })
    }

    fn has_another(&self) -> bool {
        self.is_number(usize::from(self.is_symbol(0, ",")))
    }

    /// `6×6`, `6x6`, `6, 6`, or one number for both.
    pub(super) fn pair(&mut self, most: (u32, u32)) -> Result<(u32, u32)> {
        self.bracketed(|parser| {
            let first = parser.number(1, most.0)?;
            let is_pair = parser.is_number(1)
                && (parser.take_symbol("×")
                    || parser.take_symbol("*")
                    || parser.take_symbol(",")
                    || parser.take_word("x"));
            if is_pair {
                return Ok((first, parser.number(1, most.1)?));
            }
            if first > most.1 {
                let problem = Problem::NumberTooLarge { most: most.1 };
                return Err(parser.problem_before(problem));
            }
            Ok((first, first))
        })
    }

    /// What `read` reads, behind an optional `=` and in optional brackets.
    pub(super) fn bracketed<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let _ = self.take_symbol("=") || self.take_symbol(":");
        let opened = self.here();
        let closing = if self.take_symbol("(") {
            ")"
        } else if self.take_symbol("[") {
            "]"
        } else {
            return read(self);
        };
        let inside = read(self)?;
        self.take_symbol(",");
        self.close(opened, closing)?;
        Ok(inside)
    }
}
