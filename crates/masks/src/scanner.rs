//! Splits a text into numbers, words, strings and symbols, each with its place.

use std::ops::Range;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// Place in the text, in characters.
    pub(crate) at: Range<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// Digits; `u64::MAX` where they are too many.
    Whole(u64),
    /// Digits with a point or an exponent.
    Real(f64),
    Word(String),
    /// What stands between quotes, as it stands there.
    Quoted(String),
    Symbol(&'static str),
}

/// Where a text cannot be split.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ScanProblem {
    UnknownCharacter(char),
    UnclosedQuote,
}

/// Symbols as they are written and as they are meant; longer ones first.
const SYMBOLS: [(&str, &str); 44] = [
    ("==", "=="),
    ("!=", "!="),
    ("<=", "<="),
    (">=", ">="),
    ("//", "//"),
    ("->", "->"),
    ("&&", "&&"),
    ("||", "||"),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("−", "-"),
    ("×", "×"),
    ("·", "*"),
    ("（", "("),
    ("）", ")"),
    ("，", ","),
    ("：", ":"),
    ("＝", "="),
    ("∧", "&&"),
    ("∨", "||"),
    ("¬", "!"),
    ("<", "<"),
    (">", ">"),
    ("=", "="),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("%", "%"),
    ("&", "&"),
    ("|", "|"),
    ("^", "^"),
    ("~", "~"),
    ("!", "!"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
    (",", ","),
    (":", ":"),
    (".", "."),
];

/// The pieces of `text`, without spaces and Python's comments.
pub(crate) fn scan(text: &str) -> Result<Vec<Token>, (Range<usize>, ScanProblem)> {
    let mut scanner = Scanner {
        text: text.chars().collect(),
        at: 0,
    };
    let mut tokens = Vec::new();
    while let Some(token) = scanner.token()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Scanner {
    text: Vec<char>,
    at: usize,
}

impl Scanner {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    fn peek_is(&self, ahead: usize, is: impl Fn(char) -> bool) -> bool {
        self.peek(ahead).is_some_and(is)
    }

    /// The characters from here on that are `wanted`.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let rest = self.text.iter().skip(self.at);
        let taken: String = rest.take_while(|c| wanted(**c)).collect();
        self.at += taken.chars().count();
        taken
    }

    fn skip_spaces(&mut self) {
        loop {
            self.take(char::is_whitespace);
            if self.peek(0) != Some('#') {
                return;
            }
            self.take(|c| c != '\n');
        }
    }

    fn token(&mut self) -> Result<Option<Token>, (Range<usize>, ScanProblem)> {
        self.skip_spaces();
        let start = self.at;
        let Some(first) = self.peek(0) else {
            return Ok(None);
        };
        let kind = match first {
            '0'..='9' => self.number(),
            '"' | '\'' => self.quoted(first),
            _ if is_of_word(first) && !self.is_between_numbers() => {
                Ok(Kind::Word(self.take(|c| is_of_word(c) || c.is_numeric())))
            }
            _ => self.symbol(first),
        };
        let problem = |problem| (start..self.at.max(start + 1), problem);
        let kind = kind.map_err(problem)?;
        let at = start..self.at;
        Ok(Some(Token { kind, at }))
    }

    /// Whether an `x` stands between two numbers, as in `6x6`.
    fn is_between_numbers(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.text.get(at));
        self.peek_is(0, |c| matches!(c, 'x' | 'X'))
            && self.peek_is(1, |c| c.is_ascii_digit())
            && before.is_some_and(char::is_ascii_digit)
    }

    fn number(&mut self) -> Result<Kind, ScanProblem> {
        let mut digits = self.take(|c| c.is_ascii_digit() || c == '_');
        let mut is_whole = true;
        if self.peek(0) == Some('.') && !self.peek_is(1, is_of_word) {
            is_whole = false;
            self.at += 1;
            digits.push('.');
            digits += &self.take(|c| c.is_ascii_digit());
        }
        if let Some(exponent) = self.exponent() {
            is_whole = false;
            digits += &exponent;
        }
        digits.retain(|c| c != '_');
        Ok(if is_whole {
            Kind::Whole(digits.parse().unwrap_or(u64::MAX))
        } else {
            Kind::Real(digits.parse().unwrap_or(f64::NAN))
        })
    }

    fn exponent(&mut self) -> Option<String> {
        let is_signed = self.peek_is(1, |c| matches!(c, '+' | '-'));
        let digit = if is_signed { 2 } else { 1 };
        let is_exponent = self.peek_is(0, |c| matches!(c, 'e' | 'E'))
            && self.peek_is(digit, |c| c.is_ascii_digit());
        is_exponent.then(|| {
            let start: String = self.text.iter().skip(self.at).take(digit).collect();
            self.at += digit;
            start + &self.take(|c| c.is_ascii_digit())
        })
    }

    fn quoted(&mut self, quote: char) -> Result<Kind, ScanProblem> {
        self.at += 1;
        let inside = self.take(|c| c != quote);
        if self.peek(0).is_none() {
            return Err(ScanProblem::UnclosedQuote);
        }
        self.at += 1;
        Ok(Kind::Quoted(inside))
    }

    fn symbol(&mut self, first: char) -> Result<Kind, ScanProblem> {
        if self.is_between_numbers() {
            self.at += 1;
            return Ok(Kind::Symbol("×"));
        }
        let found = SYMBOLS.iter().find(|(written, _)| {
            let mut characters = written.chars().enumerate();
            characters.all(|(ahead, c)| self.peek(ahead) == Some(c))
        });
        let (written, meant) = found.ok_or(ScanProblem::UnknownCharacter(first))?;
        self.at += written.chars().count();
        Ok(Kind::Symbol(meant))
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        let tokens = scan(text).expect("only known characters");
        tokens.into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn numbers_words_strings_and_symbols_are_told_apart() {
        let symbol = Kind::Symbol;
        let word = |text: &str| Kind::Word(text.to_owned());
        assert_eq!(
            kinds("q_idx>=12 # a comment\n&& \"causal\""),
            [
                word("q_idx"),
                symbol(">="),
                Kind::Whole(12),
                symbol("&&"),
                Kind::Quoted("causal".to_owned())
            ]
        );
        assert_eq!(kinds("1_000 1e-9 2."), {
            [Kind::Whole(1000), Kind::Real(1e-9), Kind::Real(2.0)]
        });
        assert_eq!(kinds("6x6 6×6 6 x 6"), {
            let [six, times] = [Kind::Whole(6), symbol("×")];
            let written = [six.clone(), times, six.clone()];
            let spaced = [six.clone(), word("x"), six];
            [&written[..], &written, &spaced].concat()
        });
        assert_eq!(kinds("1.bool"), [Kind::Whole(1), symbol("."), word("bool")]);
        assert_eq!(kinds("99999999999999999999"), [Kind::Whole(u64::MAX)]);
    }

    #[test]
    fn places_count_characters() {
        let tokens = scan("≥ 12 名").expect("known characters");
        let places: Vec<_> = tokens.into_iter().map(|token| token.at).collect();
        assert_eq!(places, [0..1, 2..4, 5..6]);
    }

    #[test]
    fn what_cannot_be_split_is_named() {
        assert_eq!(
            scan("a ; b"),
            Err((2..3, ScanProblem::UnknownCharacter(';')))
        );
        assert_eq!(scan("a 'b"), Err((2..4, ScanProblem::UnclosedQuote)));
    }
}
