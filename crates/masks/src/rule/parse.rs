//! Reads a text as a rule: its tokens, the names in front, and what is left at the end. Operators are in `operators`.

use std::ops::Range;

use super::{Expected, Problem, Rule, RuleError, Variable};
use crate::scanner::{Kind, ScanProblem, Token, scan};

/// The longest text, in characters.
pub const MOST_CHARACTERS: usize = 4096;
/// How deep brackets, signs and `not` may be nested.
pub const MOST_DEPTH: usize = 32;
/// How many [parts](Rule::parts) a rule may have.
pub const MOST_PARTS: usize = 256;

pub(super) type Result<T> = std::result::Result<T, RuleError>;

/// Reads a rule, in the words of the [module](super).
///
/// # Errors
/// [`RuleError`] with the place: whatever is no rule, more than [`MOST_CHARACTERS`], [`MOST_DEPTH`] or [`MOST_PARTS`].
pub fn parse(text: &str) -> Result<Rule> {
    let characters = text.chars().count();
    if characters > MOST_CHARACTERS {
        let problem = Problem::TooLong { characters };
        let at = MOST_CHARACTERS..characters;
        return Err(RuleError { at, problem });
    }
    let tokens = scan(text).map_err(|(at, problem)| RuleError {
        at,
        problem: match problem {
            ScanProblem::UnknownCharacter(found) => Problem::UnknownCharacter(found),
            ScanProblem::UnclosedQuote => Problem::Expected(Expected::Operand),
        },
    })?;
    let mut parser = Parser::new(tokens, characters);
    parser.read_names()?;
    let first = parser.mark();
    let part = parser.disjunction()?;
    if parser.token().is_some() {
        return Err(parser.no_operator());
    }
    parser.need_rule(part, first)
}

pub(super) struct Parser {
    tokens: Vec<Token>,
    next: usize,
    /// Length of the text, in characters.
    end: usize,
    pub(super) depth: usize,
    parts: usize,
    /// Names for variables, in small letters.
    pub(super) names: Vec<(String, Variable)>,
}

const NAMES: [(&str, Variable); 13] = [
    ("b", Variable::Batch),
    ("batch", Variable::Batch),
    ("h", Variable::Head),
    ("head", Variable::Head),
    ("q_idx", Variable::Query),
    ("q", Variable::Query),
    ("i", Variable::Query),
    ("kv_idx", Variable::Key),
    ("kv", Variable::Key),
    ("k", Variable::Key),
    ("j", Variable::Key),
    ("n", Variable::Queries),
    ("m", Variable::Keys),
];

impl Parser {
    fn new(tokens: Vec<Token>, end: usize) -> Self {
        let names = NAMES.map(|(name, variable)| (name.to_owned(), variable));
        Self {
            tokens,
            next: 0,
            end,
            depth: 0,
            parts: 0,
            names: names.into(),
        }
    }

    pub(super) fn token(&self) -> Option<&Token> {
        self.tokens.get(self.next)
    }

    pub(super) fn kind(&self, ahead: usize) -> Option<&Kind> {
        self.tokens.get(self.next + ahead).map(|token| &token.kind)
    }

    /// The word that comes next, in small letters.
    pub(super) fn word(&self) -> Option<String> {
        match self.kind(0) {
            Some(Kind::Word(word)) => Some(word.to_lowercase()),
            _ => None,
        }
    }

