//! Reads expressions of Python: literals, names, attributes, calls, subscripts and operators.

use std::ops::Range;

use super::error::{CallProblem, Expectation, Result, expected, refused};
use super::expression::{Argument, Expression, Index, Node};
use crate::rule::{MOST_CHARACTERS, MOST_DEPTH};
use crate::scanner::{Kind, ScanProblem, Token, scan};

/// How an operator binds; the larger, the closer.
fn binding(operator: &str) -> Option<u8> {
    Some(match operator {
        "or" => 1,
        "and" => 2,
        "<" | "<=" | ">" | ">=" | "==" | "!=" => 4,
        "|" => 5,
        "&" => 6,
        "+" | "-" => 7,
        "*" | "/" | "//" | "%" => 8,
        _ => return None,
    })
}

const NOT: u8 = 3;
const COMPARISON: u8 = 4;
const SIGN: u8 = 9;

/// Reads one expression, perhaps assigned to names: `out = f(…)`, `out, weights = f(…)`. The first name that is assigned to comes with it.
pub(super) fn parse(text: &str) -> Result<(Option<String>, Expression)> {
    let characters = text.chars().count();
    if characters > MOST_CHARACTERS {
        let problem = CallProblem::TooLong { characters };
        return refused(&(MOST_CHARACTERS..characters), problem);
    }
    let tokens = match scan(text) {
        Ok(tokens) => tokens,
        Err((at, ScanProblem::UnknownCharacter(found))) => {
            return refused(&at, CallProblem::UnknownCharacter(found));
        }
        Err((at, ScanProblem::UnclosedQuote)) => return refused(&at, CallProblem::UnclosedQuote),
    };
    let mut parser = Parser {
        tokens,
        next: 0,
        end: characters,
        depth: 0,
    };
    let target = parser.target();
    let expression = parser.sequence()?;
    match parser.token() {
        None => Ok((target, expression)),
        Some(_) => expected(&parser.here(), Expectation::Operator),
    }
}

struct Parser {
    tokens: Vec<Token>,
    next: usize,
    end: usize,
    depth: usize,
}

impl Parser {
    fn token(&self) -> Option<&Token> {
        self.tokens.get(self.next)
    }

    fn kind(&self, ahead: usize) -> Option<&Kind> {
        self.tokens.get(self.next + ahead).map(|token| &token.kind)
    }

    fn here(&self) -> Range<usize> {
        let token = self.token().map(|token| token.at.clone());
        token.unwrap_or(self.end..self.end)
    }

