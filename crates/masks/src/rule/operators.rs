//! A precedence parser: each function reads one level of operators and calls the next, which binds closer.

use std::ops::Range;

use super::parse::{Parser, Result};
use super::{Arithmetic, Comparison, Expected, MOST_DEPTH, Problem, Rule, RuleError, Value, words};
use crate::scanner::Kind;

/// What an operator stands beside.
pub(super) enum Part {
    Rule(Rule),
    Value(Value),
}

impl Parser {
    pub(super) fn need_rule(&self, part: Part, first: usize) -> Result<Rule> {
        match part {
            Part::Rule(rule) => Ok(rule),
            Part::Value(_) => Err(RuleError::expected(self.since(first), Expected::Condition)),
        }
    }

    fn need_value(&self, part: Part, first: usize) -> Result<Value> {
        match part {
            Part::Value(value) => Ok(value),
            Part::Rule(_) => Err(RuleError::expected(self.since(first), Expected::Value)),
        }
    }

    pub(super) fn disjunction(&mut self) -> Result<Part> {
        self.joined(["or", "||"], Self::conjunction, Rule::Or)
    }

    fn conjunction(&mut self) -> Result<Part> {
        self.joined(["and", "&&"], Self::negation, Rule::And)
    }

    /// Rules of the next level between `and`s or `or`s.
    fn joined(
        &mut self,
        [word, symbol]: [&str; 2],
        next: fn(&mut Self) -> Result<Part>,
        join: fn(Vec<Rule>) -> Rule,
    ) -> Result<Part> {
        let mut first = self.mark();
        let mut part = next(self)?;
        let mut rules = Vec::new();
        while self.word().is_some_and(|found| found == word) || self.is_symbol(0, symbol) {
            rules.push(self.need_rule(part, first)?);
            self.advance();
            self.count()?;
            first = self.mark();
            part = next(self)?;
        }
        if rules.is_empty() {
            return Ok(part);
        }
        rules.push(self.need_rule(part, first)?);
        Ok(Part::Rule(join(rules)))
    }

    fn negation(&mut self) -> Result<Part> {
        if !self.take_word("not") {
            return self.comparison();
        }
        self.count()?;
        let first = self.mark();
        let part = self.nested(Self::negation)?;
        let rule = self.need_rule(part, first)?;
        Ok(Part::Rule(Rule::Not(Box::new(rule))))
    }

    /// Numbers between comparisons. A chain is the conjunction of its comparisons.
    fn comparison(&mut self) -> Result<Part> {
        let mut first = self.mark();
        let mut part = self.bit_or()?;
        let mut rules = Vec::new();
        while let Some(comparison) = self.symbol().and_then(Comparison::of_symbol) {
            let left = self.need_value(part, first)?;
            if !rules.is_empty() {
                // It stands in two comparisons, with an `and` between them.
                self.count_all(left.parts() + 1)?;
            }
            self.advance();
            self.count()?;
            first = self.mark();
            let next = self.bit_or()?;
            let right = self.need_value(next, first)?;
            part = Part::Value(right.clone());
            rules.push(Rule::Compare {
                left,
                comparison,
                right,
            });
        }
        match (rules.len(), rules.pop()) {
            (1, Some(rule)) => Ok(Part::Rule(rule)),
            (_, None) => Ok(part),
            (_, Some(last)) => {
                rules.push(last);
                Ok(Part::Rule(Rule::And(rules)))
            }
        }
    }

    fn bit_or(&mut self) -> Result<Part> {
        self.bitwise("|", Self::bit_and, Rule::Or)
    }

    fn bit_and(&mut self) -> Result<Part> {
        self.bitwise("&", Self::sum, Rule::And)
    }

    /// Rules between `&` or `|`, which would be something else between numbers.
    fn bitwise(
        &mut self,
        symbol: &str,
        next: fn(&mut Self) -> Result<Part>,
        join: fn(Vec<Rule>) -> Rule,
    ) -> Result<Part> {
        let mut part = next(self)?;
        let mut rules = Vec::new();
        while self.is_symbol(0, symbol) {
            let Part::Rule(rule) = part else {
                return Err(self.problem_here(Problem::JoinsNumbers));
            };
            rules.push(rule);
            self.count()?;
            let at = self.here();
            self.advance();
            part = next(self)?;
            if matches!(part, Part::Value(_)) {
                let problem = Problem::JoinsNumbers;
                return Err(RuleError { at, problem });
            }
        }
        match part {
            Part::Rule(rule) if !rules.is_empty() => {
                rules.push(rule);
                Ok(Part::Rule(join(rules)))
            }
            part => Ok(part),
        }
    }

    fn sum(&mut self) -> Result<Part> {
        self.computed(Self::product, |symbol| match symbol {
            "+" => Some(Arithmetic::Add),
            "-" => Some(Arithmetic::Subtract),
            _ => None,
        })
    }