    pub(super) fn symbol(&self) -> Option<&'static str> {
        match self.kind(0) {
            Some(Kind::Symbol(symbol)) => Some(symbol),
            _ => None,
        }
    }

    pub(super) fn is_symbol(&self, ahead: usize, symbol: &str) -> bool {
        matches!(self.kind(ahead), Some(Kind::Symbol(found)) if *found == symbol)
    }

    pub(super) fn is_number(&self, ahead: usize) -> bool {
        matches!(self.kind(ahead), Some(Kind::Whole(_)))
    }

    pub(super) fn advance(&mut self) {
        self.next += 1;
    }

    pub(super) fn take_symbol(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(0, symbol);
        self.next += usize::from(found);
        found
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.word().is_some_and(|found| found == word);
        self.next += usize::from(found);
        found
    }

    /// The place of the next token; empty at the end.
    pub(super) fn here(&self) -> Range<usize> {
        let token = self.token().map(|token| token.at.clone());
        token.unwrap_or(self.end..self.end)
    }

    /// From the start of the token numbered `first` to the end of the last one that was read.
    pub(super) fn since(&self, first: usize) -> Range<usize> {
        let start = self
            .tokens
            .get(first)
            .map_or(self.end, |token| token.at.start);
        let last = self
            .next
            .checked_sub(1)
            .and_then(|last| self.tokens.get(last));
        start..last.map_or(self.end, |token| token.at.end).max(start)
    }

    /// Names over several words; none is read unless all follow. A hyphen may stand between two.
    pub(super) fn take_words(&mut self, words: &[&str]) -> bool {
        let before = self.next;
        let is_read = words.iter().enumerate().all(|(at, word)| {
            if at > 0 {
                self.take_symbol("-");
            }
            self.take_word(word)
        });
        if !is_read {
            self.next = before;
        }
        is_read
    }

    pub(super) fn mark(&self) -> usize {
        self.next
    }

    pub(super) fn problem_here(&self, problem: Problem) -> RuleError {
        let at = self.here();
        RuleError { at, problem }
    }

    /// A problem of the token that was read last.
    pub(super) fn problem_before(&self, problem: Problem) -> RuleError {
        let at = self.since(self.next.saturating_sub(1));
        RuleError { at, problem }
    }

    pub(super) fn expected(&self, expected: Expected) -> RuleError {
        RuleError::expected(self.here(), expected)
    }

    /// The next token is none that can follow.
    pub(super) fn no_operator(&self) -> RuleError {
        if self.is_symbol(0, "/") {
            return self.problem_here(Problem::Fraction);
        }
        self.expected(Expected::Operator)
    }

    /// Counts another part of the rule.
    pub(super) fn count(&mut self) -> Result<()> {
        self.count_all(1)
    }

    pub(super) fn count_all(&mut self, parts: usize) -> Result<()> {
        self.parts += parts;
        if self.parts > MOST_PARTS {
            return Err(self.problem_here(Problem::TooManyParts));
        }
        Ok(())
    }

    /// `lambda b, h, q, k:` or `def name(b, h, q, k): return`.
    fn read_names(&mut self) -> Result<()> {
        if self.take_word("lambda") {
            self.four_names()?;
            return self.need_colon();
        }
        if !self.take_word("def") {
            return Ok(());
        }
        if self.word().is_none() || !self.is_symbol(1, "(") {
            return Err(self.expected(Expected::FourNames));
        }
        self.advance();
        self.advance();
        self.four_names()?;
        if !self.take_symbol(")") {
            return Err(self.expected(Expected::FourNames));
        }
        if self.take_symbol("->") {
            self.advance();
        }
        self.need_colon()?;
        if !self.take_word("return") {
            return Err(self.expected(Expected::Return));
        }
        Ok(())
    }

    fn need_colon(&mut self) -> Result<()> {
        if self.take_symbol(":") {
            return Ok(());
        }
        Err(self.expected(Expected::FourNames))
    }

    fn four_names(&mut self) -> Result<()> {
        let variables = [
            Variable::Batch,
            Variable::Head,
            Variable::Query,
            Variable::Key,
        ];
        let mut names: Vec<(String, Variable)> = Vec::new();
        for variable in variables {
            let is_first = names.is_empty();
            if !is_first && !self.take_symbol(",") {
                return Err(self.expected(Expected::FourNames));
            }
            let name = self
                .word()
                .ok_or_else(|| self.expected(Expected::FourNames))?;
            if names.iter().any(|(other, _)| *other == name) {
                return Err(self.expected(Expected::FourNames));
            }
            self.advance();
            names.push((name, variable));
        }
        let lengths = [("n", Variable::Queries), ("m", Variable::Keys)];
        names.extend(lengths.map(|(name, variable)| (name.to_owned(), variable)));
        self.names = names;
        Ok(())
    }
}
