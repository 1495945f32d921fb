//! Parse errors of a lesson file.

/// Why a file is no lesson, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {reason}")]
pub struct ParseError {
    /// Counted from 1.
    pub line: usize,
    /// Why.
    pub reason: ParseErrorKind,
}

/// Why a line cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseErrorKind {
    /// Something that has to be there is not.
    #[error("{0} is missing")]
    Missing(String),
    /// A name that nothing has.
    #[error("there is no {0}")]
    Unknown(String),
    /// Something that has to be a number.
    #[error("{0} is not a number")]
    NotANumber(String),
    /// An expression that breaks off or goes wrong, with what stands there.
    #[error("an expression cannot be read from here on: {0}")]
    Expression(String),
    /// A formula that cannot be read.
    #[error("a formula cannot be read: {0}")]
    Formula(String),
    /// A formula of more characters than are read.
    #[error("a formula has {characters} characters, and at most {most} are read")]
    LongFormula {
        /// How many it has.
        characters: usize,
        /// How many it may have.
        most: usize,
    },
    /// A formula with a command that defines others.
    #[error("a formula cannot define commands, as \\{0} does")]
    Definition(String),
    /// Texts or formulas in each other, more than can be shown.
    #[error("too much stands in each other here")]
    TooDeep,
    /// Texts, tables and formulas that become more bytes of HTML than a lesson may have.
    #[error("the lesson becomes more than {0} bytes of HTML here")]
    TooLarge(usize),
}

impl ParseErrorKind {
    pub(crate) fn at(self, line: usize) -> ParseError {
        ParseError { line, reason: self }
    }

    pub(crate) fn missing(what: &str) -> Self {
        Self::Missing(what.to_owned())
    }
}