    fn product(&mut self) -> Result<Part> {
        self.computed(Self::signed, |symbol| match symbol {
            "*" => Some(Arithmetic::Multiply),
            "//" => Some(Arithmetic::Divide),
            "%" => Some(Arithmetic::Remainder),
            _ => None,
        })
    }

    /// Numbers of the next level between operators, computed from the left.
    fn computed(
        &mut self,
        next: fn(&mut Self) -> Result<Part>,
        operator: fn(&str) -> Option<Arithmetic>,
    ) -> Result<Part> {
        let first = self.mark();
        let mut part = next(self)?;
        while let Some(arithmetic) = self.symbol().and_then(operator) {
            let left = self.need_value(part, first)?;
            self.advance();
            self.count()?;
            let second = self.mark();
            let right = next(self)?;
            let right = self.need_value(right, second)?;
            part = Part::Value(Value::Computed(arithmetic, Box::new(left), Box::new(right)));
        }
        Ok(part)
    }

    fn signed(&mut self) -> Result<Part> {
        let sign = match self.symbol() {
            Some(sign @ ("-" | "~" | "!")) => sign,
            _ => return self.operand(),
        };
        let at = self.here();
        self.advance();
        self.count()?;
        let first = self.mark();
        let part = self.nested(Self::signed)?;
        if sign == "-" {
            return Ok(Part::Value(negative(self.need_value(part, first)?)));
        }
        match part {
            Part::Rule(rule) => Ok(Part::Rule(Rule::Not(Box::new(rule)))),
            Part::Value(_) => {
                let problem = Problem::JoinsNumbers;
                Err(RuleError { at, problem })
            }
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(self.problem_here(Problem::TooDeep));
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn operand(&mut self) -> Result<Part> {
        self.count()?;
        if self.is_number(0) {
            let number = self.number(0, u32::MAX)?;
            return Ok(Part::Value(Value::Number(i64::from(number))));
        }
        if self.is_symbol(0, "(") {
            return self.in_brackets(Self::disjunction);
        }
        if let Some(Kind::Real(_)) = self.kind(0) {
            return Err(self.expected(Expected::Number));
        }
        let Some(word) = self.word() else {
            return Err(self.expected(Expected::Operand));
        };
        let named = self.names.iter().find(|(name, _)| *name == word);
        if let Some((_, variable)) = named {
            let variable = *variable;
            self.advance();
            return Ok(Part::Value(Value::Variable(variable)));
        }
        if let Some(function) = Function::of_word(&word) {
            self.advance();
            return self.call(function).map(Part::Value);
        }
        words::read(self, &word).map(Part::Rule)
    }

    /// What `read` reads between this bracket and the one that closes it.
    fn in_brackets<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let opened = self.here();
        self.advance();
        let inside = self.nested(read)?;
        self.close(opened, ")")?;
        Ok(inside)
    }

    /// Takes `closing`, or refuses the bracket at `opened`.
    pub(super) fn close(&mut self, opened: Range<usize>, closing: &str) -> Result<()> {
        if self.take_symbol(closing) {
            return Ok(());
        }
        if self.token().is_some() {
            return Err(self.no_operator());
        }
        let problem = Problem::Unclosed;
        Err(RuleError {
            at: opened,
            problem,
        })
    }

    fn call(&mut self, function: Function) -> Result<Value> {
        if !self.is_symbol(0, "(") {
            return Err(self.expected(Expected::Operand));
        }
        self.in_brackets(|parser| {
            let first = parser.argument()?;
            match function {
                Function::Absolute => Ok(Value::Absolute(Box::new(first))),
                Function::Of(arithmetic) => parser.further_arguments(arithmetic, first),
            }
        })
    }

    fn further_arguments(&mut self, arithmetic: Arithmetic, first: Value) -> Result<Value> {
        if !self.take_symbol(",") {
            return Err(self.expected(Expected::Number));
        }
        let of = |all, next| Value::Computed(arithmetic, Box::new(all), Box::new(next));
        let mut all = of(first, self.argument()?);
        while self.take_symbol(",") {
            self.count()?;
            all = of(all, self.argument()?);
        }
        Ok(all)
    }

    fn argument(&mut self) -> Result<Value> {
        let first = self.mark();
        let part = self.disjunction()?;
        self.need_value(part, first)
    }
}

/// Functions of numbers.
#[derive(Clone, Copy)]
enum Function {
    Absolute,
    Of(Arithmetic),
}

impl Function {
    fn of_word(word: &str) -> Option<Self> {
        match word {
            "abs" => Some(Self::Absolute),
            "min" => Some(Self::Of(Arithmetic::Min)),
            "max" => Some(Self::Of(Arithmetic::Max)),
            _ => None,
        }
    }
}

/// A number with its sign is one number.
fn negative(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(-number),
        value => Value::Negative(Box::new(value)),
    }
}
