//! Why a line of Python is not read.

use std::ops::Range;

use crate::rule::{MOST_CHARACTERS, MOST_DEPTH, Problem};

/// The most numbers that a tensor of the text may have.
pub const MOST_NUMBERS: usize = 1 << 16;

/// Where a line of Python is not read, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("characters {} to {}: {problem}", at.start + 1, at.end)]
pub struct CallError {
    /// The place, in characters from 0; it is empty where something is missing at the end.
    pub at: Range<usize>,
    /// What is wrong there.
    pub problem: CallProblem,
}

/// What is wrong with a line of Python.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallProblem {
    /// The text has more than [`MOST_CHARACTERS`].
    #[error("at most {MOST_CHARACTERS} characters are read; this has {characters}")]
    TooLong {
        /// How many it has.
        characters: usize,
    },
    /// Calls and brackets are nested deeper than [`MOST_DEPTH`].
    #[error("calls and brackets are nested at most {MOST_DEPTH} deep")]
    TooDeep,
    /// A character that is not read.
    #[error("`{0}` is not read")]
    UnknownCharacter(char),
    /// A quoted text does not end.
    #[error("this quotation is not closed")]
    UnclosedQuote,
    /// Something else was expected.
    #[error("expected {}", .0.name())]
    Expected(Expectation),
    /// A function whose meaning is not known here.
    #[error("`{0}` is not a function whose mask is known")]
    UnknownFunction(String),
    /// An argument whose meaning is not known here.
    #[error("`{0}` is not an argument whose meaning is known")]
    UnknownArgument(String),
    /// A variable in the middle of an expression: only what is written out can be computed.
    #[error("the value of `{0}` is not in the text")]
    UnknownName(String),
    /// Two shapes do not fit each other.
    #[error("these shapes do not fit: {left:?} and {right:?}")]
    ShapesDiffer {
        /// Shape at the left.
        left: Vec<usize>,
        /// Shape at the right.
        right: Vec<usize>,
    },
    /// A tensor would have more than [`MOST_NUMBERS`].
    #[error("a tensor of a text has at most {MOST_NUMBERS} numbers")]
    TooManyNumbers,
    /// The library raises an error for this.
    #[error("{}", .0.name())]
    Raises(Raised),
    /// The function of a cell is not a rule.
    #[error(transparent)]
    Rule(#[from] Problem),
}

/// What was expected at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Expectation {
    /// A value.
    Value,
    /// An operator, a comma, a closing bracket or the end.
    Operator,
    /// A call of a function that attends.
    Call,
    /// A whole number.
    WholeNumber,
    /// One or two whole numbers.
    Window,
    /// `True` or `False`, 1 or 0.
    Flag,
    /// A tensor that is written out.
    Tensor,
    /// A number.
    Number,
    /// A type of numbers, such as `torch.bool`.
    Type,
    /// A lambda of batch entry, head, query and key.
    Lambda,
}

impl Expectation {
    const fn name(self) -> &'static str {
        match self {
            Self::Value => "a value",
            Self::Operator => "an operator, a comma, a closing bracket or the end",
            Self::Call => "a call of a function that attends",
            Self::WholeNumber => "a whole number",
            Self::Window => "one or two whole numbers",
            Self::Flag => "True or False",
            Self::Tensor => "a tensor that is written out",
            Self::Number => "a number",
            Self::Type => "a type of numbers, such as torch.bool",
            Self::Lambda => "a lambda of batch entry, head, query and key",
        }
    }
}

/// What a library raises an error for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Raised {
    /// A mask beside `is_causal=True`.
    FlagBesideMask,
    /// `is_causal=True` without the mask that it is a hint about.
    FlagWithoutMask,
    /// Numbers where only booleans are taken.
    NumbersAsMask,
    /// Whole numbers where booleans and floats are taken.
    IntegersAsMask,
}

impl Raised {
    const fn name(self) -> &'static str {
        match self {
            Self::FlagBesideMask => "the library refuses a mask beside is_causal=True",
            Self::FlagWithoutMask => "is_causal=True is a hint about a mask, and there is none",
            Self::NumbersAsMask => "the library takes a mask of booleans only",
            Self::IntegersAsMask => "the library takes booleans and floats, no whole numbers",
        }
    }
}

pub(super) type Result<T> = std::result::Result<T, CallError>;

pub(super) fn refused<T>(at: &Range<usize>, problem: CallProblem) -> Result<T> {
    let at = at.clone();
    Err(CallError { at, problem })
}

pub(super) fn expected<T>(at: &Range<usize>, expectation: Expectation) -> Result<T> {
    refused(at, CallProblem::Expected(expectation))
}