    /// The symbol, or the operator that is a word, that comes next.
    fn symbol(&self) -> Option<&'static str> {
        match self.kind(0) {
            Some(Kind::Symbol(symbol)) => Some(symbol),
            Some(Kind::Word(word)) => match word.as_str() {
                "or" => Some("or"),
                "and" => Some("and"),
                "not" => Some("not"),
                "lambda" => Some("lambda"),
                _ => None,
            },
            _ => None,
        }
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = self.symbol() == Some(symbol);
        self.next += usize::from(found);
        found
    }

    fn need(&mut self, symbol: &str) -> Result<()> {
        if self.take(symbol) {
            return Ok(());
        }
        expected(&self.here(), Expectation::Operator)
    }

    /// What was read from `start` on.
    fn made(&self, node: Node, start: usize) -> Expression {
        let last = self
            .next
            .checked_sub(1)
            .and_then(|last| self.tokens.get(last));
        let end = last.map_or(self.end, |token| token.at.end);
        Expression {
            node,
            at: start..end.max(start),
        }
    }

    /// Skips `name =` or `name, name =`, and tells the first name.
    fn target(&mut self) -> Option<String> {
        let mut ahead = 0;
        loop {
            if !matches!(self.kind(ahead), Some(Kind::Word(_))) {
                return None;
            }
            match self.kind(ahead + 1) {
                Some(Kind::Symbol("," | ".")) => ahead += 2,
                Some(Kind::Symbol("=")) => break,
                _ => return None,
            }
        }
        let first = match self.kind(0) {
            Some(Kind::Word(word)) => Some(word.clone()),
            _ => None,
        };
        self.next += ahead + 2;
        first
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return refused(&self.here(), CallProblem::TooDeep);
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// An expression, or a tuple without brackets.
    fn sequence(&mut self) -> Result<Expression> {
        let start = self.here().start;
        let first = self.expression()?;
        if self.symbol() != Some(",") {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.take(",") && self.token().is_some() && self.symbol() != Some(")") {
            all.push(self.expression()?);
        }
        Ok(self.made(Node::Sequence(all), start))
    }

    fn expression(&mut self) -> Result<Expression> {
        self.nested(|parser| parser.binary(0))
    }

    /// Operators that bind at least as closely as `least`.
    fn binary(&mut self, least: u8) -> Result<Expression> {
        let start = self.here().start;
        let mut left = self.unary()?;
        let (mut is_comparison, mut operators) = (false, 0);
        while let Some((operator, binds)) = self.operator().filter(|(_, binds)| *binds >= least) {
            operators += 1;
            if operators > MOST_DEPTH {
                return refused(&self.here(), CallProblem::TooDeep);
            }
            self.next += 1;
            let right = self.binary(binds + 1)?;
            let is_logic = binds < NOT || (binds == COMPARISON && is_comparison);
            is_comparison = binds == COMPARISON;
            let node = if is_logic {
                Node::Logic
            } else {
                Node::Binary(operator, Box::new(left), Box::new(right))
            };
            left = self.made(node, start);
        }
        Ok(left)
    }

    fn operator(&self) -> Option<(&'static str, u8)> {
        let symbol = self.symbol()?;
        Some((symbol, binding(symbol)?))
    }

    fn unary(&mut self) -> Result<Expression> {
        let start = self.here().start;
        match self.symbol() {
            Some(sign @ ("-" | "+" | "~")) => {
                self.next += 1;
                let value = self.nested(|parser| parser.binary(SIGN))?;
                Ok(self.made(Node::Unary(sign, Box::new(value)), start))
            }
            Some("not") => {
                self.next += 1;
                self.nested(|parser| parser.binary(NOT))?;
                Ok(self.made(Node::Logic, start))
            }
            Some("lambda") => self.lambda(),
            _ => self.with_suffixes(),
        }
    }

    fn lambda(&mut self) -> Result<Expression> {
        let start = self.here().start;
        while self.token().is_some() && self.symbol() != Some(":") {
            self.next += 1;
        }
        self.need(":")?;
        self.skip_to_end();
        Ok(self.made(Node::Lambda, start))
    }

    /// Skips what ends at a comma or a closing bracket that was not opened here.
    fn skip_to_end(&mut self) {
        let mut open = 0_usize;
        while let Some(token) = self.token() {
            match token.kind {
                Kind::Symbol("(" | "[" | "{") => open += 1,
                Kind::Symbol(")" | "]" | "}" | ",") if open == 0 => return,
                Kind::Symbol(")" | "]" | "}") => open -= 1,
                _ => {}
            }
            self.next += 1;
        }
    }

    fn with_suffixes(&mut self) -> Result<Expression> {
        let start = self.here().start;
        let mut value = self.atom()?;
        let mut suffixes = 0;
        loop {
            let node = match self.symbol() {
                Some(".") => self.attribute(value)?,
                Some("(") => {
                    let arguments = self.nested(Self::arguments)?;
                    Node::Call(Box::new(value), arguments)
                }
                Some("[") => {
                    let indices = self.indices()?;
                    Node::Subscript(Box::new(value), indices)
                }
                _ => return Ok(value),
            };
            suffixes += 1;
            if suffixes > MOST_DEPTH {
                return refused(&self.here(), CallProblem::TooDeep);
            }
            value = self.made(node, start);
        }
    }

    fn attribute(&mut self, value: Expression) -> Result<Node> {
        self.next += 1;
        match self.kind(0) {
            Some(Kind::Word(word)) => {
                let node = Node::Attribute(Box::new(value), word.clone());
                self.next += 1;
                Ok(node)
            }
            _ => expected(&self.here(), Expectation::Value),
        }
    }

    fn arguments(&mut self) -> Result<Vec<Argument>> {
        self.next += 1;
        let mut arguments = Vec::new();
        while !self.take(")") {
            if !arguments.is_empty() {
                self.need(",")?;
                if self.take(")") {
                    break;
                }
            }
            arguments.push(self.argument()?);
        }
        Ok(arguments)
    }

    fn argument(&mut self) -> Result<Argument> {
        // What is spread hands on arguments of which the text says nothing.
        let name = match (self.kind(0), self.kind(1)) {
            (Some(Kind::Word(word)), Some(Kind::Symbol("="))) => {
                let name = word.clone();
                self.next += 2;
                name
            }
            (Some(Kind::Symbol("*")), _) => {
                while self.take("*") {}
                "*".to_owned()
            }
            _ => String::new(),
        };
        let value = self.expression()?;
        Ok(Argument { name, value })
    }

    fn indices(&mut self) -> Result<Vec<Index>> {
        self.next += 1;
        let mut indices = Vec::new();
        loop {
            if self.take(":") {
                indices.push(Index::All);
            } else if self.take(".") {
                while self.take(".") {}
                indices.push(Index::All);
            } else if matches!(self.kind(0), Some(Kind::Word(word)) if word == "None") {
                self.next += 1;
                indices.push(Index::New);
            } else {
                return expected(&self.here(), Expectation::Operator);
            }
            if self.take("]") {
                return Ok(indices);
            }
            self.need(",")?;
        }
    }

    fn atom(&mut self) -> Result<Expression> {
        let start = self.here().start;
        let node = match self.kind(0) {
            Some(Kind::Whole(number)) => Node::Whole(*number),
            Some(Kind::Real(number)) => Node::Real(*number),
            Some(Kind::Quoted(text)) => Node::Quoted(text.clone()),
            Some(Kind::Word(word)) => Node::Name(word.clone()),
            Some(Kind::Symbol("(")) => return self.in_brackets(")"),
            Some(Kind::Symbol("[")) => return self.in_brackets("]"),
            _ => return expected(&self.here(), Expectation::Value),
        };
        self.next += 1;
        Ok(self.made(node, start))
    }

    /// A tuple, a list, or one expression in round brackets.
    fn in_brackets(&mut self, closing: &str) -> Result<Expression> {
        let start = self.here().start;
        self.next += 1;
        let (mut all, mut has_comma) = (Vec::new(), false);
        while !self.take(closing) {
            if !all.is_empty() {
                self.need(",")?;
                has_comma = true;
                if self.take(closing) {
                    break;
                }
            }
            all.push(self.expression()?);
        }
        let only = all.pop();
        match only {
            Some(only) if all.is_empty() && closing == ")" && !has_comma => {
                Ok(self.made(only.node, start))
            }
            last => {
                all.extend(last);
                Ok(self.made(Node::Sequence(all), start))
            }
        }
    }
}
