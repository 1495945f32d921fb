//! Why a text is not a rule.

use std::fmt;
use std::ops::Range;

use super::{MOST_CHARACTERS, MOST_DEPTH, MOST_PARTS};

/// Where a text is not a rule, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}", place = Place(at))]
pub struct RuleError {
    /// The place, in characters from 0; it is empty where something is missing at the end.
    pub at: Range<usize>,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The text has more than [`MOST_CHARACTERS`].
    #[error("a rule has at most {MOST_CHARACTERS} characters; this has {characters}")]
    TooLong {
        /// How many it has.
        characters: usize,
    },
    /// Brackets and signs are nested deeper than [`MOST_DEPTH`].
    #[error("brackets, signs and `not` are nested at most {MOST_DEPTH} deep")]
    TooDeep,
    /// The rule has more than [`MOST_PARTS`].
    #[error("a rule has at most {MOST_PARTS} words, names, numbers and operators")]
    TooManyParts,
    /// A character that no rule has.
    #[error("`{0}` has no meaning in a rule")]
    UnknownCharacter(char),
    /// A word that is neither a rule nor a name.
    #[error("`{0}` is neither a rule nor a name")]
    UnknownWord(String),
    /// Something else was expected.
    #[error("expected {0}")]
    Expected(Expected),
    /// A number is larger than it may be here.
    #[error("a number here is at most {most}")]
    NumberTooLarge {
        /// The largest one.
        most: u32,
    },
    /// A number is smaller than it may be here.
    #[error("a number here is at least {least}")]
    NumberTooSmall {
        /// The smallest one.
        least: u32,
    },
    /// An opened bracket is not closed.
    #[error("this bracket is not closed")]
    Unclosed,
    /// `&`, `|`, `~` or `!` beside a number, which they bind to before a comparison.
    #[error(
        "`&`, `|`, `~` and `!` bind before comparisons: put each comparison in brackets, or write `and`, `or`, `not`"
    )]
    JoinsNumbers,
    /// `/`, which would leave the whole numbers.
    #[error("numbers are whole: write `//`")]
    Fraction,
}

/// What was expected at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Expected {
    /// A rule, a name, a number or an opening bracket.
    Operand,
    /// `and`, `or`, another operator, or the end.
    Operator,
    /// A whole number.
    Number,
    /// A rule or a comparison, where there is a number.
    Condition,
    /// A number, where there is a rule or a comparison.
    Value,
    /// The word `kernel` and its size.
    Kernel,
    /// Four different names in front of a condition: batch entry, head, query, key.
    FourNames,
    /// `return` and one condition.
    Return,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Operand => "a rule, a name, a number or a bracket",
            Self::Operator => "`and`, `or`, another operator, or the end",
            Self::Number => "a whole number",
            Self::Condition => "a rule or a comparison, not a number",
            Self::Value => "a number, not a rule or a comparison",
            Self::Kernel => "`kernel` and its size",
            Self::FourNames => "four different names: batch entry, head, query, key",
            Self::Return => "`return` and one condition",
        })
    }
}

/// A place as people count: from 1.
struct Place<'a>(&'a Range<usize>);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.0;
        match end.saturating_sub(*start) {
            0 => write!(f, "at the end"),
            1 => write!(f, "character {end}"),
            _ => write!(f, "characters {} to {end}", start + 1),
        }
    }
}

impl RuleError {
    pub(super) fn expected(at: Range<usize>, expected: Expected) -> Self {
        Self {
            at,
            problem: Problem::Expected(expected),
        }
    }
}
